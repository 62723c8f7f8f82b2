//! What is dead: one opinion for everything that asks.
//!
//! The engine passes because of an opinion about the stones, and it is asked for it afterwards (GTP's `final_status_list`, the
//! agreement at the table). Both must be the same one, so it is kept as long as the board does not change.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kiebitz_core::{Clock, Luck, Rng};
use kiebitz_go::status::{Assessment, MIN_PLAYOUTS, assess_unless};
use kiebitz_go::{Board, Go, GoBuffer, Rules};

/// Purpose of [`Luck::stream`] used here.
const STREAM_STATUS: u64 = 0x6465_6164;

/// Before anything was measured: the time of an assessment for each point of the board.
const FIRST_GUESS: Duration = Duration::from_micros(50);

/// An opinion and the board it is about.
#[derive(Clone, Debug)]
struct Opinion {
    board: Board,
    rules: Rules,
    assessment: Assessment,
}

/// Assesses positions and remembers the last one.
#[derive(Debug, Default)]
pub struct Assessor {
    seed: u64,
    buffer: GoBuffer,
    opinion: Option<Opinion>,
    /// The longest of the last assessments, for each point of the board.
    cost: Option<Duration>,
}

impl Assessor {
    /// All randomness follows from the seed and the stones on the board.
    pub fn new(seed: u64) -> Self {
        Assessor { seed, ..Assessor::default() }
    }

    /// What becomes of the stones on the board, whoever is to move: the same answer until the board changes.
    pub fn assess(&mut self, go: &Go, clock: &dyn Clock) -> &Assessment {
        match self.assess_unless(&AtomicBool::new(false), go, clock) {
            Some(assessment) => assessment,
            None => unreachable!("nobody stops it"),
        }
    }

    /// As [`Assessor::assess`], but gives up at once when `stop` is set: `None` then, where nothing was known before.
    pub fn assess_unless(&mut self, stop: &AtomicBool, go: &Go, clock: &dyn Clock) -> Option<&Assessment> {
        self.assess_until(stop, None, go, clock)
    }

    /// As [`Assessor::assess_unless`], but gives up at this time of the clock too.
    pub fn assess_until(
        &mut self,
        stop: &AtomicBool,
        until: Option<Duration>,
        go: &Go,
        clock: &dyn Clock,
    ) -> Option<&Assessment> {
        if !self.knows(go) {
            let start = clock.now();
            let mut rng = Luck::new(self.seed).stream(STREAM_STATUS, go.board().hash());
            let buffer = &mut self.buffer;
            let playout = |go: &Go, rng: &mut Rng, out: &mut [i8]| buffer.ownership(go, rng, out);
            let late = || until.is_some_and(|until| clock.now() >= until);
            let gives_up = || stop.load(Ordering::Relaxed) || late();
            let assessment = assess_unless(&gives_up, go, MIN_PLAYOUTS, &mut rng, playout);
            if assessment.is_none() && stop.load(Ordering::Relaxed) {
                return None;
            }
            // One that was given up for its time costs more than this, and the next ones are not tried either with as little time.
            let cost = clock.now().saturating_sub(start) / go.size().points() as u32;
            // Forgets a slow one after a while.
            self.cost = Some(self.cost.map_or(cost, |old| cost.max(old - old / 8)));
            let rules = go.options().rules;
            self.opinion = Some(Opinion { board: go.board().clone(), rules, assessment: assessment? });
        }
        self.known(go)
    }

    /// The opinion of this board if there is one already.
    pub fn known(&self, go: &Go) -> Option<&Assessment> {
        self.opinion.as_ref().filter(|_| self.knows(go)).map(|opinion| &opinion.assessment)
    }

    fn knows(&self, go: &Go) -> bool {
        let rules = go.options().rules;
        self.opinion.as_ref().is_some_and(|opinion| opinion.board == *go.board() && opinion.rules == rules)
    }

    /// How long an assessment of this position takes, judging by those before it.
    pub fn expected_cost(&self, go: &Go) -> Duration {
        if self.knows(go) { Duration::ZERO } else { self.cost.unwrap_or(FIRST_GUESS) * go.size().points() as u32 }
    }

    /// Forgets the opinion: another game begins.
    pub fn reset(&mut self) {
        self.opinion = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use kiebitz_core::Session;
    use kiebitz_go::{Move, Options};

    use super::*;

    /// A millisecond goes by at every look.
    #[derive(Debug, Default)]
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    #[test]
    fn an_assessment_ends_with_its_time_and_its_cost_is_kept() {
        let mut session = Session::<Go>::new(2, Options::default(), None, 1).expect("a game");
        for text in ["C3", "G7", "E5", "D6"] {
            let mv = Move::parse(text, session.state().size()).expect("a move");
            session.play(mv).expect("a legal move");
        }
        let go = session.state().clone();
        let (clock, idle) = (Ticking::default(), AtomicBool::new(false));
        let mut assessor = Assessor::new(1);
        let first = assessor.expected_cost(&go);
        assert!(assessor.assess_until(&idle, Some(Duration::from_millis(30)), &go, &clock).is_none());
        assert!((30..35).contains(&clock.now().as_millis()), "it gives up at its time");
        assert!(assessor.known(&go).is_none() && assessor.expected_cost(&go) > first);
        // Stopped by somebody: that says nothing about its cost.
        let mut stopped = Assessor::new(1);
        assert!(stopped.assess_unless(&AtomicBool::new(true), &go, &clock).is_none());
        assert_eq!(stopped.expected_cost(&go), first);
        assert!(assessor.assess_unless(&idle, &go, &clock).is_some(), "without a bound it is made");
    }
}
