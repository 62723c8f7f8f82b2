//! What several test files share.
#![allow(dead_code)] // Each test file uses a part of it.

pub mod naive;
pub mod retold;

use kiebitz_core::{Game, Notation, Rng, Session, Turn};
use kiebitz_paodekuai::{Action, Card, Cards, Options, PRESETS, PaoDeKuai, Rank, Rules, Setup};
use serde_json::Value;

/// The cards of a text.
pub fn cards(text: &str) -> Cards {
    Cards::parse(text).expect(text)
}

/// Options from JSON text such as `{"deck":"d52"}`.
pub fn options(json: &str) -> Options {
    let value: Value = serde_json::from_str(json).expect(json);
    Options::from_json(value.as_object().expect(json)).expect(json)
}

/// The number of players of options that do not say it.
pub fn players(options: &Options) -> u8 {
    options.players.unwrap_or(3)
}

/// The rules of options.
pub fn rules(options: &Options) -> Rules {
    Rules::new(options, players(options)).expect("possible options")
}

/// The option sets of the traces, as JSON, with the number of players.
pub const TRACE_SETS: [(&str, u8); 18] = [
    (r#"{"lead_include":false,"triple_bombs":"A","baodan":"liability","bird":"HT"}"#, 3),
    ("{}", 3),
    (r#"{"deck":"d52","hand":13,"must_beat":false}"#, 4),
    (r#"{"triple_kickers":[0,1,2],"quad_kickers":[2],"baodan":"off"}"#, 3),
    (r#"{"quad_kickers":[3],"bomb_split":false}"#, 3),
    (r#"{"must_beat":false}"#, 3),
    (r#"{"kicker_pair":true,"end":"ranking"}"#, 3),
    (r#"{"deck":"d52","hand":13,"must_beat":false,"must_beat_bombs":false,"baodan":"off","end":"ranking"}"#, 4),
    (r#"{"lead_include":false,"triple_bombs":"A","baodan":"liability"}"#, 3),
    (r#"{"must_beat_bombs":false,"quad_kickers":[2,3],"bomb_split":false}"#, 3),
    (r#"{"lead_include":false,"plane_range":true,"short_follow":false,"baodan":"off"}"#, 3),
    (r#"{"must_beat":false,"end":"ranking"}"#, 3),
    (r#"{"quad_kickers":[3]}"#, 2),
    (r#"{"deck":"d45","hand":15,"pairrun_min":3,"kicker_same_rank":"never"}"#, 3),
    (r#"{"deck":"d45","hand":15,"must_beat":false,"pass_locks":true}"#, 2),
    (r#"{"bomb_pay":"winner"}"#, 2),
    // Not in the traces, but each meets a corner of the generator.
    (
        r#"{"triple_kickers":[0,1,2],"kicker_pair":true,"bomb_split":false,"triple_bombs":"A","quad_kickers":[2,3],"must_beat_bombs":false,"kicker_same_rank":"always"}"#,
        3,
    ),
    (
        r#"{"plane_range":true,"kicker_pair":true,"kicker_same_rank":"always","straight_min":3,"pairrun_min":3,"short_last":false}"#,
        3,
    ),
];

/// All presets and the option sets of the traces, with their numbers of players.
pub fn all_sets() -> Vec<(String, Options, u8)> {
    let presets = PRESETS.iter().map(|name| {
        let options = Options::preset(name).expect(name);
        let players = players(&options);
        ((*name).to_owned(), options, players)
    });
    presets.chain(TRACE_SETS.iter().map(|(json, players)| ((*json).to_owned(), options(json), *players))).collect()
}

/// How often a random test is repeated: `usual`, or the number in `KIEBITZ_HANDS` for the full run.
pub fn repeats(usual: usize) -> usize {
    std::env::var("KIEBITZ_HANDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// A random hand of up to `most` cards from the deck; often of few ranks, so that fours and long runs are frequent.
pub fn random_hand(rules: &Rules, most: usize, rng: &mut Rng) -> Cards {
    let size = 1 + rng.below(most);
    let first = rng.below(13) as Rank;
    let spread = [13, 13, 6, 4, 3][rng.below(5)];
    let mut deck: Vec<Card> =
        rules.deck().iter().copied().filter(|card| (card.rank() + 13 - first) % 13 < spread).collect();
    rng.shuffle(&mut deck);
    deck.truncate(size);
    deck.into_iter().fold(Cards::EMPTY, |hand, card| hand.plus(Cards::of(card.rank(), 1)))
}

/// A game that starts from a position.
pub fn position(options: &Options, setup: &Setup) -> PaoDeKuai {
    PaoDeKuai::new(setup.hands.len() as u8, options, Some(setup)).expect("a possible set-up")
}

/// A session from a set-up in JSON.
pub fn session(options: &Options, setup: Value) -> Session<PaoDeKuai> {
    let setup = Setup::from_json(options, &setup).expect("a set-up");
    Session::new(setup.hands.len() as u8, options.clone(), Some(setup), 0).expect("a possible set-up")
}

/// Plays these actions.
pub fn play(session: &mut Session<PaoDeKuai>, actions: &[&str]) {
    for text in actions {
        let action = session.state().parse_action(text).expect(text);
        session.play(action).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

/// The legal actions as texts.
pub fn legal(game: &PaoDeKuai) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.iter().map(|&action| game.action_text(action)).collect()
}

/// Plays a random legal action or rolls; `false` at the end.
pub fn random_step(session: &mut Session<PaoDeKuai>, rng: &mut Rng, buffer: &mut Vec<Action>) -> bool {
    match session.turn() {
        Turn::Terminal => false,
        Turn::Chance(_) => session.roll().is_some(),
        Turn::Seat(_) => {
            session.state().actions(buffer);
            session.play(buffer[rng.below(buffer.len())]).is_ok()
        }
    }
}
