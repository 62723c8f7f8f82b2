//! Actions as text, and back.

use kiebitz_core::{Illegal, Seat};

use crate::action::{Action, ActionKind, Deal, KITTY};
use crate::cards::{Card, CardSet, Cards};
use crate::rules::Rules;

/// The text of an action: `33344`, `pass`, `deal S3H4…/…/…`, `leader 1`; masked hands are `?16`.
pub(crate) fn action_text(rules: &Rules, action: Action) -> String {
    match action.kind(rules.deck()) {
        ActionKind::Pass => "pass".to_owned(),
        ActionKind::Play(cards) => cards.to_string(),
        ActionKind::Leader(seat) => format!("leader {seat}"),
        ActionKind::Deal(deal) => {
            let size = rules.options().hand;
            let hand = |seat: Seat| match &deal {
                Deal::Open { hands, kitty } => hands.get(usize::from(seat)).unwrap_or(kitty).to_string(),
                Deal::Masked { known: Some((own, cards)) } if *own == seat => cards.to_string(),
                Deal::Masked { .. } => format!("?{}", if seat == KITTY { rules.kitty() } else { size }),
            };
            let kitty = (rules.kitty() > 0).then_some(KITTY);
            let hands: Vec<String> = (0..rules.players()).chain(kitty).map(hand).collect();
            format!("deal {}", hands.join("/"))
        }
    }
}

/// Reads an action.
///
/// # Errors
/// When it is none.
pub(crate) fn parse_action(rules: &Rules, text: &str) -> Result<Action, Illegal> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Action::PASS);
    }
    if let Some(hands) = text.strip_prefix("deal ") {
        return parse_deal(rules, hands);
    }
    if let Some(seat) = text.strip_prefix("leader ") {
        let seat = (0..rules.players()).find(|known| seat == known.to_string());
        return seat.map(Action::leader).ok_or_else(|| {
            let message = format!("leader names a seat from 0 to {}", rules.players() - 1);
            Illegal::new("paodekuai.text", message)
        });
    }
    match Cards::parse(text) {
        Ok(cards) if !cards.is_empty() => Ok(Action::play(cards)),
        Ok(_) => Err(Illegal::new("paodekuai.text", "a play is its ranks, such as 33344, or pass")),
        Err(e) => {
            let text: String = text.chars().take(40).collect();
            Err(Illegal::new("paodekuai.text", format!("'{text}' is no play: {e}")))
        }
    }
}

/// A hand of a deal as text.
enum HandText {
    Cards(CardSet),
    Masked,
}

fn parse_deal(rules: &Rules, text: &str) -> Result<Action, Illegal> {
    let bad = |message: String| Illegal::new("paodekuai.deal", message);
    let players = usize::from(rules.players());
    // No deal is longer than all cards, two letters each, and the strokes between hands.
    if text.len() > 120 {
        return Err(bad("the deal is too long".to_owned()));
    }
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() != players && parts.len() != players + 1 {
        return Err(bad(format!("a deal has {players} hands, perhaps a kitty after them, not {} parts", parts.len())));
    }
    let mut seen = CardSet::EMPTY;
    let mut hands = Vec::with_capacity(parts.len());
    for (seat, part) in parts.iter().enumerate() {
        let is_kitty = seat == players;
        let (size, name) = if is_kitty {
            (rules.kitty(), "the kitty".to_owned())
        } else {
            (rules.options().hand, format!("seat {seat}"))
        };
        let hand = match part.strip_prefix('?') {
            Some(number) => {
                let number = number.parse().ok().filter(|&number: &u8| number == size);
                number.ok_or_else(|| bad(format!("the masked hand of {name} must be ?{size}")))?;
                HandText::Masked
            }
            None => HandText::Cards(parse_cards(rules, part, &mut seen)?),
        };
        if let HandText::Cards(cards) = &hand
            && cards.len() != size
        {
            return Err(bad(format!("{name} is dealt {} cards, it must be {size}", cards.len())));
        }
        hands.push(hand);
    }
    let masked = hands.iter().take(players).filter(|hand| matches!(hand, HandText::Masked)).count();
    if masked == 0 {
        let mut open = [CardSet::EMPTY; 4];
        for (place, hand) in open.iter_mut().zip(&hands[..players]) {
            if let HandText::Cards(cards) = hand {
                *place = *cards;
            }
        }
        let deck: CardSet = rules.deck().iter().copied().collect();
        let kitty = open.iter().fold(deck, |rest, hand| rest.without(*hand));
        return Ok(Action::deal(&Deal::Open { hands: open, kitty }));
    }
    let known: Vec<(Seat, CardSet)> = (0..)
        .zip(&hands[..players])
        .filter_map(|(seat, hand)| if let HandText::Cards(cards) = hand { Some((seat, *cards)) } else { None })
        .collect();
    let kitty_known = matches!(hands.get(players), Some(HandText::Cards(kitty)) if !kitty.is_empty());
    match known.as_slice() {
        _ if kitty_known => Err(bad("a deal that masks hands masks the kitty too".to_owned())),
        [] => Ok(Action::deal(&Deal::Masked { known: None })),
        [only] => Ok(Action::deal(&Deal::Masked { known: Some(*only) })),
        _ => Err(bad("a masked deal shows one hand and masks all others".to_owned())),
    }
}

fn parse_cards(rules: &Rules, text: &str, seen: &mut CardSet) -> Result<CardSet, Illegal> {
    let bad = |message: String| Illegal::new("paodekuai.deal", message);
    let letters: Vec<char> = text.chars().collect();
    let mut cards = CardSet::EMPTY;
    for pair in letters.chunks(2) {
        let word: String = pair.iter().collect();
        let card = Card::parse(&word).filter(|_| pair.len() == 2);
        let card =
            card.ok_or_else(|| bad(format!("'{word}' is no card; cards are a suit S H C D and a rank, as in S3")))?;
        if !rules.deck().contains(&card) {
            return Err(bad(format!("{card} is not in the deck")));
        }
        if !seen.insert(card) {
            return Err(bad(format!("{card} is dealt twice")));
        }
        cards.insert(card);
    }
    Ok(cards)
}
