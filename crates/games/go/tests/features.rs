//! The move prior: what it sees, that it does not depend on how the board lies, and that strengths can be learned.

mod common;

use common::{mv, size};
use kiebitz_core::{Game, Knowledge, PlayerSpec, Rng, Settings};
use kiebitz_go::features::Gammas;
use kiebitz_go::features::fit::Examples;
use kiebitz_go::{Color, Go, GoKnowledge, Move, Ruleset, Setup, Size};

fn knowledge(spec: &str) -> GoKnowledge {
    let spec: PlayerSpec = spec.parse().unwrap();
    GoKnowledge::default().read(&mut Settings::new(&spec)).unwrap()
}

/// The prior of every legal move.
fn priors(go: &Go, knowledge: &GoKnowledge) -> Vec<(Move, f32)> {
    let mut actions = Vec::new();
    go.actions(&mut actions);
    let mut out = vec![0.0; actions.len()];
    knowledge.prior(go, &actions, &mut out);
    actions.into_iter().zip(out).collect()
}

fn prior(go: &Go, knowledge: &GoKnowledge, text: &str) -> f32 {
    let wanted = mv(go, text);
    priors(go, knowledge).into_iter().find(|(m, _)| *m == wanted).unwrap().1
}

/// Black to move; rows from the top.
fn position(rows: &[&str]) -> Go {
    let size = Size::new(rows[0].len(), rows.len()).unwrap();
    let mut setup = Setup { to_move: Some(Color::Black), ..Setup::default() };
    for (i, row) in rows.iter().rev().enumerate() {
        for (j, c) in row.chars().enumerate() {
            match c {
                'X' => setup.black.push(size.point(j, i).unwrap()),
                'O' => setup.white.push(size.point(j, i).unwrap()),
                _ => {}
            }
        }
    }
    let mut go = Go::with_ruleset(size, Ruleset::Chinese);
    go.set_stones(&setup).unwrap();
    go
}

#[test]
fn priors_are_probabilities_on_every_board() {
    let mut rng = Rng::new(4);
    for (width, height) in [(1, 1), (1, 7), (2, 2), (5, 5), (9, 9), (13, 4), (19, 19), (25, 25)] {
        let mut go = Go::with_ruleset(size(width, height), Ruleset::TrompTaylor);
        for _ in 0..200 {
            if go.turn().is_terminal() {
                break;
            }
            for spec in ["uct", "uct:prior-gammas=hand", "uct:prior-ladder=on,prior-short=on", "uct:prior-pattern=off"]
            {
                let priors = priors(&go, &knowledge(spec));
                let sum: f32 = priors.iter().map(|p| p.1).sum();
                assert!((sum - 1.0).abs() < 1e-3, "{spec} {width}x{height}: {sum}");
                assert!(priors.iter().all(|p| p.1 > 0.0), "{spec} {go:?}");
            }
            let priors = priors(&go, &knowledge("uct"));
            go.apply(priors[rng.below(priors.len())].0);
        }
    }
}

