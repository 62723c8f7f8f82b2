//! Why a play is good or bad, in the game's own terms, and what a seat knows of the others' hands (section 15). Computed from what
//! the seat knows.

use kiebitz_core::{Game, Reason, Rng, Seat, Seen, Turn};
use serde_json::{Map, Value, json};

use crate::action::Action;
use crate::belief::Evidence;
use crate::cards::{Cards, RANK_LETTERS, RANKS};
use crate::game::PaoDeKuai;
use crate::generate::Situation;
use crate::heavy::unseen_by;
use crate::plan::{MinPlays, estimated_plays, might_beat, sure_win};
use crate::proof::{ProofEffort, proven_wins};
use crate::reading::Class;
use crate::rules::Rules;
use crate::soft::{SoftEvidence, weigh};

/// Worlds drawn for a chance.
const WORLDS: u32 = 100;
/// Hands up to this size have their plays counted exactly.
const EXACT_HAND: u8 = 10;
/// Hands looked at for a sure win.
const SURE_LIMIT: u32 = 2_000;

/// The fewest plays that empty a hand: exact for short hands, else estimated.
fn plays_left(rules: &Rules, hand: Cards) -> f64 {
    if hand.len() <= EXACT_HAND {
        f64::from(MinPlays::new(rules).of(hand))
    } else {
        f64::from(estimated_plays(rules, hand))
    }
}

/// The reasons for and against an action of the seat to move, the weightiest first:
///
/// * `paodekuai.proven_win`: subject the play; one way to go on is first out in all `worlds` that are possible;
/// * `paodekuai.sure_win`: subject the plays in order; nobody can beat any but the last;
/// * `paodekuai.out`: the play empties the hand;
/// * `paodekuai.nothing_beats`: subject the trick; passing is all there is;
/// * `paodekuai.unbeatable`: subject the play; no hand that the seat holds possible beats it;
/// * `paodekuai.beaten`: subject the play; `chance` that some other hand can beat it; with soft evidence the chance is that of the
///   weighted worlds, with their number (`worlds`) and effective sample size (`ess`);
/// * `paodekuai.plays_left`: subject the play; the fewest plays that empty the hand `before` and `after`;
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
    if action.is_pass() {
        if let Some((play, ..)) = state.trick().filter(|(_, trick, _)| !rules.can_beat(hand, trick)) {
            reasons.push(Reason::new("paodekuai.nothing_beats", [play.to_string()], none()));
        }
        return reasons;
    }
    let cards = action.cards();
    let text = cards.to_string();
    if cards == hand {
        reasons.push(Reason::new("paodekuai.out", [text], none()));
        return reasons;
    }
    let Some(reading) = state.read(rules, cards) else { return reasons };
    let unseen = unseen_by(rules, state, seat);
    let others: Vec<Seat> = (0..rules.players()).filter(|&other| other != seat && !state.is_out(other)).collect();
    let longest = others.iter().map(|&other| state.hand_len(other)).max().unwrap_or(0);
    let unbeatable = !might_beat(rules, unseen, longest, &reading);
    let proven = || proven_wins(seen, &ProofEffort::default()).into_iter().find(|proof| proof.action == action);
    if let Some(proof) = proven().filter(|proof| proof.line.is_empty()) {
        let worlds = [("worlds", proof.worlds as f64)];
        reasons.push(Reason::new("paodekuai.proven_win", [text.clone()], worlds));
    }
    if unbeatable {
        let next = Situation { trick: None, must_include: None, hand: hand.minus(cards), ..situation };
        if let Some(line) = sure_win(rules, &next, unseen, longest, SURE_LIMIT) {
            let plays = std::iter::once(&cards).chain(&line).map(Cards::to_string);
            reasons.push(Reason::new("paodekuai.sure_win", plays.collect::<Vec<_>>(), none()));
        }
        reasons.push(Reason::new("paodekuai.unbeatable", [text.clone()], none()));
    } else {
        let numbers = match soft.and_then(|soft| weigh(rules, state, seat, seen.belief(), soft, rng)) {
            Some(weighted) => {
                let beats =
                    |hands: &[Cards]| others.iter().any(|&other| rules.can_beat(hands[usize::from(other)], &reading));
                let all = weighted.worlds.iter().zip(&weighted.weights);
                let beaten: f64 = all.filter(|(world, _)| beats(&world.hands)).map(|(_, weight)| weight).sum();
                // Weights sum to 1 up to the last bits.
                let chance = beaten.clamp(0.0, 1.0);
                vec![("chance", chance), ("worlds", weighted.worlds.len() as f64), ("ess", weighted.ess)]
            }
            None => {
                let mut beaten = 0;
                let mut world = game.clone();
                for _ in 0..WORLDS {
                    seen.draw_into(&mut world, rng);
                    let held = |&other: &Seat| world.state().hand(other);
                    let beats = |other: &Seat| held(other).is_some_and(|hand| rules.can_beat(hand, &reading));
                    beaten += u32::from(others.iter().any(beats));
                }
                vec![("chance", f64::from(beaten) / f64::from(WORLDS))]
            }
        };
        reasons.push(Reason::new("paodekuai.beaten", [text.clone()], numbers));
    }
    let (before, after) = (plays_left(rules, hand), plays_left(rules, hand.minus(cards)));
    reasons.push(Reason::new("paodekuai.plays_left", [text.clone()], [("before", before), ("after", after)]));
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
