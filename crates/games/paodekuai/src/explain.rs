//! Why a play is good or bad, in the game's own terms, and what a seat knows of the others' hands (section 15). Computed from what
//! the seat knows.

use kiebitz_core::{Game, Reason, Rng, Seat, Seen, Turn};
use serde_json::{Map, Value, json};

use crate::action::Action;
use crate::belief::Evidence;
use crate::cards::{Cards, RANK_LETTERS, RANKS};
use crate::game::PaoDeKuai;
use crate::heavy::unseen_by;
use crate::plan::{MinPlays, Rival, might_be_beaten};
use crate::proof::{ProofEffort, proven_win};
use crate::reading::{Class, Reading};
use crate::rules::Rules;
use crate::sampler::FEW_WORLDS;
use crate::soft::{SoftEvidence, weigh};
use crate::state::MAX_SEATS;

/// Worlds drawn for a table.
const WORLDS: u32 = 100;
/// Worlds drawn for a chance where they are too many to be listed.
const CHANCE_WORLDS: u32 = 400;
/// Plays looked at to count the plays a hand needs: enough for every hand of the usual decks.
const PLAYS_LOOKED_AT: u64 = 2_000_000;

/// The fewest plays that empty the hand before and after the play; `None` where that would take too long to find.
fn plays_left(rules: &Rules, hand: Cards, play: Cards) -> Option<[(&'static str, f64); 2]> {
    let mut table = MinPlays::new(rules);
    let before = table.within(hand, PLAYS_LOOKED_AT)?;
    let after = table.within(hand.minus(play), PLAYS_LOOKED_AT)?;
    Some([("before", f64::from(before)), ("after", f64::from(after))])
}

/// A chance and its standard error from `hits` in a sample of `size`, both perhaps weighted: as if one more had hit and one more
/// had not, for a sample proves neither that something is sure nor that it is impossible.
fn sampled(hits: f64, size: f64) -> [(&'static str, f64); 2] {
    let chance = (hits + 1.0) / (size + 2.0);
    [("chance", chance), ("error", libm::sqrt(chance * (1.0 - chance) / (size + 3.0)))]
}

/// The numbers of how likely one of the seats that may still play in this trick can beat the play; `None` when none of them can in
/// any possible world.
fn beaten(
    seen: &Seen<PaoDeKuai>,
    reading: &Reading,
    soft: Option<&SoftEvidence>,
    rng: &mut Rng,
) -> Option<Vec<(&'static str, f64)>> {
    let game = seen.sample_world();
    let seat = seen.seat();
    let (rules, state) = (game.rules(), game.state());
    let sampler = seen.belief().sampler(rules, state, seat);
    let answering: Vec<Seat> = state.answering(rules, seat).collect();
    let rivals: Vec<Rival> = answering.iter().map(|&other| sampler.rival(rules, state, other)).collect();
    if !might_be_beaten(rules, &rivals, reading) {
        return None;
    }
    let beats =
        |hands: &[Cards; MAX_SEATS]| answering.iter().any(|&other| rules.can_beat(hands[usize::from(other)], reading));
    // Nothing is proven by an empty list: the position contradicts itself.
    let listed = sampler.few_of(rules, &answering, FEW_WORLDS).filter(|worlds| !worlds.is_empty());
    if listed.as_ref().is_some_and(|worlds| !worlds.iter().any(|(world, _)| beats(&world.hands))) {
        return None;
    }
    if let Some(weighted) = soft.and_then(|soft| weigh(rules, state, seat, seen.belief(), soft, rng)) {
        let all = weighted.worlds.iter().zip(&weighted.weights);
        let beaten: f64 = all.filter(|(world, _)| beats(&world.hands)).map(|(_, weight)| weight).sum();
        let mut numbers = match weighted.complete {
            // Weights sum to 1 up to the last bits.
            true => vec![("chance", beaten.clamp(0.0, 1.0))],
            false => sampled(beaten.clamp(0.0, 1.0) * weighted.ess, weighted.ess).to_vec(),
        };
        numbers.extend([("worlds", weighted.worlds.len() as f64), ("ess", weighted.ess)]);
        return Some(numbers);
    }
    if let Some(worlds) = listed {
        let beaten: f64 = worlds.iter().filter(|(world, _)| beats(&world.hands)).map(|(_, weight)| weight).sum();
        return Some(vec![("chance", beaten.clamp(0.0, 1.0))]);
    }
    let mut world = game.clone();
    let mut hits = 0;
    for _ in 0..CHANCE_WORLDS {
        seen.draw_into(&mut world, rng);
        let held = |&other: &Seat| world.state().hand(other);
        let beats = |other: &Seat| held(other).is_some_and(|hand| rules.can_beat(hand, reading));
        hits += u32::from(answering.iter().any(beats));
    }
    Some(sampled(f64::from(hits), f64::from(CHANCE_WORLDS)).to_vec())
}

/// The reasons for and against an action of the seat to move, the weightiest first:
///
/// * `paodekuai.proven_win`: subject the action; one way to go on is first out in all `worlds` that are possible;
/// * `paodekuai.sure_win`: subject the plays in order; nobody can beat any but the last; where others are out already, the `place`
///   that this is sure of (2 for the second);
/// * `paodekuai.out`: the play empties the hand;
/// * `paodekuai.nothing_beats`: subject the trick; passing is all there is;
/// * `paodekuai.unbeatable`: subject the play; no hand that the seat holds possible beats it in this trick;
/// * `paodekuai.beaten`: subject the play; `chance` that some other hand can beat it in this trick; with its standard `error`
///   where it is from a sample of worlds; with soft evidence the chance is that of the weighted worlds, with their number
///   (`worlds`) and effective sample size (`ess`);
/// * `paodekuai.plays_left`: subject the play; the fewest plays that empty the hand `before` and `after`, exactly; left out where
///   they would take too long to find;
/// * `paodekuai.highest_single`: subject the play; a single must be the highest now, the next seat has one card.
pub(crate) fn reasons(
    seen: &Seen<PaoDeKuai>,
    action: Action,
    soft: Option<&SoftEvidence>,
    rng: &mut Rng,
) -> Vec<Reason> {
    let game = seen.sample_world();
    let seat = seen.seat();
    let (rules, state) = (game.rules(), game.state());
    let mut reasons = Vec::new();
    let Some(hand) = state.hand(seat).filter(|_| game.turn() == Turn::Seat(seat)) else { return reasons };
    let situation = state.situation(rules);
    let none = std::iter::empty::<(&'static str, f64)>;
    let cards = action.cards();
    let text = if action.is_pass() { "pass".to_owned() } else { cards.to_string() };
    if !action.is_pass() && cards == hand {
        reasons.push(Reason::new("paodekuai.out", [text], none()));
        return reasons;
    }
    let trick = state.trick().filter(|(_, trick, _)| action.is_pass() && !rules.can_beat(hand, trick));
    if let Some((play, ..)) = trick {
        reasons.push(Reason::new("paodekuai.nothing_beats", [play.to_string()], none()));
        return reasons;
    }
    if let Some(proof) = proven_win(seen, action, &ProofEffort::default()) {
        reasons.push(if proof.line.is_empty() {
            Reason::new("paodekuai.proven_win", [text.clone()], [("worlds", proof.worlds as f64)])
        } else {
            let place = 1 + state.finishing_order().count();
            let place = (place > 1).then_some(("place", place as f64));
            Reason::new("paodekuai.sure_win", proof.line.iter().map(Cards::to_string), place)
        });
    }
    let Some(reading) = state.read(rules, cards).filter(|_| !action.is_pass()) else { return reasons };
    reasons.push(match beaten(seen, &reading, soft, rng) {
        None => Reason::new("paodekuai.unbeatable", [text.clone()], none()),
        Some(numbers) => Reason::new("paodekuai.beaten", [text.clone()], numbers),
    });
    if let Some(numbers) = plays_left(rules, hand, cards) {
        reasons.push(Reason::new("paodekuai.plays_left", [text.clone()], numbers));
    }
    if situation.highest_single && reading.class == Class::Single {
        reasons.push(Reason::new("paodekuai.highest_single", [text], none()));
    }
    reasons
}

/// What the seat knows of the others: `unseen` (the cards that are neither its own nor played), `proofs` (seat, what it passed on
/// or played, in which trick), and for each other seat by rank the chance that it `holds` one and how many are `expected`.
///
/// With soft evidence the chances are those of the weighted worlds, and `evidence` tells the `model`, the exponent `beta` that was
/// used, and `ess`, the effective sample size.
pub(crate) fn details(seen: &Seen<PaoDeKuai>, soft: Option<&SoftEvidence>, rng: &mut Rng) -> Map<String, Value> {
    let game = seen.sample_world();
    let seat = seen.seat();
    let (rules, state) = (game.rules(), game.state());
    let mut details = Map::new();
    if !matches!(game.turn(), Turn::Seat(_)) {
        return details;
    }
    let others: Vec<Seat> = (0..rules.players()).filter(|&other| other != seat && !state.is_out(other)).collect();
    let weighted = soft.and_then(|soft| Some((soft, weigh(rules, state, seat, seen.belief(), soft, rng)?)));
    let mut holds = vec![[0.0; RANKS]; usize::from(rules.players())];
    let mut expected = holds.clone();
    let mut count = |other: Seat, hand: Cards, weight: f64| {
        for (rank, &count) in hand.counts().iter().enumerate() {
            holds[usize::from(other)][rank] += weight * f64::from(u8::from(count > 0));
            expected[usize::from(other)][rank] += weight * f64::from(count);
        }
    };
    if let Some((_, weighted)) = &weighted {
        for (world, &weight) in weighted.worlds.iter().zip(&weighted.weights) {
            others.iter().for_each(|&other| count(other, world.hands[usize::from(other)], weight));
        }
    } else {
        let mut world = game.clone();
        for _ in 0..WORLDS {
            seen.draw_into(&mut world, rng);
            for &other in &others {
                count(other, world.state().hand(other).unwrap_or_default(), 1.0);
            }
        }
    }
    let total = if weighted.is_some() { 1.0 } else { f64::from(WORLDS) };
    let table = |sums: &[f64; RANKS]| -> Map<String, Value> {
        RANK_LETTERS.iter().zip(sums).map(|(letter, &sum)| (letter.to_string(), json!(sum / total))).collect()
    };
    let hands: Vec<Value> = others
        .iter()
        .map(|&other| {
            let place = usize::from(other);
            json!({"seat": other, "cards": state.hand_len(other), "holds": table(&holds[place]), "expected": table(&expected[place])})
        })
        .collect();
    let proofs: Vec<Value> = seen
        .belief()
        .proofs()
        .iter()
        .filter(|proof| proof.seat != seat)
        .map(|proof| {
            let kind = match proof.evidence {
                Evidence::Passed(_) => "passed",
                Evidence::HighestSingle(_) => "highest_single",
                Evidence::KeptBombs => "kept_bombs",
            };
            json!({"seat": proof.seat, "proof": kind, "on": proof.on.to_string(), "trick": proof.trick})
        })
        .collect();
    details.insert("unseen".to_owned(), unseen_by(rules, state, seat).to_string().into());
    details.insert("worlds".to_owned(), weighted.as_ref().map_or(WORLDS as usize, |(_, w)| w.worlds.len()).into());
    if let Some((soft, weighted)) = &weighted {
        let evidence = json!({"model": soft.model.name(), "beta": weighted.beta, "ess": weighted.ess});
        details.insert("evidence".to_owned(), evidence);
    }
    details.insert("hands".to_owned(), hands.into());
    details.insert("proofs".to_owned(), proofs.into());
    details
}
