//! Looking at a whole game: what each move lost against the best one, with its error.

use kiebitz_core::record::{By, Line, ReadRecord, What};
use kiebitz_core::{Analysis, Candidate, DynGame, DynPlayer, Estimate, PlayerError, Reason, Seat, Thinking, Turn};
use serde::{Deserialize, Serialize};

use crate::reasons::are_points_known;
use crate::replay::{self, ReplayError};

/// A candidate is compared within one analysis when it has at least this share of the best one's visits; with fewer, its value
/// is taken from the position after it.
const SHARE: f64 = 0.1;
/// A loss counts when it exceeds this many standard errors.
const SIGNIFICANT: f64 = 2.0;
/// And when both values come from at least this many visits: with fewer, the standard error itself is not to be trusted (three
/// playouts that all win have none).
const ENOUGH_VISITS: u64 = 25;
/// Makes the seed of a second look another one.
const SECOND_LOOK: u64 = 0x5ec0_4d10_0c5e_ed00;

/// What to review and how.
#[derive(Clone, Copy, Debug)]
pub struct ReviewOptions {
    /// The first and the last move to look at, from 1.
    pub from: usize,
    /// See `from`.
    pub to: usize,
    /// For how many of the worst moves reasons are given.
    pub worst: usize,
}

impl Default for ReviewOptions {
    fn default() -> Self {
        ReviewOptions { from: 1, to: usize::MAX, worst: 5 }
    }
}

/// One move of a game under review. Values are those of the seat that moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReview {
    /// The move's number, from 1: actions of chance and events do not count.
    pub number: usize,
    /// The record's step (0 for the first line after the header).
    pub step: usize,
    /// Who moved.
    pub seat: Seat,
    /// What was played.
    pub action: String,
    /// What the player would have played.
    pub best: String,
    /// The line it expects after that.
    pub pv: Vec<String>,
    /// The seat's utility with best play: its chance to win where a game is won or lost, else its expected result scaled to `[0, 1]`.
    pub win_rate: Estimate,
    /// The seat's returns in the game's points with best play, where known.
    pub points: Option<Estimate>,
    /// How much utility the move lost against the best; `None` when the played move was not looked at.
    pub win_rate_loss: Option<Estimate>,
    /// How many points it lost.
    pub points_loss: Option<Estimate>,
    /// The loss exceeds twice its standard error, in a second look as well, and both values have visits enough to say so.
    pub mistake: bool,
    /// Simulations spent on the position.
    pub visits: u64,
    /// Simulations behind the value of the best move; `None` when it is exact.
    pub best_visits: Option<u64>,
    /// Simulations behind the value of the played move; `None` when it is exact or not known.
    pub played_visits: Option<u64>,
    /// Why the best move is good, for the worst moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
}

impl MoveReview {
    /// The loss the ranking uses: points where known, else utility.
    pub fn loss(&self) -> Option<Estimate> {
        self.points_loss.or(self.win_rate_loss)
    }
}

/// A game under review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The game's name.
    pub game: String,
    /// The spec of the player who looked.
    pub player: String,
    /// The result, if the game has ended.
    pub result: Option<String>,
    /// The moves in order.
    pub moves: Vec<MoveReview>,
    /// Indices into `moves`: the mistakes, the worst first.
    pub worst: Vec<usize>,
}

/// Why a review stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReviewError {
    /// The record cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The player gave no answer.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// Whether the line is a decision of the seat to move, and whose.
fn decision(game: &dyn DynGame, line: &Line) -> Option<Seat> {
    match (game.turn(), line.by(), line.what()) {
        (Turn::Seat(seat), By::Seat(by), What::Action(_)) if seat == by => Some(seat),
        _ => None,
    }
}

/// The number of moves a review would look at.
///
/// # Errors
/// When the record cannot be replayed.
pub fn count_moves(read: &ReadRecord) -> Result<usize, ReplayError> {
    let mut game = replay::start(&read.record.header)?;
    let mut moves = 0;
    for index in 0..read.record.lines.len() {
        moves += usize::from(decision(game.as_ref(), &read.record.lines[index]).is_some());
        replay::step(read, index, game.as_mut())?;
    }
    Ok(moves)
}

/// The numbers of the moves that had no alternative, as [`MoveReview::number`] counts.
///
/// # Errors
/// When the record cannot be replayed.
pub fn forced_moves(read: &ReadRecord) -> Result<Vec<usize>, ReplayError> {
    let mut game = replay::start(&read.record.header)?;
    let (mut number, mut forced) = (0, Vec::new());
    for index in 0..read.record.lines.len() {
        if decision(game.as_ref(), &read.record.lines[index]).is_some() {
            number += 1;
            if game.legal().len() == 1 {
                forced.push(number);
            }
        }
        replay::step(read, index, game.as_mut())?;
    }
    Ok(forced)
}

