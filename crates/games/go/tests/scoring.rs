//! Area, territory, taxes, bonuses, results.

mod common;

use common::{diagram, game, options, play, point, size};
use kiebitz_core::{Game, Notation};
use kiebitz_go::{Color, Go, KoRule, Options, Ruleset, Scoring, Tax, area_owners, result_text};
use serde_json::json;

/// Chinese rules without komi, changed by keys.
fn rules(width: usize, height: usize, keys: serde_json::Value) -> Options {
    let mut map = json!({"size": [width, height], "komi": 0}).as_object().unwrap().clone();
    map.extend(keys.as_object().unwrap().clone());
    Options::from_json(&map).unwrap()
}

const TWO_SIDES: &str = "
    . X O . .
    X X O O O
    . X O . .
    X X O O O
    . X O . .";

#[test]
fn g8_an_empty_board_is_nobodys() {
    for (komi, result) in [(0, "0"), (26, "W+6.5"), (-10, "B+2.5")] {
        let mut go = game(&Options { komi, ..Options::new(size(5, 5), Ruleset::Chinese) });
        assert_eq!(go.margin(), -komi);
        assert_eq!(go.score().owner, [0; 25]);
        assert_eq!(go.result(), None, "before the end");
        play(&mut go, "pass pass");
        assert_eq!(go.result().as_deref(), Some(result));
    }
}

#[test]
fn go_13_area_score() {
    let go = diagram(&rules(5, 5, json!({})), TWO_SIDES);
    let score = go.score();
    let [black, white] = score.sides;
    assert_eq!((black.stones, black.territory, black.prisoners), (7, 3, 0));
    assert_eq!((white.stones, white.territory, white.prisoners), (9, 6, 0));
    assert_eq!(score.margin(), -20);
    assert_eq!(score.owner.iter().filter(|&&o| o == 1).count(), 10);
    assert_eq!(go.returns().as_slice(), [-5.0, 5.0]);
    assert_eq!(go.utility().as_slice(), [0.0, 1.0]);
}

#[test]
fn go_13_neutral_points() {
    let go = diagram(&rules(5, 3, json!({})), "XX.OO\nXX.OO\nXX.OO");
    assert_eq!(go.margin(), 0);
    assert_eq!(go.utility().as_slice(), [0.5, 0.5]);
    let owners = area_owners(go.board(), &[]);
    assert_eq!(owners[2], 0);
    assert_eq!(owners.iter().map(|&o| i32::from(o)).sum::<i32>(), 0);
    // One colour alone owns everything.
    let mut go = game(&rules(9, 9, json!({})));
    play(&mut go, "E5");
    assert_eq!(go.margin(), 4 * 81);
    play(&mut go, "A1");
    assert_eq!(go.margin(), 0);
}

#[test]
fn go_13_shared_seki() {
    let text = ". X . O .\nX X . O O\nX X . O O";
    let none = diagram(&rules(5, 3, json!({})), text).score();
    assert_eq!(none.sides.map(|s| (s.stones, s.territory)), [(5, 1), (5, 1)]);
    // The tax takes the eyes of groups that touch neutral points.
    let seki = diagram(&rules(5, 3, json!({"tax": "seki"})), text).score();
    assert_eq!(seki.sides.map(|s| (s.stones, s.territory, s.group_tax)), [(5, 0, 0), (5, 0, 0)]);
    assert_eq!(seki.owner[10], 0, "A3 is nobody's");
    let all = diagram(&rules(5, 3, json!({"tax": "all"})), text).score();
    assert_eq!(all.sides.map(|s| (s.stones, s.territory, s.group_tax)), [(5, 0, 0), (5, 0, 0)]);
}

#[test]
fn tax_on_living_groups() {
    let seki = diagram(&rules(5, 5, json!({"tax": "seki"})), TWO_SIDES).score();
    assert_eq!(seki.sides.map(|s| s.territory), [3, 6], "no neutral points, no seki");
    let all = diagram(&rules(5, 5, json!({"ruleset": "stone-scoring"})), TWO_SIDES).score();
    assert_eq!(all.sides.map(|s| s.group_tax), [2, 2]);
    // Two separate black groups pay twice, the white one between them once.
    let text = "
        . X O X .
        X X O X X
        . X O X .
        X X O X X
        . X O X X
        X X O O O
        X X O . O
        . X O O .";
    let all = diagram(&rules(5, 8, json!({"tax": "all"})), text).score();
    assert_eq!(all.sides.map(|s| (s.stones, s.territory, s.group_tax)), [(20, 6, 4), (12, 2, 2)]);
}

