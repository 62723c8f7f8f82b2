//! What a search maximises (section 10.4).

mod common;

use common::{options, play, random_step, session};
use kiebitz_core::{Game, Knowledge, Rng, Scratch, Seat, Session, Turn};
use kiebitz_paodekuai::{Options, PaoDeKuai, PaoDeKuaiKnowledge, Reward, RewardKind};
use serde_json::{Value, json};

fn reward(kind: RewardKind) -> Reward {
    Reward { kind, ..Reward::default() }
}

/// The utilities at the end of a deal that is framed for seat 0 before these actions, and half the width of its scale.
fn ends(rules: &str, setup: Value, actions: &[&str], reward: Reward) -> (Vec<f64>, f64) {
    let session = session(&options(rules), setup);
    let mut game = session.state().framed(0, reward);
    for text in actions {
        let action = kiebitz_core::Notation::parse_action(&game, text).unwrap();
        game.try_apply(action).unwrap();
    }
    assert_eq!(game.turn(), Turn::Terminal);
    (game.utility().as_slice().to_vec(), game.reward_width().unwrap())
}

fn near(found: &[f64], expected: &[f64]) {
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
        "{found:?} for {expected:?}"
    );
}

/// No four can be in one hand: all ranks but these have been played in part.
fn setup() -> Value {
    json!({"hands": ["AA", "3456", "789"], "to_move": 0, "plays_made": [3, 2, 1],
        "played": ["789TJQK2", "3456789TJQK", "3456TJQK"]})
}

#[test]
fn pd_24_win_is_one_or_nothing() {
    let (utility, _) = ends("{}", setup(), &["AA"], reward(RewardKind::Win));
    near(&utility, &[1.0, 0.0, 0.0]);
    // In a ranking too it is who is first out that wins.
    let four = r#"{"deck":"d52","hand":13,"end":"ranking"}"#;
    let places = json!({"hands": ["A", "3", "4", "8"], "to_move": 0});
    let (utility, _) = ends(four, places, &["A", "pass", "pass", "pass", "3", "4"], reward(RewardKind::Win));
    near(&utility, &[1.0, 0.0, 0.0, 0.0]);
}

/// Whatever is played, the chances of the seats sum to one: with three equal players each has a third, not a half.
#[test]
fn pd_24_pd_31_par_of_three_is_a_third() {
    let knowledge = PaoDeKuaiKnowledge::default();
    let (mut rng, mut scratch) = (Rng::new(1), Scratch::default());
    let mut sums = [0.0; 3];
    let number = 3_000;
    for seed in 0..number {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).unwrap();
        session.roll().unwrap();
        let mut game = session.state().framed(0, reward(RewardKind::Win));
        let outcome = knowledge.playout(&mut game, &mut rng, &mut scratch, None);
        assert_eq!(outcome.utility.as_slice().iter().sum::<f64>(), 1.0);
        // By distance from the leader the seats are not equal; over all leaders they are.
        for (sum, utility) in sums.iter_mut().zip(outcome.utility.as_slice()) {
            *sum += utility;
        }
    }
    for sum in sums {
        let error = (number as f64 * 2.0 / 9.0).sqrt();
        assert!((sum - number as f64 / 3.0).abs() < 3.5 * error, "{sums:?}");
    }
}

/// The bonus of the founding text, 1 + 1 / (plays + 1), halved: it stays within [0, 1], and sooner is better.
#[test]
fn pd_25_speed_is_scaled() {
    let (utility, _) = ends("{}", setup(), &["AA"], reward(RewardKind::Speed));
    near(&utility, &[(1.0 + 1.0 / 5.0) / 2.0, 0.0, 0.0]);
    let (slower, _) = ends("{}", setup(), &["A", "pass", "pass", "A"], reward(RewardKind::Speed));
    near(&slower, &[(1.0 + 1.0 / 6.0) / 2.0, 0.0, 0.0]);
}

#[test]
fn pd_27_score_is_on_a_scale_fixed_at_the_root() {
    let (utility, width) = ends("{}", setup(), &["AA"], reward(RewardKind::Score));
    assert_eq!(width, 64.0);
    near(&utility, &[0.5 + 7.0 / 128.0, 0.5 - 4.0 / 128.0, 0.5 - 3.0 / 128.0]);
    // A bomb that was paid, and two that are possible: in the own hand, and the eights, which one other hand has room for.
    let mut bombs = setup();
    bombs["bombs"] = json!([1]);
    bombs["hands"][0] = json!("AAATTTT");
    bombs["hands"][2] = json!("88889");
    bombs["played"] = json!(["79JQK2", "345679JQK", "3456JQK"]);
    let (_, width) = ends("{}", bombs.clone(), &["TTTT", "pass", "pass", "AAA"], reward(RewardKind::Score));
    assert_eq!(width, 64.0 + 20.0 * 3.0);
    let (_, width) = ends(
        r#"{"bomb_pay":"none","card_point":2}"#,
        bombs,
        &["TTTT", "pass", "pass", "AAA"],
        reward(RewardKind::Score),
    );
    assert_eq!(width, 128.0);
}

