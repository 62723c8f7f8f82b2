//! How Pao De Kuai looks from outside.

use kiebitz_core::{Forfeit, Game, Illegal, Json, JsonMap, Notation, Observer, Seat, SetupError, Turn, to_move_fact};
use serde_json::json;

use crate::action::Action;
use crate::cards::RANK_LETTERS;
use crate::game::PaoDeKuai;
use crate::options::Options;
use crate::setup::{Setup, reading_json};
use crate::state::Phase;
use crate::text;

impl PaoDeKuai {
    fn seats(&self) -> std::ops::Range<Seat> {
        0..self.players()
    }

    /// The text of a hand: its ranks, or `?12` where `observer` does not see it.
    fn hand_text(&self, seat: Seat, observer: Observer) -> String {
        let visible = match observer {
            Observer::Omniscient => true,
            Observer::Seat(own) => own == seat || self.state.is_deal_over(),
            Observer::Public => self.state.is_deal_over(),
        };
        match self.state.hand(seat).filter(|_| visible) {
            Some(hand) => hand.to_string(),
            None => format!("?{}", self.state.hand_len(seat)),
        }
    }

    fn hand_texts(&self, observer: Observer) -> Vec<String> {
        self.seats().map(|seat| self.hand_text(seat, observer)).collect()
    }

    fn trick_json(&self) -> Json {
        match self.state.trick() {
            None => Json::Null,
            Some((play, reading, by)) => {
                json!({"play": play.to_string(), "by": by, "reading": reading_json(&reading)})
            }
        }
    }

    fn by_seat<T: Into<Json>>(&self, of: impl Fn(Seat) -> T) -> Json {
        self.seats().map(|seat| of(seat).into()).collect::<Vec<Json>>().into()
    }

    /// The legal actions of the seat to move as texts: by number of cards, then by text, the pass last.
    fn legal_texts(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.actions(&mut actions);
        let mut texts: Vec<(bool, usize, String)> = actions
            .iter()
            .map(|action| (action.is_pass(), usize::from(action.cards().len()), self.action_text(*action)))
            .collect();
        texts.sort_unstable();
        texts.into_iter().map(|(_, _, text)| text).collect()
    }

    /// What everybody knows of the result of the deal that is finished, and of the match.
    fn result_facts(&self, map: &mut JsonMap) {
        let state = &self.state;
        let over = state.is_deal_over();
        let scores = state.scores(&self.rules);
        let mut set = |key: &str, value: Json| map.insert(key.to_owned(), value);
        set("winner", json!(state.winner()));
        set("finishing_order", state.finishing_order().map(Json::from).collect::<Vec<_>>().into());
        set("plays_made", self.by_seat(|seat| state.plays_made()[usize::from(seat)]));
        set("bombs_paid_to", state.bombs_paid_to().map(Json::from).collect::<Vec<_>>().into());
        set("liable", json!(state.liable()));
        set("scores", if over { self.by_seat(|seat| scores[usize::from(seat)]) } else { Json::Null });
        set("totals", self.by_seat(|seat| state.total(seat, self.players())));
    }
}

