//! One game between erased players.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use kiebitz_core::{Budget, Clock, DynGame, DynPlayer, Luck, Seat, Thinking, Turn};
use serde::{Deserialize, Serialize};

/// The purpose of [`Luck::stream`] for the thinking of the player in a seat: the seat is added.
const STREAM_PLAYER: u64 = 0x706C_6100;

/// What went wrong in a game that has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// A player panicked.
    Crash,
    /// A player chose an action that is not legal.
    Illegal,
    /// A player gave an error, or no action, instead of an answer.
    Error,
    /// The game itself panicked, could not go on, or was longer than it can be. No player is to blame.
    Game,
}

/// Why a game has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The seat of the player to blame.
    pub seat: Option<Seat>,
    /// How many steps had been made.
    pub step: usize,
    /// One sentence.
    pub message: String,
}

/// What the player in one seat spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Decisions.
    pub moves: u64,
    /// Simulations of all decisions.
    pub visits: u64,
    /// Seconds of all decisions, by the clock passed in.
    pub seconds: f64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It was played to its end; the result is in the game.
    Finished,
    /// It has no result.
    Failed(Failure),
    /// Somebody set the stop flag; the last decision may be worse than it would have been, so the game does not count.
    Stopped,
}

/// What the players of a game are given.
pub struct Table<'a> {
    /// How long a player may think whose spec says nothing.
    pub budget: Budget,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Ends the game early.
    pub stop: &'a AtomicBool,
    /// The players' own randomness follows from it; it has nothing to do with the game's luck.
    pub seed: u64,
}

impl std::fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("budget", &self.budget).field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// Plays `game` to its end, `players[seat]` deciding for each seat and the game's own luck for chance. Returns how it ended
/// and what each seat spent. A player that panicked must not be used again.
pub fn play_game(
    game: &mut dyn DynGame,
    players: &mut [Box<dyn DynPlayer>],
    table: &Table<'_>,
) -> (Ending, Vec<Effort>) {
    let mut efforts = vec![Effort::default(); players.len()];
    let ending = match go_on(game, players, table, &mut efforts) {
        Ok(()) => Ending::Finished,
        // A player whose search was stopped may answer anything, so that is never its failure.
        Err(None) => Ending::Stopped,
        Err(Some(failure)) => Ending::Failed(failure),
    };
    (ending, efforts)
}

/// Plays to the end. Errors: `None` when stopped, else the failure.
fn go_on(
    game: &mut dyn DynGame,
    players: &mut [Box<dyn DynPlayer>],
    table: &Table<'_>,
    efforts: &mut [Effort],
) -> Result<(), Option<Failure>> {
    let luck = Luck::new(table.seed);
    let longest = game.meta().max_length as usize;
    let failed = |kind, seat, step, message: String| Some(Failure { kind, seat, step, message });
    loop {
        let step = game.steps();
        if table.stop.load(Ordering::Relaxed) {
            return Err(None);
        }
        let turn = game.turn();
        if turn != Turn::Terminal && step >= longest {
            let message = format!("the game goes on after {step} actions, the most it can have");
            return Err(failed(FailureKind::Game, None, step, message));
        }
        match turn {
            Turn::Terminal => return Ok(()),
            Turn::Chance(_) => match catch(|| game.roll()) {
                Ok(Some(_)) => {}
                Ok(None) => {
                    let message = "chance could not act although it was its turn".to_owned();
                    return Err(failed(FailureKind::Game, None, step, message));
                }
                Err(message) => return Err(failed(FailureKind::Game, None, step, message)),
            },
            Turn::Seat(seat) => {
                let index = usize::from(seat);
                let (Some(player), Some(effort)) = (players.get_mut(index), efforts.get_mut(index)) else {
                    let message = format!("it is the turn of seat {seat}, where nobody sits");
                    return Err(failed(FailureKind::Game, None, step, message));
                };
                let seed = luck.stream(STREAM_PLAYER + u64::from(seat), step as u64).next_u64();
                let thinking = Thinking::new(table.budget, table.clock, table.stop, seed);
                let before = table.clock.now();
                let answer = catch(|| player.analyze(&*game, &thinking));
                effort.seconds += table.clock.now().saturating_sub(before).as_secs_f64();
                effort.moves += 1;
                if table.stop.load(Ordering::Relaxed) {
                    return Err(None);
                }
                let analysis = match answer {
                    Ok(Ok(analysis)) => analysis,
                    Ok(Err(error)) => return Err(failed(FailureKind::Error, Some(seat), step, error.message)),
                    Err(panic) => return Err(failed(FailureKind::Crash, Some(seat), step, panic)),
                };
                effort.visits += analysis.visits;
                let Some(best) = analysis.best() else {
                    let message = "the player answered without an action".to_owned();
                    return Err(failed(FailureKind::Error, Some(seat), step, message));
                };
                match catch(|| game.play(&best.action)) {
                    Ok(Ok(())) => {}
                    Ok(Err(illegal)) => {
                        let action: String = best.action.chars().take(80).collect();
                        let message = format!("'{action}' is not legal: {illegal}");
                        return Err(failed(FailureKind::Illegal, Some(seat), step, message));
                    }
                    Err(panic) => return Err(failed(FailureKind::Game, None, step, panic)),
                }
            }
        }
    }
}

/// Calls `f`; a panic becomes its message. What `f` used may be inconsistent afterwards and must not be used again.
pub(crate) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| format!("panic: {}", panic_message(&*payload)))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "of unknown kind".to_owned()).chars().take(400).collect()
}
