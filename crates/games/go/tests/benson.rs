//! Unconditional life on composed positions and against random attacks.

mod common;

use common::{diagram, game, names, options};
use kiebitz_core::{Game, Rng};
use kiebitz_go::{Color, Go, KoRule, Move, pass_alive};

fn position(width: usize, height: usize, text: &str) -> Go {
    diagram(&options(width, height, KoRule::Positional, false), text)
}

fn counts(go: &Go, color: Color, suicide: bool) -> (usize, usize) {
    let alive = pass_alive(go.board(), color, suicide);
    assert!(alive.stones.is_sorted() && alive.territory.is_sorted());
    (alive.stones.len(), alive.territory.len())
}

#[test]
fn two_small_regions_at_the_edge() {
    let go = position(5, 5, ".....\n.....\n.....\nXXXXX\n..X..");
    let alive = pass_alive(go.board(), Color::Black, false);
    assert_eq!(alive.stones.len(), 6);
    assert_eq!(names(&go, &alive.territory), ["A1", "B1", "D1", "E1"]);
    assert_eq!(counts(&go, Color::White, false), (0, 0));
    // Without C1 there is one region below and a large one above.
    let go = position(5, 5, ".....\n.....\n.....\nXXXXX\n.....");
    assert_eq!(counts(&go, Color::Black, false), (0, 0));
}

#[test]
fn two_one_point_eyes() {
    let go = position(3, 3, "XX.\nXXX\n.XX");
    assert_eq!(counts(&go, Color::Black, false), (7, 2));
    assert_eq!(counts(&go, Color::Black, true), (7, 2));
}

#[test]
fn one_region_of_six_points() {
    let go = position(5, 4, "XXXXX\nX...X\nX...X\nXXXXX");
    assert_eq!(counts(&go, Color::Black, false), (0, 0));
}

#[test]
fn chains_that_live_by_shared_regions() {
    let go = position(5, 1, ".X.X.");
    assert_eq!(counts(&go, Color::Black, false), (2, 3));
    // In the corner one chain has a single region, and its neighbour falls with it.
    let go = position(5, 1, "X..X.");
    assert_eq!(counts(&go, Color::Black, false), (0, 0));
}

#[test]
fn an_enemy_stone_inside_with_and_without_suicide() {
    let text = "
        X X X X X X X
        X . . . X . X
        X . O . X X X
        X . . . X X X
        X X X X X X X";
    let go = position(7, 5, text);
    // Every empty point is a liberty: alive. The white stone's point is the only one not next to Black, so White is dead.
    assert_eq!(counts(&go, Color::Black, false), (25, 10));
    // Where a white chain may remove itself, C3 may become an empty point that is no liberty.
    assert_eq!(counts(&go, Color::Black, true), (0, 0));
}

#[test]
fn territory_needs_a_region_without_room() {
    // Two eyes and a third region with two inner points, where White could still live if it were larger.
    let text = "
        . X . X X X X X
        X X X X . . . X
        X X X X . . . X
        X X X X . . . X
        X X X X . . . X
        X X X X X X X X";
    let go = position(8, 6, text);
    let alive = pass_alive(go.board(), Color::Black, false);
    assert_eq!(alive.stones.len(), 34);
    assert_eq!(names(&go, &alive.territory), ["A6", "C6"], "the room of twelve has two inner points");
}

#[test]
fn empty_boards_and_lone_stones() {
    let go = position(3, 3, "...\n...\n...");
    for color in Color::ALL {
        assert_eq!(counts(&go, color, false), (0, 0));
    }
    let go = position(3, 3, "...\n.X.\n...");
    assert_eq!(counts(&go, Color::Black, false), (0, 0));
}

/// In random positions, whatever the enemy plays while the owner always passes, pass-alive stones stay and the enemy never
/// gets two-eyed life in pass-alive territory.
#[test]
fn random_attacks_never_capture() {
    let mut rng = Rng::new(6);
    let mut actions = Vec::new();
    let mut tested = 0;
    for round in 0..3000 {
        let suicide = round % 2 == 0;
        let (width, height) = [(4, 4), (5, 3), (5, 5), (6, 2)][rng.below(4)];
        let mut go = game(&options(width, height, KoRule::Simple, suicide));
        for _ in 0..rng.below(3 * width * height) {
            if go.turn().is_terminal() {
                break;
            }
            go.actions(&mut actions);
            go.apply(actions[rng.below(actions.len())]);
        }
        go.resume();
        for color in Color::ALL {
            let alive = pass_alive(go.board(), color, suicide);
            if alive.stones.is_empty() {
                continue;
            }
            tested += 1;
            for _ in 0..5 {
                let mut attack = go.clone();
                for _ in 0..60 {
                    attack.set_to_move(color.opponent());
                    attack.actions(&mut actions);
                    if actions.is_empty() {
                        break;
                    }
                    let action = actions[rng.below(actions.len())];
                    if action == Move::PASS {
                        continue;
                    }
                    attack.apply(action);
                    for &stone in &alive.stones {
                        assert_eq!(attack.board().stone(stone), Some(color), "{go:?}\n{attack:?}");
                    }
                }
                // The enemy's own unconditional life never touches the territory.
                let enemy = pass_alive(attack.board(), color.opponent(), suicide);
                assert!(alive.territory.iter().all(|p| enemy.stones.binary_search(p).is_err()), "{go:?}\n{attack:?}");
            }
        }
    }
    assert!(tested > 300, "{tested}");
}
