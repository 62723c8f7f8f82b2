//! Perft at a chance event that is only drawn.

use std::ops::RangeInclusive;

use kiebitz_core::{ChanceKind, Game, Illegal, Meta, Payoff, PerftError, SetupError, Turn, perft, snapshot_undo};

/// One player says yes or no twice, then a deck is dealt that nobody can list.
#[derive(Clone, Debug, PartialEq)]
struct Deal(u8);

impl Game for Deal {
    const ID: &'static str = "deal";
    const PLAYERS: RangeInclusive<u8> = 1..=1;
    type Options = ();
    type Setup = ();
    type Action = bool;
    type Belief = ();
    snapshot_undo!();

    fn new(_: u8, _: &(), _: Option<&()>) -> Result<Self, SetupError> {
        Ok(Deal(0))
    }

    fn meta(&self) -> Meta {
        let chance = &[ChanceKind { name: "shuffle", listed: false }];
        Meta { players: 1, zero_sum: false, hidden: false, max_length: 3, min_return: 0.0, max_return: 0.0, chance }
    }

    fn turn(&self) -> Turn {
        match self.0 {
            0 | 1 => Turn::Seat(0),
            2 => Turn::Chance(0),
            _ => Turn::Terminal,
        }
    }

    fn actions(&self, out: &mut Vec<bool>) {
        out.clear();
        if self.0 < 2 {
            out.extend([false, true]);
        }
    }

    fn check(&self, _: bool) -> Result<(), Illegal> {
        Ok(())
    }

    fn apply(&mut self, _: bool) {
        self.0 += 1;
    }

    fn returns(&self) -> Payoff {
        Payoff::new(&[0.0])
    }

    fn utility(&self) -> Payoff {
        Payoff::new(&[0.0])
    }

    fn key(&self) -> u64 {
        u64::from(self.0)
    }
}

#[test]
fn sampled_chance_is_refused_where_it_is_reached() {
    let game = Deal::new(1, &(), None).unwrap();
    let shallow = perft(&game, 2).unwrap();
    assert_eq!((shallow.counts, shallow.divide), (vec![2, 4], vec![(false, 2), (true, 2)]));
    let error = perft(&game, 3).unwrap_err();
    assert_eq!(error, PerftError::Sampled { kind: "shuffle", ply: 3 });
    assert_eq!(error.code(), "perft.sampled");
    assert_eq!(
        error.to_string(),
        "the sequences cannot be counted: action 3 is the chance event 'shuffle', whose outcomes are only drawn, not listed; \
         choose a smaller depth or start from a position after it"
    );
    let first = perft(&Deal(2), 1).unwrap_err();
    assert_eq!(first, PerftError::Sampled { kind: "shuffle", ply: 1 });
    assert!(
        first.to_string().ends_with("not listed; every depth reaches it: start from a position after it"),
        "{first}"
    );
    assert_eq!(perft(&Deal(3), 2).unwrap().counts, [0, 0]);
}
