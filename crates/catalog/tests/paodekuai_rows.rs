//! Rows of the requirements of Pao De Kuai (PD-…) and of its regressions (P…) that need the game, its knowledge and the searches
//! together.

use std::sync::atomic::AtomicBool;

use kiebitz_catalog::game;
use kiebitz_core::record::Header;
use kiebitz_core::{Budget, DynGame, DynPlayer, Game, GameType, ManualClock, Notation, Rng, Session, Thinking, Turn};
use kiebitz_paodekuai::{Action, PaoDeKuai, PaoDeKuaiKnowledge, Phase};
use kiebitz_search::{Context, Ismcts, IsmctsConfig, Observers, Parallel, Report, Search};
use serde_json::{Value, json};

static NO_STOP: AtomicBool = AtomicBool::new(false);

fn deal(rules: Value, seed: u64) -> Session<PaoDeKuai> {
    let header = Header::new("paodekuai", 3, rules.as_object().unwrap().clone());
    GameType::session(&header, seed).unwrap()
}

fn position(setup: Value) -> Session<PaoDeKuai> {
    let mut header = Header::new("paodekuai", 3, Default::default());
    header.set("setup", setup);
    GameType::session(&header, 0).unwrap()
}

fn player(spec: &str) -> Box<dyn DynPlayer> {
    game("paodekuai").unwrap().player(&spec.parse().unwrap()).unwrap_or_else(|e| panic!("{spec}: {e}"))
}

fn run(config: IsmctsConfig, session: &Session<PaoDeKuai>, visits: u64, seed: u64) -> Report<PaoDeKuai> {
    search(&mut Ismcts::new(config, PaoDeKuaiKnowledge::default()), session, visits, seed)
}

fn search(
    search: &mut Ismcts<PaoDeKuai, PaoDeKuaiKnowledge>,
    session: &Session<PaoDeKuai>,
    visits: u64,
    seed: u64,
) -> Report<PaoDeKuai> {
    let seat = session.turn().seat().unwrap();
    let clock = ManualClock::new();
    search.run(&session.seen(seat, seed), &Context::new(Budget::visits(visits), &clock, &NO_STOP, seed)).unwrap()
}

/// Positions in which the seat to move has a choice, from deals that are played at random.
fn choices(number: usize, seed: u64) -> Vec<Session<PaoDeKuai>> {
    let (mut rng, mut buffer, mut found) = (Rng::new(seed), Vec::new(), Vec::new());
    for seed in 0.. {
        let mut session = deal(json!({}), seed);
        loop {
            match session.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => {
                    session.roll().unwrap();
                }
                Turn::Seat(_) => {
                    session.state().actions(&mut buffer);
                    if buffer.len() > 1 && rng.below(6) == 0 {
                        found.push(session.clone());
                        if found.len() == number {
                            return found;
                        }
                    }
                    session.play(buffer[rng.below(buffer.len())]).unwrap();
                }
            }
        }
    }
    found
}

/// Plays a deal; answers who was first out.
fn winner(players: &mut [Box<dyn DynPlayer>], seed: u64) -> u8 {
    let mut session = deal(json!({}), seed);
    let clock = ManualClock::new();
    players.iter_mut().for_each(|player| player.reset());
    loop {
        match session.turn() {
            Turn::Terminal => return session.state().state().winner().unwrap(),
            Turn::Chance(_) => {
                session.roll().unwrap();
            }
            Turn::Seat(seat) => {
                let luck = seed * 1_000 + DynGame::steps(&session) as u64;
                let thinking = Thinking::new(Budget::visits(50), &clock, &NO_STOP, luck);
                let analysis = players[usize::from(seat)].analyze(&session, &thinking).unwrap();
                DynGame::play(&mut session, &analysis.candidates[0].action).unwrap();
            }
        }
    }
}

/// How often `one` is first out in `blocks` deals, played once with it in every seat and `other` in the rest.
fn wins(one: &str, other: &str, blocks: u64) -> usize {
    let mut wins = 0;
    for seat in 0..3u8 {
        let mut players: Vec<_> = (0..3).map(|place| player(if place == seat { one } else { other })).collect();
        wins += (0..blocks).filter(|&seed| winner(&mut players, seed) == seat).count();
    }
    wins
}

