//! How Kuhn poker looks from outside.

use kiebitz_core::{Forfeit, Illegal, JsonMap, Notation, Observer, no_options, no_setup, to_move_fact};
use serde_json::{Value, json};

use super::{Kuhn, KuhnAction, MAX_KUHN_PLAYERS};
use kiebitz_core::Game as _;

impl Kuhn {
    /// The passes and bets so far, `p` and `b`.
    fn line(&self) -> String {
        self.history().map(|bet| if bet { 'b' } else { 'p' }).collect()
    }

    /// The cards `observer` sees: a number, `null` for a card face down; empty before the deal.
    fn seen_cards(&self, observer: Observer) -> Vec<Value> {
        let visible = |seat| match observer {
            Observer::Seat(own) => own == seat,
            Observer::Public => false,
            Observer::Omniscient => true,
        };
        let dealt = (0..self.players()).filter_map(|seat| self.card(seat).map(|card| (seat, card)));
        dealt.map(|(seat, card)| if visible(seat) { card.into() } else { Value::Null }).collect()
    }
}

impl Notation for Kuhn {
    no_options!();
    no_setup!();

    /// `deal 3,1`, `pass`, `bet`; a card face down is `?`.
    fn action_text(&self, action: KuhnAction) -> String {
        match action {
            KuhnAction::Pass => "pass".to_owned(),
            KuhnAction::Bet => "bet".to_owned(),
            KuhnAction::Deal(cards) => {
                let card = |&c: &u8| if c == 0 { "?".to_owned() } else { c.to_string() };
                let cards: Vec<String> = cards.iter().take(usize::from(self.players())).map(card).collect();
                format!("deal {}", cards.join(","))
            }
        }
    }

    fn parse_action(&self, text: &str) -> Result<KuhnAction, Illegal> {
        let (players, highest) = (usize::from(self.players()), self.players() + 1);
        let bad = || {
            let message = format!(
                "'{text}' is no action, they are: pass, bet, and deal with {players} cards from 1 to {highest}, as in deal 1,2"
            );
            Illegal::new("kuhn.text", message)
        };
        match text {
            "pass" => return Ok(KuhnAction::Pass),
            "bet" => return Ok(KuhnAction::Bet),
            _ => {}
        }
        let mut cards = [0; MAX_KUHN_PLAYERS];
        let mut count = 0;
        for word in text.strip_prefix("deal ").ok_or_else(bad)?.split(',') {
            let card = if word == "?" { Some(0) } else { (1..=highest).find(|c| c.to_string() == word) };
            *cards.get_mut(count).ok_or_else(bad)? = card.ok_or_else(bad)?;
            count += 1;
        }
        if count == players { Ok(KuhnAction::Deal(cards)) } else { Err(bad()) }
    }

    /// `to_move`, `terminal`, `cards` (by seat, empty before the deal), `line` (passes and bets as `p` and `b`), and at the
    /// end `returns`.
    fn facts(&self) -> JsonMap {
        let turn = self.turn();
        let mut facts: JsonMap = [
            ("to_move", to_move_fact(turn)),
            ("terminal", turn.is_terminal().into()),
            ("cards", self.seen_cards(Observer::Omniscient).into()),
            ("line", self.line().into()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect();
        if turn.is_terminal() {
            facts.insert("returns".to_owned(), json!(self.returns()));
        }
        facts
    }

    /// The betting, and of the cards the observer's own. The cards stay face down at the end.
    fn view(&self, observer: Observer) -> Value {
        json!({"to_move": to_move_fact(self.turn()), "cards": self.seen_cards(observer), "line": self.line()})
    }

    fn board_text(&self, observer: Observer) -> String {
        let card = |value: &Value| value.as_u64().map_or_else(|| "?".to_owned(), |card| card.to_string());
        let cards: Vec<String> = self.seen_cards(observer).iter().map(card).collect();
        match cards.is_empty() {
            true => "not dealt".to_owned(),
            false => format!("{} {}", cards.join(","), self.line()).trim_end().to_owned(),
        }
    }

    /// The chips won by each seat, as `+1,-1`; after a forfeit who gave up.
    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String> {
        match forfeit {
            Some(forfeit) => Some(format!("player {} gave up", forfeit.seat() + 1)),
            None => self.turn().is_terminal().then(|| {
                let chips: Vec<String> = self.returns().as_slice().iter().map(|chips| format!("{chips:+}")).collect();
                chips.join(",")
            }),
        }
    }
}