#[test]
fn a_chain_in_atari_makes_its_group_a_seki() {
    let text = "
        . X X X
        X X O X
        X O O X
        X . O X";
    // White's chain has the liberty B1 alone, inside nobody's region; the black group has A4.
    let go = diagram(&rules(4, 4, json!({"tax": "seki"})), text);
    let score = go.score();
    assert_eq!(score.sides[0].territory, 0, "B1 is neutral and touches the black group");
    let text = "
        X X X X
        X . X .
        X X X X
        O O O O
        . O . O";
    let go = diagram(&rules(4, 5, json!({"tax": "seki"})), text);
    assert_eq!(go.score().sides.map(|s| s.territory), [2, 2]);
    let text = "
        X X X X
        X . X X
        X X X X
        O O O O
        . O . O";
    let go = diagram(&rules(4, 5, json!({"tax": "seki"})), text);
    assert_eq!(go.score().sides.map(|s| s.territory), [0, 2], "Black's only chain is in atari");
}

#[test]
fn territory_and_prisoners() {
    let go = diagram(&rules(5, 5, json!({"ruleset": "japanese"})), TWO_SIDES);
    let [black, white] = go.score().sides;
    assert_eq!((black.stones, black.territory, black.prisoners), (0, 3, 0));
    assert_eq!((white.stones, white.territory, white.prisoners), (0, 6, 0));
    assert_eq!(go.margin(), -12);
    // A prisoner counts one and the point it stood on another.
    let mut go = diagram(&rules(3, 3, json!({"ruleset": "japanese"})), "...\nXO.\n.X.");
    play(&mut go, "C2 pass B3");
    let black = go.score().sides[0];
    assert_eq!((black.prisoners, black.territory), (1, 5));
    assert_eq!(go.margin(), 24);
}

#[test]
fn suicide_gives_prisoners() {
    let mut go = diagram(&rules(4, 3, json!({"ruleset": "japanese", "suicide": true})), "....\nOO..\n.XO.");
    play(&mut go, "A1");
    assert_eq!(go.score().sides.map(|s| s.prisoners), [0, 2]);
}

const DEAD_STONE: &str = "
    . X . O .
    . X . O .
    O X . O .
    . X . O .
    . X . O .";

#[test]
fn dead_stones_after_agreement() {
    let mut go = diagram(&rules(5, 5, json!({})), DEAD_STONE);
    assert_eq!(go.margin(), 4 * (5 - 11), "literally: A3 is alive and splits the left side");
    let a3 = point(&go, "A3");
    assert_eq!(go.agree_dead(&[a3]).unwrap_err().code, "go.dead", "before the end");
    assert_eq!(go.margin_without(&[a3]), 0);
    play(&mut go, "pass pass");
    assert_eq!(go.result().as_deref(), Some("W+6"));
    let empty = point(&go, "A1");
    assert_eq!(go.agree_dead(&[empty]).unwrap_err().code, "go.dead");
    let alive = go.clone();
    go.agree_dead(&[a3]).unwrap();
    assert_eq!(go.dead_stones(), [a3]);
    assert_eq!(go.result().as_deref(), Some("0"));
    assert_ne!(go, alive);
    assert_ne!(go.transposition_key(), alive.transposition_key());
    // The last agreement counts; whole chains go.
    let d1 = point(&go, "D1");
    go.agree_dead(&[d1]).unwrap();
    assert_eq!(go.dead_stones().len(), 5);
    assert_eq!(go.board().count(Color::White), 6, "the board keeps them");
    go.agree_dead(&[]).unwrap();
    assert_eq!(go, alive);
    go.agree_dead(&[a3]).unwrap();
    assert!(go.undo_last());
    assert!(go.dead_stones().is_empty());
}

