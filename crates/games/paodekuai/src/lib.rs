//! Pao De Kuai (跑得快): the rules with all their variants, honest inference from what the passes prove, and exact endgames.
//!
//! [`PaoDeKuai`] implements the contract of `kiebitz-core`. All rules look at ranks only; suits matter in the deal alone. A hand
//! is 13 packed counters ([`Cards`]), and so is a play.
#![forbid(unsafe_code)]

mod action;
mod belief;
mod cards;
mod course;
mod explain;
mod game;
mod generate;
mod heavy;
mod knowledge;
mod light;
mod notation;
mod options;
mod options_json;
mod plan;
mod reading;
mod rules;
mod sampler;
mod scoring;
mod setup;
mod solver;
mod state;
mod text;

pub use action::{Action, ActionKind, Deal, KITTY};
pub use belief::{Belief, Evidence, Proof};
pub use cards::{Card, CardSet, Cards, CardsError, RANK_LETTERS, RANKS, Rank, SUIT_LETTERS, TWO};
pub use game::PaoDeKuai;
pub use generate::Situation;
pub use heavy::HeavyPolicy;
pub use knowledge::{PaoDeKuaiBuffer, PaoDeKuaiKnowledge, PlayoutPolicy};
pub use light::LightPolicy;
pub use options::{Baodan, BombPay, Deck, End, Fallback, Lead, MAX_DEALS, MAX_POINTS, Options, PRESETS, SameRank};
pub use plan::{MinPlays, estimated_plays, might_beat, sure_win};
pub use reading::{Class, Reading};
pub use rules::Rules;
pub use sampler::{FEW_WORLDS, Method, Sampler, World};
pub use setup::{Setup, SetupHand, SetupTrick};
pub use solver::{SolvedAction, Solver, Unsolved};
pub use state::{Bird, LeadEvidence, MAX_SEATS, Phase, State};