/// The formula at the root asks nothing of a parent: one visit and more are possible, and every count is what it should be.
#[test]
fn p3_pd_23_pd_30_one_visit_at_the_root() {
    for session in choices(6, 1) {
        let mut legal = Vec::new();
        session.state().actions(&mut legal);
        for visits in [1, 2, 3, 50] {
            let report = run(IsmctsConfig { early: false, ..IsmctsConfig::default() }, &session, visits, 4);
            assert_eq!((report.visits, report.rows.iter().map(|row| row.visits).sum::<u64>()), (visits, visits));
            assert!(report.rows.iter().all(|row| legal.contains(&row.action)));
            // The most visited one is chosen.
            assert!(report.rows.iter().all(|row| row.visits <= report.rows[0].visits));
            assert!(report.rows[0].utility.as_slice().iter().all(|mean| (0.0..=1.0).contains(mean)));
        }
    }
}

/// Sums that threads share lose nothing: the visits of the children are those of the root, and means stay means.
#[test]
fn p6_pd_28_pd_29_threads_lose_no_update() {
    for session in choices(4, 2) {
        for (threads, parallel) in
            [(1, Parallel::Root), (2, Parallel::Root), (4, Parallel::Root), (2, Parallel::Tree), (4, Parallel::Tree)]
        {
            let config = IsmctsConfig { threads, parallel, early: false, ..IsmctsConfig::default() };
            let mut tree = Ismcts::new(config, PaoDeKuaiKnowledge::default());
            let report = search(&mut tree, &session, 2_000, 3);
            assert_eq!(report.rows.iter().map(|row| row.visits).sum::<u64>(), report.visits);
            assert_eq!(report.visits, 2_000);
            for branch in tree.branches(&[]) {
                let row = report.rows.iter().find(|row| row.action == branch.action);
                let (visits, mean) = row.map_or((0, 0.0), |row| (row.visits, row.utility.of(report.seat)));
                assert_eq!(branch.visits, visits, "{threads} threads, {parallel:?}");
                assert!((branch.mean - mean).abs() < 1e-9, "{threads} threads, {parallel:?}");
            }
            if parallel == Parallel::Root {
                assert_eq!(report, run(config, &session, 2_000, 3), "{threads} threads do the same again");
            }
        }
    }
}

/// An answer that is seldom possible is judged by how often it was possible, not by how often its parent was visited: on the ace
/// seat 1 plays the two in the two of 46 worlds in which it has it, and passes in all others.
#[test]
fn p7_pd_07_pd_13_pd_14_availability_counts() {
    let session = position(json!({"hands": ["3A", "?2", "?2"], "to_move": 0}));
    let mut tree = Ismcts::new(IsmctsConfig { early: false, ..IsmctsConfig::default() }, PaoDeKuaiKnowledge::default());
    let report = search(&mut tree, &session, 6_000, 5);
    assert_eq!(report.rows.len(), 2);
    for row in &report.rows {
        assert_eq!(row.availability, report.visits, "the own actions are legal in every world");
        let branches = tree.branches(&[row.action]);
        assert!(branches.iter().all(|branch| branch.visits <= branch.availability), "{branches:?}");
        assert_eq!(branches.iter().map(|branch| branch.visits).sum::<u64>(), row.visits - 1);
        if row.action != session.state().parse_action("A").unwrap() {
            assert!(branches.len() > 10, "every card above the three is an answer");
            continue;
        }
        assert_eq!(branches.len(), 2);
        // Never both in one world: availability and visits are the same.
        assert!(branches.iter().all(|branch| branch.visits == branch.availability));
        let (n, p) = ((row.visits - 1) as f64, 2.0 / 46.0);
        let two = branches.iter().find(|branch| branch.action != Action::PASS).unwrap();
        let missing = (n * p - two.availability as f64).abs();
        assert!(missing < 4.0 * (n * p * (1.0 - p)).sqrt() + 2.0, "{two:?} of {n}");
    }
}

/// Section 9.2: what is hidden from a seat changes neither the report of a search nor what its rows say.
#[test]
fn no_peeking_by_searches() {
    let mut rng = Rng::new(9);
    for (number, session) in choices(30, 3).into_iter().enumerate() {
        let Turn::Seat(seat) = session.turn() else { panic!("a seat moves") };
        assert_eq!(session.state().state().phase(), Phase::Play);
        let belief = session.belief(seat).unwrap();
        let mut other = session.state().clone();
        other.determinize(seat, belief, &mut rng);
        for observers in [Observers::Single, Observers::Multiple, Observers::Redeterminize] {
            let reports = [session.state(), &other].map(|state| {
                let seen = kiebitz_core::Seen::new(state, seat, belief, &mut Rng::new(7));
                let clock = ManualClock::new();
                let context = Context::new(Budget::visits(100), &clock, &NO_STOP, number as u64);
                let config = IsmctsConfig { observers, ..IsmctsConfig::default() };
                Ismcts::new(config, PaoDeKuaiKnowledge::default()).run(&seen, &context).unwrap()
            });
            assert_eq!(reports[0], reports[1], "{observers:?}");
        }
    }
}