/// Looks at every move. `progress` receives the number of positions done so far; the review ends early, with what it has, when
/// `thinking.stop` is set.
///
/// # Errors
/// When the record cannot be replayed or the player refuses the game.
pub fn review(
    read: &ReadRecord,
    player: &mut dyn DynPlayer,
    thinking: &Thinking<'_>,
    options: &ReviewOptions,
    mut progress: impl FnMut(usize),
) -> Result<Review, ReviewError> {
    let mut game = replay::start(&read.record.header)?;
    let mut review = Review {
        game: game.id().to_owned(),
        player: player.spec().to_string(),
        result: None,
        moves: Vec::new(),
        worst: Vec::new(),
    };
    let mut number = 0;
    let hidden = game.meta().hidden;
    // The move whose value after it is taken from the next position.
    let mut open: Option<usize> = None;
    player.reset();
    for index in 0..read.record.lines.len() {
        let line = &read.record.lines[index];
        if let Some(seat) = decision(game.as_ref(), line) {
            number += 1;
            let wanted = (options.from..=options.to).contains(&number);
            if thinking.stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            if wanted || open.is_some() {
                let analysis = player.analyze(game.as_ref(), thinking)?;
                close(&mut review, &mut open, analysis.best());
                if wanted && let What::Action(text) = line.what() {
                    let action = game.canonical(text).unwrap_or_else(|_| text.to_owned());
                    let (mut entry, closed) = judge(&analysis, seat, number, index, action);
                    if !closed && hidden {
                        // The player of the next move knows what the one who moved did not.
                        if let Some(played) = value_by(game.as_ref(), player, thinking, &entry.action)? {
                            let (win_rate, points) = (entry.win_rate, entry.points);
                            compare(&mut entry, win_rate, points, &played, usize::from(seat));
                        }
                    } else if !closed {
                        open = Some(review.moves.len());
                    }
                    review.moves.push(entry);
                }
                progress(review.moves.len());
            }
        } else {
            // A resignation or a set-up: the position before it still tells what the move was worth.
            if open.is_some() && matches!(line.what(), What::Event(_) | What::Setup(_)) {
                close_at_end(&mut review, &mut open, game.as_ref(), player, thinking)?;
            }
            open = None;
        }
        replay::step(read, index, game.as_mut())?;
    }
    if open.is_some() {
        close_at_end(&mut review, &mut open, game.as_ref(), player, thinking)?;
    }
    review.result = game.result();
    rank(&mut review);
    confirm(&mut review, read, player, thinking)?;
    explain(&mut review, read, player, thinking, options.worst)?;
    Ok(review)
}

/// Compares the played move with the best within one analysis. The second value is `false` when the played move had too few
/// visits for that.
fn judge(analysis: &Analysis, seat: Seat, number: usize, step: usize, action: String) -> (MoveReview, bool) {
    let s = usize::from(seat);
    let none = Estimate { mean: 0.0, error: 0.0 };
    let best = analysis.best();
    let mut entry = MoveReview {
        number,
        step,
        seat,
        best: best.map(|b| b.action.clone()).unwrap_or_default(),
        pv: best.map(|b| b.pv.clone()).unwrap_or_default(),
        win_rate: best.and_then(|b| b.utility.get(s).copied()).unwrap_or(none),
        points: best.and_then(|b| points_of(b, s)),
        win_rate_loss: None,
        points_loss: None,
        mistake: false,
        visits: analysis.visits,
        best_visits: best.filter(|b| !b.proven).map(|b| b.visits),
        played_visits: None,
        reasons: Vec::new(),
        action,
    };
    if entry.action == entry.best {
        entry.win_rate_loss = Some(none);
        entry.points_loss = entry.points.map(|_| none);
        entry.played_visits = entry.best_visits;
        return (entry, true);
    }
    let Some(played) = analysis.candidate(&entry.action) else { return (entry, false) };
    let (win_rate, points) = (entry.win_rate, entry.points);
    compare(&mut entry, win_rate, points, played, s);
    // Searches that only bound the other moves' values, and single playouts, say so by an error of one half.
    let known = played.utility.get(s).is_some_and(|e| e.error < 0.5);
    let enough = best.is_some_and(|b| played.proven || known && played.visits as f64 >= SHARE * b.visits as f64);
    (entry, enough)
}

/// The loss of a move whose value is `after`, where the best one is worth `win_rate` and `points`.
fn compare(entry: &mut MoveReview, win_rate: Estimate, points: Option<Estimate>, after: &Candidate, seat: usize) {
    entry.played_visits = (!after.proven).then_some(after.visits);
    let loss = |best: Estimate, played: Estimate| Estimate {
        mean: best.mean - played.mean,
        error: (best.error * best.error + played.error * played.error).sqrt(),
    };
    entry.win_rate_loss = after.utility.get(seat).map(|&played| loss(win_rate, played));
    entry.points_loss = match (points, points_of(after, seat)) {
        (Some(best), Some(played)) => Some(loss(best, played)),
        _ => None,
    };
}

/// The points of a seat, where they are known: one playout says nothing about them.
fn points_of(candidate: &Candidate, seat: usize) -> Option<Estimate> {
    candidate.returns.get(seat).copied().filter(|&e| candidate.proven || are_points_known(e))
}