/// Turned, mirrored and with colours exchanged, a game has the same priors.
#[test]
fn priors_do_not_depend_on_how_the_board_lies() {
    let size = size(9, 9);
    let turn = |m: Move| m.point().map_or(Move::PASS, |p| size.point(8 - p.row(size), p.column(size)).unwrap().into());
    let mirror =
        |m: Move| m.point().map_or(Move::PASS, |p| size.point(8 - p.column(size), p.row(size)).unwrap().into());
    let knowledge = knowledge("uct:prior-ladder=on,prior-short=on");
    let mut rng = Rng::new(12);
    let mut compared = 0;
    for _ in 0..6 {
        let mut games = [0; 3].map(|_| Go::with_ruleset(size, Ruleset::Chinese));
        // The third one starts with White.
        games[2].set_to_move(Color::White);
        for _ in 0..70 {
            let of = games.each_ref().map(|go| priors(go, &knowledge));
            for &(m, p) in &of[0] {
                for (of, m) in of[1..].iter().zip([turn(m), mirror(m)]) {
                    let q = of.iter().find(|(o, _)| *o == m).expect("the move is legal there too").1;
                    assert!((p - q).abs() <= 1e-4 * p.max(q), "{p} {q} {:?}", games[0]);
                    compared += 1;
                }
            }
            let (played, _) = of[0][rng.below(of[0].len() - 1)];
            games[0].apply(played);
            games[1].apply(turn(played));
            games[2].apply(mirror(played));
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn ladders_decide_what_is_worth_saving() {
    // Black's stone on D7 has one liberty, E7: running there ends in a ladder to the lower right, unless black stones wait there.
    let mut rows = [".........", "...OO....", "..OX.....", "...O....."].to_vec();
    rows.resize(9, ".........");
    let caught = position(&rows);
    rows[5] = "......X..";
    rows[6] = "......X..";
    let free = position(&rows);
    let learned = knowledge("uct:prior-border=off,prior-pattern=off,prior-ladder=on");
    let blind = knowledge("uct:prior-border=off,prior-pattern=off");
    assert_eq!(caught.board().liberties(common::point(&caught, "D7")).len(), 1);
    let relative = |go: &Go, k: &GoKnowledge| prior(go, k, "E7") / prior(go, k, "A1");
    assert!(
        relative(&free, &learned) > 5.0 * relative(&caught, &learned),
        "{} {}",
        relative(&free, &learned),
        relative(&caught, &learned)
    );
    assert!(relative(&caught, &blind) > relative(&caught, &learned));
}

#[test]
fn captures_and_saved_stones_come_first() {
    let best = |go: &Go| {
        let mut priors = priors(go, &knowledge("uct"));
        priors.sort_by(|a, b| b.1.total_cmp(&a.1));
        priors[0].0.text(go.size()).to_string()
    };
    let go = position(&[".......", "...X...", "..XO...", "...X...", ".......", ".......", "......."]);
    assert_eq!(best(&go), "E5");
    // Filling an own eye is far weaker than most.
    let eye = position(&[".X.X.", "XXXX.", "OOOO.", "....."]);
    let (own_eye, all) = (prior(&eye, &knowledge("uct"), "A4"), priors(&eye, &knowledge("uct")));
    assert!(own_eye < 0.2 / all.len() as f32, "{own_eye} among {}", all.len());
}

/// Games whose moves are drawn in proportion to the built-in strengths are predicted by what is learned from them nearly as well
/// as by those strengths, and much better than by chance.
#[test]
fn strengths_are_learned_from_games() {
    let knowledge = knowledge("uct");
    let mut rng = Rng::new(3);
    let mut sets = [Examples::new(), Examples::new()];
    for game in 0..60 {
        let mut go = Go::with_ruleset(size(7, 7), Ruleset::Chinese);
        for _ in 0..40 {
            let priors = priors(&go, &knowledge);
            let mut left = rng.unit() as f32;
            let played = priors.iter().find(|(_, p)| {
                left -= p;
                left < 0.0
            });
            let Some(&(mv, _)) = played else { break };
            sets[usize::from(game % 4 == 0)].add(&go, mv);
            go.apply(mv);
            if go.turn().is_terminal() {
                break;
            }
        }
    }
    let [training, held_out] = sets;
    assert!(training.len() > 1000 && !held_out.is_empty());
    let learned = training.fit(20);
    let (found, ideal, none) =
        (held_out.test(&learned), held_out.test(Gammas::built_in()), held_out.test(&Gammas::equal()));
    assert!((none.log_likelihood - none.uniform).abs() < 1e-6, "equal strengths are chance");
    assert!(found.log_likelihood > none.uniform + 0.5, "{found:?}");
    assert!(found.log_likelihood > ideal.log_likelihood - 0.4, "{found:?} {ideal:?}");
    assert!(found.top5 > found.top1 && found.top1 > none.top1);
    assert_eq!(training.fit(20), learned, "learning has no randomness");
    // What is written is what is read.
    let text = learned.text(&["a comment".to_owned()]);
    let read = Gammas::parse(&text).unwrap();
    assert_eq!(read.text(&["a comment".to_owned()]), text);
}

#[test]
fn strengths_that_cannot_be_read_are_refused() {
    for (text, code, words) in [
        ("", "go_gammas_header", "kiebitz-go-gammas 1"),
        ("kiebitz-go-gammas 2\n", "go_gammas_header", "kiebitz-go-gammas 1"),
        ("kiebitz-go-gammas 1\nlast 2\n", "go_gammas_line", "line 2"),
        ("kiebitz-go-gammas 1\n# note\nlast 99 2.0\n", "go_gammas_line", "no level '99' of a group 'last'"),
        ("kiebitz-go-gammas 1\nlast 2 nan\n", "go_gammas_line", "'nan' is no strength"),
        ("kiebitz-go-gammas 1\nlast 2 -1\n", "go_gammas_line", "'-1' is no strength"),
        ("kiebitz-go-gammas 1\npattern XX 2.0\n", "go_gammas_line", "'XX' is no pattern"),
        ("kiebitz-go-gammas 1\npattern ####*#### 2.0\n", "go_gammas_line", "is no pattern"),
    ] {
        let error = Gammas::parse(text).unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(Gammas::parse("kiebitz-go-gammas 1\n\n# nothing\n").unwrap(), Gammas::equal());
    assert_ne!(*Gammas::built_in(), Gammas::equal(), "the built-in file can be read");
}