#[test]
fn mixed_is_between_win_and_score() {
    let mixed = Reward { kind: RewardKind::Mixed, lambda: 0.25, thrift: 0.0 };
    let (utility, _) = ends("{}", setup(), &["AA"], mixed);
    near(&utility, &[0.25 + 0.75 * (0.5 + 7.0 / 128.0), 0.75 * (0.5 - 4.0 / 128.0), 0.75 * (0.5 - 3.0 / 128.0)]);
}

/// A penalty for high cards that were played, off by default.
#[test]
fn pd_26_thrift_is_a_variant() {
    assert_eq!(PaoDeKuaiKnowledge::default().reward.thrift, 0.0);
    let plain = ends("{}", setup(), &["AA"], reward(RewardKind::Win)).0;
    let thrifty = ends("{}", setup(), &["AA"], Reward { thrift: 0.5, ..reward(RewardKind::Win) }).0;
    // Two aces of three, one two, four kings, and eleven fours in the deck: 2 / (3 + 1.5 + 4/3 + 22).
    near(&thrifty, &[plain[0] - 0.5 * 2.0 / (3.0 + 1.5 + 4.0 / 3.0 + 22.0), 0.0, 0.0]);
}

/// A search looks at one deal of a match: nothing comes after it, and the points of the deals before do not count.
#[test]
fn a_framed_deal_of_a_match_ends_with_itself() {
    let (mut rng, mut buffer) = (Rng::new(3), Vec::new());
    let mut session = Session::<PaoDeKuai>::new(3, options(r#"{"deals":5}"#), None, 3).unwrap();
    while session.state().state().deals_finished() < 2 || !matches!(session.turn(), Turn::Seat(_)) {
        assert!(random_step(&mut session, &mut rng, &mut buffer));
    }
    let before = session.returns();
    assert!(before.as_slice().iter().any(|points| *points != 0.0));
    let mut game = session.state().framed(1, reward(RewardKind::Score));
    let width = game.reward_width().unwrap();
    while game.turn() != Turn::Terminal {
        game.actions(&mut buffer);
        game.apply(buffer[rng.below(buffer.len())]);
    }
    assert_eq!(game.state().deals_finished(), 3);
    for seat in 0..3 {
        let points = game.returns().of(seat) - before.of(seat);
        let expected = (0.5 + points / (2.0 * width)).clamp(0.0, 1.0);
        assert!((game.utility().of(seat) - expected).abs() < 1e-12);
    }
}

/// Utilities stay within [0, 1] for every reward, at every state of every game.
#[test]
fn utilities_are_within_bounds() {
    let mut rng = Rng::new(5);
    let mut buffer = Vec::new();
    let kinds = [RewardKind::Score, RewardKind::Win, RewardKind::Speed, RewardKind::Mixed];
    for (number, (name, options, players)) in common::all_sets().into_iter().enumerate() {
        let mut session = Session::<PaoDeKuai>::new(players, options, None, number as u64).unwrap();
        while session.turn().seat().is_none() {
            session.roll().unwrap();
        }
        let seat: Seat = session.turn().seat().unwrap();
        for kind in kinds {
            let mut game = session.state().framed(seat, Reward { thrift: 0.3, ..reward(kind) });
            while game.turn() != Turn::Terminal {
                assert!(game.utility().as_slice().iter().all(|u| (0.0..=1.0).contains(u)), "{name}");
                game.actions(&mut buffer);
                game.apply(buffer[rng.below(buffer.len())]);
            }
            assert!(game.utility().as_slice().iter().all(|u| (0.0..=1.0).contains(u)), "{name}");
        }
    }
}

#[test]
fn win_returns_are_zero_sum() {
    let mut session = session(&options("{}"), setup());
    assert_eq!(session.state().win_returns().as_slice(), [0.0, 0.0, 0.0]);
    play(&mut session, &["AA"]);
    assert_eq!(session.state().win_returns().as_slice(), [1.0, -0.5, -0.5]);
}
