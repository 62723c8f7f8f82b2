//! Pao De Kuai (跑得快): the rules with all their variants, honest inference from what the passes prove, and exact endgames.
//!
//! [`PaoDeKuai`] implements the contract of `kiebitz-core`. All rules look at ranks only; suits matter in the deal alone. A hand
//! is 13 packed counters ([`Cards`]), and so is a play.
#![forbid(unsafe_code)]

mod action;
mod belief;
mod cards;
mod course;
mod duel;
mod explain;
mod game;
mod generate;
mod heavy;
mod knowledge;
pub mod learned;
mod light;
mod model;
mod notation;
mod options;
mod options_json;
mod plan;
mod proof;
mod reading;
mod reward;
mod rules;
mod sampler;
mod scoring;
mod setup;
mod soft;
mod solver;
mod state;
mod text;

pub use action::{Action, ActionKind, Deal, KITTY};
pub use belief::{Belief, Decision, Evidence, Proof};
pub use cards::{Card, CardSet, Cards, CardsError, RANK_LETTERS, RANKS, Rank, SUIT_LETTERS, TWO};
pub use game::PaoDeKuai;
pub use generate::Situation;
pub use heavy::HeavyPolicy;
pub use knowledge::{PaoDeKuaiBuffer, PaoDeKuaiKnowledge, PlayoutPolicy};
pub use light::LightPolicy;
pub use model::{MemoryModel, Model, ModelBuffer, OpponentModel, RandomModel, RiskModel, RuleModel};
pub use options::{Baodan, BombPay, Deck, End, Fallback, Lead, MAX_DEALS, MAX_POINTS, Options, PRESETS, SameRank};
pub use plan::{MinPlays, Rival, estimated_plays, might_be_beaten, might_beat, sure_win, sure_win_against};
pub use proof::{ProofEffort, WinProof, proven_win, proven_wins};
pub use reading::{Class, Reading};
pub use reward::{Reward, RewardKind};
pub use rules::Rules;
pub use sampler::{FEW_WORLDS, Method, Sampler, World};
pub use setup::{Setup, SetupHand, SetupTrick};
pub use soft::{SoftEvidence, WeightedWorlds, log_likelihood, weigh};
pub use solver::{SolvedAction, Solver, Unsolved};
pub use state::{Bird, LeadEvidence, MAX_SEATS, Phase, State};
