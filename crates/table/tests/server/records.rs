//! Records of running games that hide something: what each seat, a spectator and the owner may take home.

use crate::support::{Answer, Folder, Page, Running, request};
use kiebitz_core::record::{Record, What};
use kiebitz_core::{Observer, Seat};
use serde_json::{Value, json};

const GAME: &str = "paodekuai";

/// A game of three persons with its pages and tokens.
struct Table {
    running: Running,
    id: String,
    tokens: Vec<String>,
    watch: String,
    pages: Vec<Page>,
}

fn table(folder: &Folder) -> Table {
    let running = Running::new(folder.path());
    let made = running.create(&json!({"game": GAME, "seats": [{"kind": "here"}, {"kind": "link"}, {"kind": "link"}]}));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut tokens = vec![made["tokens"][0]["token"].as_str().unwrap().to_owned()];
    for invite in made["invites"].as_array().unwrap() {
        let joined = request(running.addr, "POST", "/api/join", None, Some(&json!({"code": invite["code"]}))).json();
        tokens.push(joined["token"]["token"].as_str().unwrap().to_owned());
    }
    let pages = tokens.iter().map(|token| running.sit(&id, &[token])).collect();
    let watch = made["watch"].as_str().unwrap().to_owned();
    Table { running, id, tokens, watch, pages }
}

impl Table {
    fn record(&self, token: &str) -> Answer {
        request(self.running.addr, "GET", &format!("/api/games/{}/record", self.id), Some(token), None)
    }

    /// The hands as they are, by seat, and the actions of chance.
    fn truth(&self) -> (Vec<String>, Vec<String>) {
        let table = self.running.runtime.block_on(async { self.running.app().load(&self.id).await.expect("a game") });
        let view = table.game.view(Observer::Omniscient);
        let hands = view["hands"].as_array().expect("hands").iter().map(|h| h.as_str().expect("text").to_owned());
        let record = table.game.record();
        let chance = record.lines.iter().filter_map(|line| match (line.by(), line.what()) {
            (kiebitz_core::record::By::Chance, What::Action(action)) => Some(action.to_owned()),
            _ => None,
        });
        (hands.collect(), chance.collect())
    }

    /// Plays a legal action for whoever is to move; whether the game goes on.
    fn step(&mut self, number: usize) -> bool {
        let states: Vec<Value> = self.pages.iter_mut().map(|page| page.state("a state", |_| true)).collect();
        let newest = states.iter().map(|s| s["v"].as_u64()).max().flatten();
        for page in &mut self.pages {
            page.state("the newest state", |s| s["v"].as_u64() >= newest);
        }
        let turn = (0..self.pages.len()).find(|&seat| {
            let state = self.pages[seat].state("a state", |_| true);
            state["phase"] == "playing" && state["turn"] == json!(seat)
        });
        let Some(turn) = turn else { return false };
        let page = &mut self.pages[turn];
        let state = page.state("a state", |_| true);
        let legal = state["legal"].as_array().expect("legal actions");
        let action = legal[(number * 7 + 3) % legal.len()].as_str().expect("text").to_owned();
        let ack = page.play(&state["v"], &action);
        assert_eq!(ack["type"], "ack", "{ack}");
        for page in &mut self.pages {
            page.state("the next state", |s| s["v"].as_u64() >= ack["v"].as_u64());
        }
        true
    }
}

/// Whether a text shows what was dealt to a seat: three cards of it in a row, in the notation of the deal.
fn shows_deal(text: &str, deal: &str, seat: usize) -> bool {
    let hand = deal.trim_start_matches("deal ").split('/').nth(seat).expect("a hand");
    let cards: Vec<char> = hand.chars().collect();
    cards.chunks(2).collect::<Vec<_>>().windows(3).any(|part| text.contains(&part.concat().iter().collect::<String>()))
}

/// Whether a text shows a hand as the views do: its ranks in order.
fn shows_hand(text: &str, hand: &str) -> bool {
    hand.len() >= 5 && text.contains(hand)
}

