//! Whether evidence, the cards that are told and the numbers of those that are not go together.

use std::sync::OnceLock;

use kiebitz_core::Rng;

use crate::belief::{Evidence, Proof};
use crate::cards::Cards;
use crate::rules::Rules;
use crate::sampler::deals::Deals;
use crate::sampler::{Method, Position, Sampler, limits};
use crate::state::State;

/// Deals without regard to the evidence that are tried first: mostly one of them agrees with it.
const TRIES: u32 = 16;

/// What contradicts the evidence, in one sentence; `None` where all cards can lie so that everything holds. The hands that `state`
/// knows are told, those it does not know have so many cards of what is left of the deck without the `kitty`, if that is told.
pub(crate) fn contradiction(rules: &Rules, state: &State, kitty: Option<Cards>, proofs: &[Proof]) -> Option<String> {
    for proof in proofs {
        if let Some(hand) = state.hand(proof.seat)
            && !proof.allows(rules, hand)
        {
            return Some(against(proof, hand));
        }
    }
    let mut hidden: Vec<Proof> = proofs.iter().filter(|proof| state.is_unknown(proof.seat)).copied().collect();
    if hidden.is_empty() {
        return None;
    }
    limits::drop_implied(rules, &mut hidden);
    let Some(deals) = Deals::told(rules, state, kitty) else {
        return Some("the seat that leads cannot hold the lead card, which must_include says it does".to_owned());
    };
    // Whose eyes it is that look makes no difference: of the position only the deals and the proofs are used.
    let position = Position::of(state, 0);
    let sampler = Sampler { position, proofs: hidden, deals: vec![deals], lattice: OnceLock::new() };
    // Chance decides only how soon a deal is found.
    let mut rng = Rng::new(0);
    if (0..TRIES).any(|_| sampler.allows(rules, sampler.uniform(&mut rng).hands())) {
        return None;
    }
    let none = sampler.lattice(rules).has_none() || sampler.draw(rules, &mut rng).method == Method::Contradiction;
    none.then(|| {
        "the evidence contradicts the numbers of cards: the cards that are left cannot lie so that all of it holds"
            .to_owned()
    })
}

fn against(proof: &Proof, hand: Cards) -> String {
    let Proof { seat, since, .. } = proof;
    let then =
        if since.is_empty() { String::new() } else { format!(" and had {since} then, which it has played since") };
    let what = match &proof.evidence {
        Evidence::Passed(_) => "passed, as it could not have beaten the trick",
        Evidence::HighestSingle(_) => "played its highest single",
        Evidence::KeptBombs => "held no bomb of what it played a part of",
    };
    format!("the evidence says that seat {seat} {what}, but it holds {hand}{then}: that is not so")
}