impl Notation for PaoDeKuai {
    const HEADER_OPTIONS: &'static [&'static str] = &["deals", "target"];

    fn action_text(&self, action: Action) -> String {
        text::action_text(&self.rules, action)
    }

    /// Ranks in any order, upper or lower case, `10` for `T`; `pass`; `deal` with one hand of two-letter cards for each seat and
    /// perhaps the kitty, or `?16` for hands that are masked; `leader` with a seat.
    fn parse_action(&self, text: &str) -> Result<Action, Illegal> {
        text::parse_action(&self.rules, text)
    }

    fn options_from_json(rules: &JsonMap) -> Result<Options, SetupError> {
        Options::from_json(rules)
    }

    fn options_to_json(options: &Options) -> JsonMap {
        options.to_json()
    }

    fn setup_from_json(options: &Options, setup: &Json) -> Result<Setup, SetupError> {
        Setup::from_json(options, setup)
    }

    fn setup_to_json(options: &Options, setup: &Setup) -> Json {
        setup.to_json(options)
    }

    /// `to_move`, `terminal`, `must_include` (rank or null), `legal` (by number of cards, then text, the pass last) and
    /// `legal_count` while a known hand is to move, `reading` of the play just made, `hands`, `trick`, `winner`,
    /// `finishing_order`, `cards_left`, `plays_made`, `bombs_paid_to`, `liable`, `scores` (of the finished deal, else null) and
    /// `totals` (of all finished deals).
    fn facts(&self) -> JsonMap {
        let state = &self.state;
        let turn = self.turn();
        let mut facts = JsonMap::new();
        facts.insert("to_move".to_owned(), to_move_fact(turn));
        facts.insert("terminal".to_owned(), turn.is_terminal().into());
        let include = state.must_include(&self.rules).filter(|_| state.phase() == Phase::Play);
        facts.insert("must_include".to_owned(), json!(include.map(|rank| RANK_LETTERS[usize::from(rank)].to_string())));
        if turn.seat().is_some_and(|seat| !state.is_unknown(seat)) {
            let legal = self.legal_texts();
            facts.insert("legal_count".to_owned(), legal.len().into());
            facts.insert("legal".to_owned(), legal.into());
        }
        if let Some(reading) = state.last_reading(&self.rules) {
            facts.insert("reading".to_owned(), reading_json(&reading));
        }
        facts.insert("hands".to_owned(), self.hand_texts(Observer::Omniscient).into());
        facts.insert("trick".to_owned(), self.trick_json());
        facts.insert("cards_left".to_owned(), self.hand_texts(Observer::Omniscient).into());
        self.result_facts(&mut facts);
        facts
    }

    /// The hands the observer sees (after the end of a deal all lie open), numbers of cards, the trick, what was played, the
    /// result of the deal when it is finished, and the totals. Legal actions only for the seat whose turn it is.
    fn view(&self, observer: Observer) -> Json {
        let state = &self.state;
        let turn = self.turn();
        let started = matches!(state.phase(), Phase::Play | Phase::Over) || state.is_deal_over();
        let mut view = JsonMap::new();
        let mut set = |key: &str, value: Json| view.insert(key.to_owned(), value);
        set("to_move", to_move_fact(turn));
        set("terminal", turn.is_terminal().into());
        set("deal", (state.deals_finished() + u16::from(!state.is_deal_over())).into());
        set("deals", self.rules.options().deals.into());
        set("target", json!(self.rules.options().target));
        set("hands", self.hand_texts(observer).into());
        set("counts", self.by_seat(|seat| state.hand_len(seat)));
        set("kitty", self.rules.kitty().into());
        set("trick", self.trick_json());
        set("passes", state.passes().into());
        set("leader", if started { state.leader().into() } else { Json::Null });
        set("locked", self.seats().filter(|&seat| state.is_locked(seat)).collect::<Vec<_>>().into());
        set("played", self.by_seat(|seat| state.played(seat).to_string()));
        set(
            "must_include",
            state.must_include(&self.rules).map(|rank| RANK_LETTERS[usize::from(rank)].to_string()).into(),
        );
        if let (Turn::Seat(seat), true) = (turn, observer == Observer::Omniscient || Some(observer) == seat_of(turn))
            && !state.is_unknown(seat)
        {
            set("legal", self.legal_texts().into());
        }
        self.result_facts(&mut view);
        view.into()
    }

    /// A line for each seat, `P1` for seat 0 as people count: whose turn it is, its number of cards and the cards the observer sees; then the trick.
    fn board_text(&self, observer: Observer) -> String {
        let state = &self.state;
        let mut lines: Vec<String> = self
            .seats()
            .map(|seat| {
                let mark = if self.turn() == Turn::Seat(seat) { '>' } else { ' ' };
                let hand = self.hand_text(seat, observer);
                let hand = if hand.starts_with('?') { String::new() } else { hand };
                let total = if self.rules.options().deals > 1 {
                    format!(" {:+}", state.total(seat, self.players()))
                } else {
                    String::new()
                };
                format!("{mark} P{}{total} ({:>2}) {hand}", seat + 1, state.hand_len(seat)).trim_end().to_owned()
            })
            .collect();
        lines.push(match state.trick() {
            None => "-".to_owned(),
            Some((play, _, by)) => format!("P{}: {play}", by + 1),
        });
        lines.join("\n")
    }

    /// After a deal of which only a part is known, whoever acts first leads.
    fn hand_turn_to(&mut self, seat: Seat) -> Result<(), Illegal> {
        if self.state.is_leader_untold() && seat < self.players() {
            let rules = std::sync::Arc::clone(&self.rules);
            return self.state.tell_leader(&rules, seat);
        }
        match self.turn() {
            Turn::Seat(s) if s == seat => Ok(()),
            Turn::Seat(s) => {
                Err(Illegal::new("turn.other", format!("it is the turn of player {s}, not of player {seat}")))
            }
            Turn::Chance(_) => Err(Illegal::new("turn.chance", format!("chance moves now, not player {seat}"))),
            Turn::Terminal => Err(Illegal::game_over()),
        }
    }

    /// The points of each seat, as `+7,-5,-2`; after a forfeit who gave up, or ran out of time.
    fn result_text(&self, forfeit: Option<Forfeit>) -> Option<String> {
        match forfeit {
            Some(Forfeit::Resign(seat)) => Some(format!("seat {seat} gave up")),
            Some(Forfeit::Timeout(seat)) => Some(format!("seat {seat} ran out of time")),
            None => self.turn().is_terminal().then(|| {
                let points = self.seats().map(|seat| format!("{:+}", self.state.total(seat, self.players())));
                points.collect::<Vec<_>>().join(",")
            }),
        }
    }
}

fn seat_of(turn: Turn) -> Option<Observer> {
    turn.seat().map(Observer::Seat)
}