/// The published weight is the default; the others that are asked for can be set.
#[test]
fn pd_15_exploration() {
    assert_eq!(IsmctsConfig::default().c, 0.7);
    for c in ["0.5", "0.7", "1.0", "1.5", "1.4142135623730951"] {
        player(&format!("ismcts:visits=10,c={c}"));
    }
}

/// Every policy can be chosen for playouts, and plays alone.
#[test]
fn pd_16_pd_17_pd_20_policies_by_name() {
    let session = position(json!({"hands": ["3556", "89", "TT"], "to_move": 0}));
    let clock = ManualClock::new();
    for playouts in ["light", "heavy", "random"] {
        for spec in [format!("policy:playouts={playouts}"), format!("ismcts:visits=50,playouts={playouts}")] {
            let analysis =
                player(&spec).analyze(&session, &Thinking::new(Budget::visits(50), &clock, &NO_STOP, 1)).unwrap();
            let action = session.state().parse_action(&analysis.candidates[0].action).unwrap();
            assert!(session.state().is_legal(action) && action != Action::PASS, "{spec}");
            if spec == "policy:playouts=light" {
                assert_eq!(analysis.candidates[0].action, "3");
            }
        }
    }
    assert!(game("paodekuai").unwrap().player(&"policy:playouts=best".parse().unwrap()).is_err());
}

/// Of three, one in three wins by chance. The seeds are fixed; equal players would win 105 or more of 240 with probability
/// 0.0005.
#[test]
fn pd_08_pd_36_every_step_of_the_ladder_beats_the_one_below() {
    for (stronger, weaker) in
        [("policy:playouts=light", "random"), ("policy:playouts=heavy", "random"), ("ismcts:visits=200", "policy")]
    {
        let wins = wins(stronger, weaker, 80);
        assert!(wins >= 105, "{stronger} was first out in {wins} of 240 against {weaker}");
    }
}

/// The player explains with the evidence its spec names: the belief table and the hints tell the model and the effective sample
/// size, and a player without such evidence tells none.
#[test]
fn explanations_use_the_evidence_of_the_search() {
    let clock = ManualClock::new();
    let (mut told, mut hinted) = (0, 0);
    for (number, session) in choices(12, 11).iter().enumerate() {
        let look = |spec: &str| {
            let mut thinking = Thinking::new(Budget::visits(30), &clock, &NO_STOP, number as u64);
            thinking.reasons = 3;
            player(spec).analyze(session, &thinking).unwrap()
        };
        let hints = |analysis: &kiebitz_core::Analysis| -> Vec<kiebitz_core::Reason> {
            let all = analysis.candidates.iter().flat_map(|candidate| &candidate.reasons);
            all.filter(|reason| reason.code == "paodekuai.beaten").cloned().collect()
        };
        let analysis = look("ismcts:visits=30,evidence=rule,beta=1,worlds=40");
        // Before the others have played there is nothing to weigh.
        let Some(evidence) = analysis.details.get("evidence") else { continue };
        told += 1;
        let (ess, worlds) = (evidence["ess"].as_f64().unwrap(), analysis.details["worlds"].as_f64().unwrap());
        assert!((1.0 - 1e-9..=worlds + 1e-9).contains(&ess) && worlds <= 40.0, "{ess} of {worlds}");
        assert_eq!(evidence["model"], "rule");
        for hint in hints(&analysis) {
            hinted += 1;
            assert!(hint.number("worlds") <= 40.0 && (1.0 - 1e-9..=40.0).contains(&hint.number("ess")), "{hint:?}");
        }
        let plain = look("ismcts:visits=30");
        assert!(!plain.details.contains_key("evidence"));
        assert!(hints(&plain).iter().all(|hint| !hint.numbers.contains_key("ess")));
        // The policy alone explains by its spec too.
        assert_eq!(look("policy:evidence=memory,worlds=9").details["evidence"]["model"], "memory");
    }
    assert!(told >= 6 && hinted > 0, "{told} positions, {hinted} hints");
}
