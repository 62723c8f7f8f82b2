//! Writes games of a player against itself with what its search thought of every action:
//! `cargo run --release -p kiebitz-paodekuai --example selfplay -- GAMES SPEC SEED > games.jsonl` (200 games of
//! `ismcts:visits=400,playouts=heavy,c=0.35,reward=speed` with seed 1 by default).
//!
//! Each game is a record; lines of decisions have `"eval":{"visits":{…},"values":{…}}`: how often each action was tried and what
//! it was worth to the seat in the mean. Now and then a random action is played, so that positions come up that the player
//! would avoid. `examples/learn.rs` reads such files. Games are numbered from the seed; the same number is the same game.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use kiebitz_core::record::Record;
use kiebitz_core::{Budget, DynGame, Game, Luck, ManualClock, PlayerSpec, Session, Turn};
use kiebitz_paodekuai::learned::train::{Thought, note};
use kiebitz_paodekuai::{Options, PaoDeKuai, PaoDeKuaiKnowledge};
use kiebitz_search::{Context, registry};

static NO_STOP: AtomicBool = AtomicBool::new(false);
/// How often a random action is played.
const STRAY: f64 = 0.05;

/// Game `number` of the player that `spec` names against itself, as a record with what its search thought of every action.
pub fn self_play(spec: &str, number: u64) -> Record {
    let spec: PlayerSpec = spec.parse().expect("a spec");
    let built = registry::build::<PaoDeKuai, _>(&spec, &PaoDeKuaiKnowledge::default(), &[]);
    let mut player = built.unwrap_or_else(|e| panic!("{e}"));
    let clock = ManualClock::new();
    let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, number).expect("the usual game");
    let (mut thoughts, mut actions) = (Vec::new(), Vec::new());
    while session.turn() != Turn::Terminal {
        let Turn::Seat(seat) = session.turn() else {
            session.roll();
            thoughts.push(None);
            continue;
        };
        let mut luck = Luck::new(number).stream(1, thoughts.len() as u64);
        session.state().actions(&mut actions);
        let (mut action, mut thought) = (actions[0], None);
        if actions.len() > 1 {
            let seed = luck.next_u64();
            player.search.reset();
            let context = Context::new(player.budget.or(Budget::visits(400)), &clock, &NO_STOP, seed);
            let report = player.search.run(&session.seen(seat, seed), &context).expect("a report");
            let found = report.rows.iter().map(|row| Thought {
                action: row.action,
                visits: row.visits,
                value: row.utility.of(seat),
            });
            thought = Some((session.state().clone(), found.collect::<Vec<_>>()));
            action = if luck.chance(STRAY) { actions[luck.below(actions.len())] } else { report.best() };
        }
        session.play(action).expect("a legal action");
        thoughts.push(thought);
    }
    let mut record = DynGame::record(&session);
    for (line, thought) in record.lines.iter_mut().zip(thoughts) {
        if let Some((state, thoughts)) = thought {
            note(line, &state, &thoughts);
        }
    }
    record
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(200);
    let spec = arguments.next().unwrap_or_else(|| "ismcts:visits=400,playouts=heavy,c=0.35,reward=speed".to_owned());
    let first: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut out = std::io::stdout().lock();
    for number in first..first + games {
        out.write_all(self_play(&spec, number).to_text().as_bytes())?;
    }
    Ok(())
}
