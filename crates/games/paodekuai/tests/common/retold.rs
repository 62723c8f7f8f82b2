//! A game told again in another world: what a seat cannot see is replaced, and everything it saw stays.

use kiebitz_core::{Seat, Session, Step};
use kiebitz_paodekuai::{Action, Bird, Card, CardSet, Deal, LeadEvidence, PaoDeKuai};

/// The deal in which the seats other than `seat` hold what they hold in `world`, with suits that agree with the position.
fn dealt(truth: &Session<PaoDeKuai>, world: &PaoDeKuai, seat: Seat) -> Option<Action> {
    let rules = world.rules();
    let state = world.state();
    let own = truth.belief(seat)?.own()?;
    let mut left: CardSet = rules.deck().iter().copied().collect::<CardSet>().without(own);
    let mut hands = [CardSet::EMPTY; 4];
    let mut kitty = CardSet::EMPTY;
    hands[usize::from(seat)] = own;
    let players = rules.players();
    let mut needed: Vec<[u8; 13]> = (0..players)
        .map(|other| {
            let all = state.hand(other).unwrap_or_default().plus(state.played(other));
            if other == seat { [0; 13] } else { all.counts() }
        })
        .collect();
    let mut give = |card: Card, to: Option<Seat>, needed: &mut Vec<[u8; 13]>| {
        let one: CardSet = std::iter::once(card).collect();
        left = left.without(one);
        match to {
            Some(to) => {
                needed[usize::from(to)][usize::from(card.rank())] -= 1;
                hands[usize::from(to)] = hands[usize::from(to)].iter().chain([card]).collect();
            }
            None => kitty = kitty.iter().chain([card]).collect(),
        }
        left
    };
    // Cards of which the place is known or drawn come first.
    let mut rest = rules.deck().iter().copied().collect::<CardSet>().without(own);
    let lead_card = rules.options().lead_card;
    if rest.contains(lead_card) {
        match state.lead_evidence() {
            LeadEvidence::HoldsCard | LeadEvidence::PlayedCard => {
                rest = give(lead_card, Some(state.leader()), &mut needed)
            }
            LeadEvidence::Lowest | LeadEvidence::NobodyHolds => rest = give(lead_card, None, &mut needed),
            LeadEvidence::Nothing => {}
        }
    }
    if let Some(bird) = rules.options().bird
        && rest.contains(bird)
    {
        let to = if let Bird::Dealt(to) = state.bird() { Some(to) } else { None };
        rest = give(bird, to, &mut needed);
    }
    // The leader's cards take the lowest suits and the others' the highest, for they decide who had the lowest card.
    let mut seats: Vec<Seat> = (0..players).filter(|&other| other != seat).collect();
    seats.sort_by_key(|&other| other != state.leader());
    for other in seats {
        for rank in 0..13 {
            while needed[usize::from(other)][rank] > 0 {
                let mut fitting = rest.iter().filter(|card| usize::from(card.rank()) == rank);
                let card = if other == state.leader() { fitting.next()? } else { fitting.last()? };
                rest = give(card, Some(other), &mut needed);
            }
        }
    }
    for card in rest.iter() {
        give(card, None, &mut needed);
    }
    Some(Action::deal(&Deal::Open { hands, kitty }))
}

/// The same game in the other world; `None` where the suits do not allow it.
pub fn retold(truth: &Session<PaoDeKuai>, world: &PaoDeKuai, seat: Seat) -> Option<Session<PaoDeKuai>> {
    let deal = dealt(truth, world, seat)?;
    let mut other =
        Session::<PaoDeKuai>::new(truth.players(), truth.options().clone(), None, truth.seed() ^ 1).unwrap();
    other.play(deal).ok()?;
    for step in &truth.history()[1..] {
        let Step::Action { action, .. } = step else { continue };
        other.play(*action).ok()?;
    }
    // The suits that were made up may have given the lead to another seat.
    (other.state().state().leader() == truth.state().state().leader()).then_some(other)
}
