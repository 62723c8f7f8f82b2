//! What a game's knowledge adds to any search: how ends are valued, how worlds are drawn, and wins that are proven.

use kiebitz_core::{Game, Knowledge, Luck, Payoff, Proven, Seen};

use crate::search::Progress;
use crate::{Context, Report, Row, Search, SearchError};

/// Purpose of [`Luck::stream`] for [`Knowledge::frame`].
const STREAM_FRAME: u64 = 0x6672_616d;

/// A search whose root is framed by [`Knowledge::frame`], and which always chooses an action of [`Knowledge::proven`] if there is
/// one: of several the one that the search likes best. The search runs all the same, so that every action has its numbers.
/// The registry makes one for every algorithm that searches.
pub(crate) struct Guided<G: Game, K> {
    search: Box<dyn Search<G>>,
    knowledge: K,
}

impl<G: Game, K> Guided<G, K> {
    pub fn new(search: Box<dyn Search<G>>, knowledge: K) -> Self {
        Guided { search, knowledge }
    }
}

impl<G: Game, K: Knowledge<G>> Search<G> for Guided<G, K> {
    fn run(&mut self, root: &Seen<G>, context: &Context<'_, G>) -> Result<Report<G>, SearchError> {
        let framed = self.knowledge.frame(root, &mut Luck::new(context.seed).stream(STREAM_FRAME, 0));
        let root = framed.as_ref().unwrap_or(root);
        let mut proven = self.knowledge.proven(root);
        // Who asks for other actions does not want the proven one.
        let allowed = |action: &G::Action| context.restrictions.iter().all(|r| r.allows(0, root.seat(), action));
        proven.retain(|proof| allowed(&proof.action));
        if proven.is_empty() {
            return self.search.run(root, context);
        }
        let players = root.meta().players;
        let forward = |report: &Report<G>| {
            if let Some(progress) = context.progress {
                let mut report = report.clone();
                put_first(&mut report, &proven, players);
                progress(&report);
            }
        };
        let progress: Option<Progress<'_, G>> = context.progress.is_some().then_some(&forward);
        let context = Context { progress, ..*context };
        let mut report = self.search.run(root, &context)?;
        put_first(&mut report, &proven, players);
        Ok(report)
    }

    fn observe(&mut self, action: G::Action) {
        self.search.observe(action);
    }

    fn serves_any_seat(&self) -> bool {
        self.search.serves_any_seat()
    }

    fn reset(&mut self) {
        self.search.reset();
    }
}

/// Puts the best of the proven actions first; one that the search has not looked at gets a row that says so by its visits.
fn put_first<G: Game>(report: &mut Report<G>, proven: &[Proven<G::Action>], players: u8) {
    let is_proven = |action: &G::Action| proven.iter().find(|proof| proof.action == *action);
    for row in &mut report.rows {
        if let Some(utility) = is_proven(&row.action).and_then(|proof| proof.utility) {
            row.proven = true;
            row.utility = utility;
            row.utility_error = Payoff::uniform(players, 0.0);
        }
    }
    let Some(first) = proven.first() else { return };
    let row = match report.rows.iter().position(|row| is_proven(&row.action).is_some()) {
        Some(place) => report.rows.remove(place),
        None => {
            let unknown = Payoff::uniform(players, 0.5);
            Row {
                action: first.action,
                visits: 0,
                availability: 0,
                prior: None,
                utility: first.utility.unwrap_or(unknown),
                utility_error: first.utility.map_or(unknown, |_| Payoff::uniform(players, 0.0)),
                returns: None,
                pv: vec![first.action],
                pv_visits: Vec::new(),
                proven: first.utility.is_some(),
            }
        }
    };
    report.rows.insert(0, row);
}