fn close(review: &mut Review, open: &mut Option<usize>, next: Option<&Candidate>) {
    if let (Some(index), Some(next)) = (open.take(), next) {
        let entry = &mut review.moves[index];
        let (seat, win_rate, points) = (usize::from(entry.seat), entry.win_rate, entry.points);
        compare(entry, win_rate, points, next, seat);
    }
}

fn close_at_end(
    review: &mut Review,
    open: &mut Option<usize>,
    game: &dyn DynGame,
    player: &mut dyn DynPlayer,
    thinking: &Thinking<'_>,
) -> Result<(), ReviewError> {
    close(review, open, value_of(game, player, thinking)?.as_ref());
    Ok(())
}

/// What an action is worth in the eyes of the seat to move, by a search that may choose no other; `None` where it tells nothing.
fn value_by(
    game: &dyn DynGame,
    player: &mut dyn DynPlayer,
    thinking: &Thinking<'_>,
    action: &str,
) -> Result<Option<Candidate>, ReviewError> {
    let only = [action.to_owned()];
    match player.analyze(game, &Thinking { only: Some(&only), progress: None, ..*thinking }) {
        Ok(analysis) => Ok(analysis.candidate(action).cloned()),
        // Of a few visits none may have gone to it.
        Err(e) if e.code == "player.only" => Ok(None),
        Err(e) => Err(e.into()),
    }
}

/// What a position is worth: by its best move, or exactly where the game is over. `None` where chance moves.
fn value_of(
    game: &dyn DynGame,
    player: &mut dyn DynPlayer,
    thinking: &Thinking<'_>,
) -> Result<Option<Candidate>, ReviewError> {
    match game.turn() {
        Turn::Seat(_) => Ok(player.analyze(game, thinking)?.best().cloned()),
        Turn::Terminal => {
            let exact = |v: &[f64]| v.iter().map(|&mean| Estimate { mean, error: 0.0 }).collect::<Vec<_>>();
            Ok(Some(Candidate {
                action: String::new(),
                visits: 0,
                prior: None,
                utility: exact(game.utility().as_slice()),
                returns: exact(game.returns().as_slice()),
                pv: Vec::new(),
                pv_visits: Vec::new(),
                proven: true,
                reasons: Vec::new(),
            }))
        }
        Turn::Chance(_) => Ok(None),
    }
}

/// Looks at each mistake again, from the position after the best move and from the one after the played move, with luck of
/// their own; what that says counts. The first look chose the best of many noisy values, so that it promises too much. Where cards
/// are hidden both are looked at from the position before, with what the seat knew.
fn confirm(
    review: &mut Review,
    read: &ReadRecord,
    player: &mut dyn DynPlayer,
    thinking: &Thinking<'_>,
) -> Result<(), ReviewError> {
    let again = Thinking { seed: thinking.seed ^ SECOND_LOOK, progress: None, ..*thinking };
    for index in review.worst.clone() {
        let entry = &review.moves[index];
        let mut values = [None, None];
        for (value, action) in values.iter_mut().zip([&entry.best, &entry.action]) {
            let mut game = replay::replay(read, Some(entry.step))?;
            if game.meta().hidden {
                player.reset();
                *value = value_by(game.as_ref(), player, &again, action)?;
            } else if game.play(action).is_ok() {
                player.reset();
                *value = value_of(game.as_ref(), player, &again)?;
            }
        }
        if thinking.stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        let [Some(best), Some(played)] = values else { continue };
        let entry = &mut review.moves[index];
        let seat = usize::from(entry.seat);
        let Some(&win_rate) = best.utility.get(seat) else { continue };
        entry.best_visits = (!best.proven).then_some(best.visits);
        compare(entry, win_rate, points_of(&best, seat), &played, seat);
    }
    rank(review);
    Ok(())
}

fn rank(review: &mut Review) {
    for entry in &mut review.moves {
        let enough = [entry.best_visits, entry.played_visits].iter().all(|v| v.is_none_or(|v| v >= ENOUGH_VISITS));
        entry.mistake = enough && entry.loss().is_some_and(|l| l.mean > 0.0 && l.mean > SIGNIFICANT * l.error);
    }
    let loss = |i: usize| review.moves[i].loss().map_or(0.0, |l| l.mean);
    let mut worst: Vec<usize> = (0..review.moves.len()).filter(|&i| review.moves[i].mistake).collect();
    worst.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
    review.worst = worst;
}

/// Reasons for the best move where the worst mistakes were made. Positions are looked at again, for reasons cost playouts.
fn explain(
    review: &mut Review,
    read: &ReadRecord,
    player: &mut dyn DynPlayer,
    thinking: &Thinking<'_>,
    worst: usize,
) -> Result<(), ReviewError> {
    for &index in review.worst.iter().take(worst) {
        if thinking.stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        let game = replay::replay(read, Some(review.moves[index].step))?;
        player.reset();
        let again = Thinking { reasons: 1, progress: None, ..*thinking };
        let analysis = player.analyze(game.as_ref(), &again)?;
        let entry = &mut review.moves[index];
        if let Some(best) = analysis.candidate(&entry.best) {
            entry.reasons = best.reasons.clone();
        }
    }
    Ok(())
}
