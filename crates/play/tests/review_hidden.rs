//! A review judges a move by what its player knew then, not by what the others held.

#[path = "../../games/paodekuai/tests/common/mod.rs"]
mod cards;

use std::sync::atomic::AtomicBool;

use cards::random_step;
use cards::retold::retold;
use kiebitz_core::record::Record;
use kiebitz_core::{Budget, DynGame, Game, ManualClock, Rng, Seat, Session, Thinking, Turn};
use kiebitz_paodekuai::{Options, PaoDeKuai, Phase};
use kiebitz_play::review::{MoveReview, ReviewOptions, review};

/// What a review says of the moves of one seat.
fn moves_of(session: &Session<PaoDeKuai>, seat: Seat, spec: &str) -> Vec<MoveReview> {
    let (clock, stop) = (ManualClock::new(), AtomicBool::new(false));
    let mut player =
        kiebitz_catalog::game("paodekuai").expect("a game").player(&spec.parse().expect("a spec")).expect("a player");
    let read = Record::read(DynGame::record(session).to_text().as_bytes()).expect("a record");
    let thinking = Thinking::new(Budget::visits(60), &clock, &stop, 5);
    let options = ReviewOptions { worst: 0, ..ReviewOptions::default() };
    let found = review(&read, player.as_mut(), &thinking, &options, |_| {}).expect("a review");
    found.moves.into_iter().filter(|entry| entry.seat == seat).collect()
}

/// Everything that a seat cannot see is replaced by another possible world: what is said of its own moves stays the same. They are
/// random moves, so that most of them are no favourites of the search and are looked at on their own.
#[test]
fn a_review_does_not_peek() {
    let (mut rng, mut buffer) = (Rng::new(41), Vec::new());
    let (mut games, mut changed, mut judged, mut mistakes) = (0, 0, 0, 0);
    for seed in 0.. {
        let mut session = Session::<PaoDeKuai>::new(3, Options::default(), None, seed).expect("a game");
        for _ in 0..20 {
            random_step(&mut session, &mut rng, &mut buffer);
        }
        let (Turn::Seat(_), Phase::Play) = (session.turn(), session.state().state().phase()) else { continue };
        let seat = (seed % 3) as Seat;
        let mut world = session.state().clone();
        world.determinize(seat, session.belief(seat).expect("a seat"), &mut rng);
        let Some(other) = retold(&session, &world, seat) else { continue };
        changed += usize::from(other.state() != session.state());
        for spec in ["ismcts:visits=60", "ismcts:visits=60,observers=multiple,early=off"] {
            let found = moves_of(&session, seat, spec);
            assert_eq!(found, moves_of(&other, seat, spec), "{spec}");
            judged += found.iter().filter(|entry| entry.action != entry.best && entry.loss().is_some()).count();
            mistakes += found.iter().filter(|entry| entry.mistake).count();
        }
        games += 1;
        if games == 12 {
            break;
        }
    }
    println!("{games} games, {changed} in another world, {judged} other moves judged, {mistakes} mistakes");
    assert!(changed > 8 && judged > 20 && mistakes > 0, "{changed}, {judged}, {mistakes}");
}