#[test]
fn a_record_of_a_running_game_never_holds_another_hand() {
    let folder = Folder::new();
    let mut table = table(&folder);
    let (hands, deals) = table.truth();
    assert!(hands.iter().all(|h| h.len() >= 15) && !deals.is_empty(), "{hands:?} {deals:?}");
    let shows = |text: &str, seat: usize, hand: &str| {
        shows_hand(text, hand) || deals.iter().any(|deal| shows_deal(text, deal, seat))
    };
    for number in 0..12 {
        let (hands, _) = table.truth();
        for seat in 0..3 {
            let answer = table.record(&table.tokens[seat]);
            assert_eq!(answer.status, 200, "{}", answer.text());
            let text = answer.text();
            assert!(!text.contains("seed") && !text.contains("taken_back"), "{text}");
            for (other, hand) in hands.iter().enumerate().filter(|(other, _)| *other != seat) {
                assert!(!shows(&text, other, hand), "the record of seat {seat} shows the hand of {other}: {text}");
            }
            assert!(deals.iter().all(|deal| !text.contains(deal.as_str())), "{text}");
            // The own hand is in it, and it is a record.
            assert!(shows(&text, seat, &hands[seat]), "{text}");
            let read = Record::read(&answer.body).expect("a record");
            let masked = read.record.lines.iter().filter(|l| matches!(l.what(), What::Action(a) if a.contains('?')));
            assert_eq!(masked.count(), deals.len(), "{text}");
            assert_eq!(read.record.header.seed(), None);
        }
        for token in [&table.watch, &table.running.key] {
            let answer = table.record(token);
            // The owner plays one seat here, and sees what that seat sees.
            let expected = if token == &table.watch { 403 } else { 200 };
            assert_eq!(answer.status, expected, "{}", answer.text());
            for (other, hand) in hands.iter().enumerate().skip(1) {
                assert!(!shows(&answer.text(), other, hand), "a hand of {other}");
            }
        }
        for path in ["positions", "record?format=sgf"] {
            let path = format!("/api/games/{}/{path}", table.id);
            let answer = request(table.running.addr, "GET", &path, Some(&table.tokens[1]), None);
            let others = hands.iter().enumerate().filter(|(other, _)| *other != 1);
            for (other, hand) in others {
                assert!(!shows(&answer.text(), other, hand), "{}", answer.text());
            }
        }
        if !table.step(number) {
            break;
        }
    }
    // No frame of a page shows another hand either.
    let (hands, _) = table.truth();
    for seat in 0..3 {
        let frames = table.pages[seat].frames.join("\n");
        for (other, hand) in hands.iter().enumerate().filter(|(other, _)| *other != seat) {
            assert!(!shows(&frames, other, hand), "a frame to seat {seat} shows the hand of {other}");
        }
    }
    table.running.stop();
}

#[test]
fn a_record_of_one_seat_can_be_analysed_and_the_whole_one_comes_at_the_end() {
    let folder = Folder::new();
    let mut table = table(&folder);
    table.step(0);
    let mine = Record::read(&table.record(&table.tokens[1]).body).expect("a record").record;
    let actions: Vec<String> = mine
        .lines
        .iter()
        .filter_map(|line| match line.what() {
            What::Action(action) => Some(action.to_owned()),
            _ => None,
        })
        .collect();
    // What is hidden stands where the game can complete it for the seat.
    let entry = kiebitz_catalog::game(GAME).expect("a game");
    let game = entry.game.start(&mine.header, 0).expect("a game");
    let completed = game.unmasked(&actions[0], 1 as Seat).map(|a| a.len());
    assert!(completed.is_ok(), "{completed:?}");
    // Somebody gives up: nothing is hidden any more.
    let state = table.pages[0].state("a state", |_| true);
    table.pages[0].say(&json!({"type": "resign", "v": state["v"], "cid": "r"}));
    table.pages[0].wait_type("ack");
    let (_, deals) = table.truth();
    for token in [&table.tokens[0], &table.tokens[2], &table.watch] {
        let answer = table.record(token);
        assert_eq!(answer.status, 200);
        assert!(deals.iter().all(|deal| answer.text().contains(deal.as_str())), "{}", answer.text());
    }
    table.running.stop();
}
