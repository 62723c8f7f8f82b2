//! How fast deals, playouts and worlds are: `cargo run --release -p kiebitz-paodekuai --example playouts`.

use std::time::Instant;

use kiebitz_core::{Game, Knowledge, Rng, Scratch, Seat, Session, Turn};
use kiebitz_paodekuai::{Action, Options, PaoDeKuai, PaoDeKuaiKnowledge, Phase, PlayoutPolicy, Sampler};
use rustc_hash::FxHashMap;

/// How long each measurement takes, in seconds.
const SECONDS: f64 = 2.0;

fn uniform_deals() {
    let start = PaoDeKuai::new(3, &Options::default(), None).expect("the usual game");
    let (mut rng, mut buffer, mut none) = (Rng::new(1), Vec::new(), Vec::new());
    let (mut deals, mut moves, mut forced) = (0u64, 0u64, 0u64);
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < SECONDS {
        for _ in 0..64 {
            let mut game = start.clone();
            game.apply(game.sample(&mut rng, &mut none));
            while game.turn() != Turn::Terminal {
                game.actions(&mut buffer);
                forced += u64::from(buffer.len() == 1);
                game.apply(buffer[rng.below(buffer.len())]);
                moves += 1;
            }
            deals += 1;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "uniform classic16 deals: {:.0}/s, {:.2} moves each, {:.1} % forced",
        deals as f64 / seconds,
        moves as f64 / deals as f64,
        100.0 * forced as f64 / moves as f64
    );
}

/// Playouts from the shuffle to the scores.
fn playouts(name: &str, policy: PlayoutPolicy) {
    let knowledge = PaoDeKuaiKnowledge { policy, ..PaoDeKuaiKnowledge::default() };
    let start = PaoDeKuai::new(3, &Options::default(), None).expect("the usual game");
    let (mut rng, mut scratch, mut deals) = (Rng::new(5), Scratch::default(), 0u64);
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < SECONDS {
        for _ in 0..16 {
            std::hint::black_box(knowledge.playout(&mut start.clone(), &mut rng, &mut scratch, None));
            deals += 1;
        }
    }
    println!("{name} playouts: {:.0}/s", deals as f64 / begin.elapsed().as_secs_f64());
}

/// Positions of random games in which the seat to move has at least four proofs about the others.
fn positions() -> Vec<(Session<PaoDeKuai>, Seat)> {
    let (mut rng, mut buffer, mut found) = (Rng::new(2), Vec::new(), Vec::new());
    for seed in 0.. {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).expect("the usual game");
        session.roll();
        while let Turn::Seat(seat) = session.turn() {
            let proofs = session.belief(seat).map_or(0, |b| b.proofs().iter().filter(|p| p.seat != seat).count());
            if session.state().state().phase() == Phase::Play && proofs >= 4 && rng.below(10) == 0 {
                found.push((session.clone(), seat));
                if found.len() == 200 {
                    return found;
                }
            }
            session.state().actions(&mut buffer);
            if session.play(buffer[rng.below(buffer.len())]).is_err() {
                break;
            }
        }
    }
    found
}

fn worlds() {
    let positions = positions();
    for draws in [1, 10, 100, 1000] {
        let mut rng = Rng::new(3);
        let (mut worlds, begin) = (0u64, Instant::now());
        'time: loop {
            for (session, seat) in &positions {
                let mut world = session.state().clone();
                let mut belief = session.belief(*seat).cloned().unwrap_or_default();
                // A belief without the sampler that an earlier round built.
                belief.forget_sampler();
                for _ in 0..draws {
                    world.determinize(*seat, &belief, &mut rng);
                    worlds += 1;
                }
                if begin.elapsed().as_secs_f64() > SECONDS {
                    break 'time;
                }
            }
        }
        println!(
            "worlds with four proofs and more, {draws} a position: {:.0}/s",
            worlds as f64 / begin.elapsed().as_secs_f64()
        );
    }
    let session = Session::<PaoDeKuai>::new(3, Options::default(), None, 1).map(|mut session| {
        session.roll();
        session
    });
    let session = session.expect("the usual game");
    let (mut rng, mut count, begin) = (Rng::new(4), 0u64, Instant::now());
    let belief = session.belief(0).cloned().unwrap_or_default();
    let mut world = session.state().clone();
    while begin.elapsed().as_secs_f64() < SECONDS {
        for _ in 0..64 {
            world.determinize(0, &belief, &mut rng);
        }
        count += 64;
    }
    println!("worlds of an opening position: {:.0}/s", count as f64 / begin.elapsed().as_secs_f64());
    let mut slow = Vec::new();
    for (session, seat) in &positions {
        let begin = Instant::now();
        let state = session.state();
        let sampler = Sampler::new(state.rules(), state.state(), *seat, session.belief(*seat).expect("a seat"));
        std::hint::black_box(sampler.draw_exact(state.rules(), &mut rng));
        slow.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    slow.sort_by(f64::total_cmp);
    println!(
        "building the exact sampler: median {:.0} µs, longest {:.0} µs",
        slow[slow.len() / 2],
        slow[slow.len() - 1]
    );
}

/// What a list of legal actions costs, and what it would cost to look it up in a table that has it: the case for a cache.
fn lists() {
    let (mut rng, mut buffer, mut none, mut states) = (Rng::new(6), Vec::new(), Vec::new(), Vec::new());
    let start = PaoDeKuai::new(3, &Options::default(), None).expect("the usual game");
    while states.len() < 20_000 {
        let mut game = start.clone();
        game.apply(game.sample(&mut rng, &mut none));
        while game.turn() != Turn::Terminal {
            states.push(game.clone());
            game.actions(&mut buffer);
            game.apply(buffer[rng.below(buffer.len())]);
        }
    }
    let mut table: FxHashMap<u64, Vec<Action>> = FxHashMap::default();
    for game in &states {
        game.actions(&mut buffer);
        table.insert(game.transposition_key(), buffer.clone());
    }
    let time = |what: &mut dyn FnMut(&PaoDeKuai)| {
        let (begin, mut rounds) = (Instant::now(), 0u64);
        while begin.elapsed().as_secs_f64() < SECONDS {
            states.iter().for_each(&mut *what);
            rounds += 1;
        }
        begin.elapsed().as_secs_f64() * 1e9 / (rounds * states.len() as u64) as f64
    };
    let mut sum = 0usize;
    let made = time(&mut |game| {
        game.actions(&mut buffer);
        sum += buffer.len();
    });
    let mut found = Vec::new();
    let looked_up = time(&mut |game| {
        found.clear();
        if let Some(list) = table.get(&game.transposition_key()) {
            found.extend_from_slice(list);
        }
        sum += found.len();
    });
    let copied = time(&mut |game| {
        std::hint::black_box(*game.state());
    });
    std::hint::black_box(sum);
    println!(
        "a list of legal actions: {made:.0} ns; looked up where every key is known: {looked_up:.0} ns; a copied state: {copied:.1} ns"
    );
}

fn main() {
    lists();
    uniform_deals();
    playouts("random", PlayoutPolicy::Random);
    playouts("light", PlayoutPolicy::Light);
    playouts("heavy", PlayoutPolicy::Heavy);
    playouts("learned", PlayoutPolicy::Learned);
    worlds();
}