#[test]
fn dead_stones_are_prisoners_under_territory() {
    let mut go = diagram(&rules(5, 5, json!({"ruleset": "japanese", "tax": "none"})), DEAD_STONE);
    play(&mut go, "pass pass");
    assert_eq!(go.margin(), -20);
    let a3 = point(&go, "A3");
    go.agree_dead(&[a3]).unwrap();
    let [black, white] = go.score().sides;
    assert_eq!((black.territory, black.prisoners, white.territory), (5, 1, 5));
    assert_eq!(go.result().as_deref(), Some("B+1"));
}

#[test]
fn handicap_points() {
    for (set, expected) in [
        (Ruleset::Chinese, 4 * (81 - 4) - 2),
        (Ruleset::ChineseKgs, 4 * (81 - 4) - 2),
        (Ruleset::Aga, 4 * (81 - 3) - 2),
        (Ruleset::NewZealand, 4 * 81 - 2),
        (Ruleset::TrompTaylor, 4 * 81 - 2),
    ] {
        let options = Options::from_json(json!({"size": 9, "ruleset": set.name(), "handicap": 4}).as_object().unwrap());
        let go = game(&options.unwrap());
        assert_eq!(go.board().count(Color::Black), 4);
        assert_eq!(go.to_move(), Color::White);
        assert_eq!(go.margin(), expected, "{set:?}");
    }
    // One stone is no handicap.
    let options = Options::from_json(json!({"size": 9, "handicap": 1}).as_object().unwrap()).unwrap();
    let go = game(&options);
    assert_eq!((go.board().count(Color::Black), go.to_move(), options.handicap_bonus()), (0, Color::Black, 0));
}

#[test]
fn the_button_is_worth_half_a_point() {
    let new = || game(&Options::new(size(9, 9), Ruleset::AgaButton));
    let mut go = new();
    play(&mut go, "pass");
    assert_eq!((go.button(), go.passes()), (Some(Color::Black), 0));
    play(&mut go, "pass");
    assert!(!go.turn().is_terminal());
    play(&mut go, "pass");
    assert!(go.turn().is_terminal());
    assert_eq!(go.result().as_deref(), Some("W+6.5"));
    let mut go = new();
    play(&mut go, "E5 pass pass E6");
    assert_eq!(go.button(), Some(Color::White));
    play(&mut go, "pass pass");
    assert_eq!(go.margin(), -30, "no more points for one side than the other, komi 7 and the button");
    assert!(go.undo_last() && go.undo_last() && go.undo_last() && go.undo_last() && go.undo_last());
    assert_eq!((go.button(), go.passes()), (None, 0));
}

#[test]
fn result_texts() {
    for (margin, text) in [
        (14, "B+3.5"),
        (-2, "W+0.5"),
        (0, "0"),
        (1, "B+0.25"),
        (-3, "W+0.75"),
        (12, "B+3"),
        (-1444, "W+361"),
        (400, "B+100"),
    ] {
        assert_eq!(result_text(margin), text);
    }
}

#[test]
fn returns_stay_within_their_bounds() {
    for set in Ruleset::all() {
        let mut go = Go::with_ruleset(size(3, 3), set);
        play(&mut go, "B2 pass");
        let meta = go.meta();
        assert!(go.returns().as_slice().iter().all(|&r| (meta.min_return..=meta.max_return).contains(&r)));
        assert_eq!(go.returns().as_slice().iter().sum::<f64>(), 0.0);
    }
}

#[test]
fn g3_go_19_two_eyes_and_the_opponent_passed() {
    // White has everything but two eyes. It need not play: passing wins, and filling an eye would lose all.
    let text = "
        O O O O .
        O O O O O
        O O O O O
        O O O O O
        . O O O O";
    let mut go = diagram(&options(5, 5, KoRule::Positional, false), text);
    play(&mut go, "pass");
    assert_eq!(go.action_text(kiebitz_go::Move::PASS), "pass");
    let mut filled = go.clone();
    play(&mut filled, "A1 E5");
    assert_eq!(filled.margin(), 4 * 25, "Black took all");
    play(&mut go, "pass");
    assert_eq!(go.result().as_deref(), Some("W+25"));
    let alive = kiebitz_go::pass_alive(go.board(), Color::White, false);
    assert_eq!((alive.stones.len(), alive.territory.len()), (23, 2));
}

#[test]
fn scoring_names() {
    assert_eq!((Scoring::Area.name(), Tax::All.name()), ("area", "all"));
}
