//! Replaying what one seat saw: masked actions (`deal 3,?`) stand for any action that looks so to the seat.
//!
//! A search is given what a seat knows, and that depends on actions only as the seat saw them. So any game that looks the same
//! to the seat will do; it is found by trying. A game may also go on from a masked action itself (the deal of a whole deck, of
//! which the seat knows its own hand); then nothing has to be made up.
//!
//! Texts do not say who acts. After such a deal it may not be known who begins: then it is the seat with which the asked one is
//! to move where it is looked at.

use kiebitz_core::{DynGame, Seat, Turn};

use super::query::Query;

/// So many actions are played at most in the attempt to find a game that looks like what the seat saw.
const MAX_TRIES: usize = 20_000;
/// The most masked actions: the attempt recurs at each.
const MAX_MASKED: usize = 200;

/// Replays the query's actions; where some are masked they become those of a game that looks the same to `seat`.
///
/// # Errors
/// The first action that cannot be played, in one sentence.
pub(crate) fn replay(query: &mut Query, seat: Option<Seat>) -> Result<(), String> {
    let masked = query.steps.iter().filter(|step| is_masked(&step.action)).count();
    if masked > MAX_MASKED {
        return Err(format!("{masked} actions hide something, at most {MAX_MASKED} can be completed"));
    }
    let game = query.start().map_err(|e| e.to_string())?;
    let mut search = Search { query, seat, chosen: Vec::new(), handed: Vec::new(), tries: 0, farthest: None };
    if search.from(game, 0, false) {
        let chosen = std::mem::take(&mut search.chosen);
        query.handed = std::mem::take(&mut search.handed);
        for (step, (by, action)) in query.steps.iter_mut().zip(chosen) {
            step.by = step.by.or(by);
            step.action = action;
        }
        return Ok(());
    }
    let tired = search.tries > MAX_TRIES;
    let (index, message) = search.farthest.unwrap_or_default();
    let action = query.steps.get(index).map(|s| super::fields::clip(&s.action)).unwrap_or_default();
    let more = if tired { "; no game was found that looks like this to the seat" } else { "" };
    Err(format!("action {index} ('{action}'): {message}{more}"))
}

fn is_masked(action: &str) -> bool {
    action.contains('?')
}

struct Search<'a> {
    query: &'a Query,
    seat: Option<Seat>,
    /// The actions so far, and who plays them where that had to be found out.
    chosen: Vec<(Option<Seat>, String)>,
    /// Where the asked seat begins and is looked at: the number of actions before, and the seat.
    handed: Vec<(usize, Seat)>,
    tries: usize,
    /// The farthest action that could not be played, and why.
    farthest: Option<(usize, String)>,
}

impl Search<'_> {
    fn fail(&mut self, index: usize, why: String) {
        if self.farthest.as_ref().is_none_or(|(far, _)| index > *far) {
            self.farthest = Some((index, why));
        }
    }

    /// Whether the actions from `index` on can be played; where not, nothing is chosen. `guessed`: who began was guessed, and
    /// nothing has shown yet that it was right.
    fn from(&mut self, game: Box<dyn DynGame>, index: usize, guessed: bool) -> bool {
        let (chosen, handed) = (self.chosen.len(), self.handed.len());
        let fits = self.play_from(game, index, guessed);
        if !fits {
            self.chosen.truncate(chosen);
            self.handed.truncate(handed);
        }
        fits
    }

    /// As [`Search::from`]. Recurs only where an action is masked, or it is not known who acts.
    fn play_from(&mut self, mut game: Box<dyn DynGame>, mut index: usize, mut guessed: bool) -> bool {
        loop {
            let mut by = None;
            if let Some(seat) = self.seat.filter(|_| self.query.turns.iter().any(|&(turn, _)| turn == index)) {
                match game.turn() {
                    Turn::Seat(mover) if guessed && mover != seat => {
                        let why = format!("player {seat} is not to move after it, whoever began");
                        self.fail(index.saturating_sub(1), why);
                        return false;
                    }
                    Turn::Seat(_) => guessed = false,
                    // After a masked deal it may be the seat that is asked about who begins; chance is chance.
                    Turn::Chance(_) => match game.with_turn_of(seat) {
                        Ok(handed) => {
                            game = handed;
                            self.handed.push((index, seat));
                            (by, guessed) = (Some(seat), false);
                        }
                        Err(e) if e.code == "turn.chance" => {}
                        Err(e) => {
                            self.fail(index.saturating_sub(1), e.to_string());
                            return false;
                        }
                    },
                    Turn::Terminal => {}
                }
            }
            let Some(step) = self.query.steps.get(index) else { break };
            if is_masked(&step.action) {
                return self.masked(game.as_ref(), index, guessed);
            }
            self.tries += 1;
            if let Err(e) = game.play(&step.action) {
                let begins = step.by.is_none() && matches!(game.turn(), Turn::Chance(_)) && !guessed;
                let fits = begins && self.begun(game.as_ref(), index);
                if !fits {
                    self.fail(index, e.to_string());
                }
                return fits;
            }
            self.chosen.push((by, step.action.clone()));
            index += 1;
        }
        if guessed {
            let why = "it does not say who began, and no position in which the seat is to move shows it".to_owned();
            self.fail(index.saturating_sub(1), why);
        }
        !guessed
    }

    /// Whether some seat can begin with the action at `index`, where the game does not know who does.
    fn begun(&mut self, game: &dyn DynGame, index: usize) -> bool {
        let action = &self.query.steps[index].action;
        for seat in 0..game.meta().players {
            self.tries += 1;
            let mut game = game.clone_box();
            if self.tries > MAX_TRIES || game.play_as(seat, action).is_err() {
                continue;
            }
            self.chosen.push((Some(seat), action.clone()));
            if self.from(game, index + 1, true) {
                return true;
            }
            self.chosen.pop();
        }
        false
    }

    /// Whether some action that looks like the masked one at `index` leads on.
    fn masked(&mut self, game: &dyn DynGame, index: usize, guessed: bool) -> bool {
        let query = self.query;
        let text = &query.steps[index].action;
        let Some(seat) = self.seat else {
            self.fail(index, "it hides something; \"seat\" must say from whom".to_owned());
            return false;
        };
        let actions = match game.unmasked(text, seat) {
            Ok(actions) => actions,
            Err(e) => {
                self.fail(index, e.to_string());
                return false;
            }
        };
        if actions.is_empty() {
            let game = game.id();
            let why = format!(
                "player {seat} sees no possible action of {game} so, or {game} cannot complete what is hidden; \
                 give the whole action"
            );
            self.fail(index, why);
            return false;
        }
        for action in actions {
            self.tries += 1;
            if self.tries > MAX_TRIES {
                return false;
            }
            let mut game = game.clone_box();
            if game.play(&action).is_err() {
                continue;
            }
            self.chosen.push((None, action));
            if self.from(game, index + 1, guessed) {
                return true;
            }
            self.chosen.pop();
        }
        false
    }
}
