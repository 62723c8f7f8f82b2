//! The report of a match: a function of the results alone, so that it is the same however they were obtained.

use std::collections::BTreeMap;

use kiebitz_core::Seat;
use serde::Serialize;

use crate::journal::MatchIdentity;
use crate::pairing::Schedule;
use crate::stats::{BlockScores, EloEstimate, Interval, NormalizedElo, Pairing, pairing, wilson};
use crate::{Failure, FailureKind, GameResult, Place};

/// How many failures a report describes one by one.
const NOTED_FAILURES: usize = 20;

/// The report of a match.
///
/// Wins, scores and intervals count the games of complete blocks only, in which every game has a result: a failed game is
/// neither a win nor a loss of anybody, and its block would favour the seats of the games that are left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// What was played.
    #[serde(rename = "match")]
    pub identity: MatchIdentity,
    /// How many games make a block.
    pub block_size: usize,
    /// How many games there were.
    pub games: GameCounts,
    /// The largest share of failed games of a valid match.
    pub max_failures: f64,
    /// Whether the share of failed games is not larger than `max_failures`.
    pub valid: bool,
    /// How long games were, in steps, chance included.
    pub length: LengthSummary,
    /// Every contestant.
    pub players: Vec<PlayerReport>,
    /// Every two contestants that met.
    pub pairs: Vec<PairReport>,
    /// Every seat, whoever sat there.
    pub seats: Vec<SeatReport>,
    /// The first failures, by id.
    pub failures: Vec<FailureNote>,
}

/// How many games there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// Games of the schedule.
    pub scheduled: u64,
    /// Games played to a result.
    pub finished: u64,
    /// Games without result.
    pub failed: u64,
    /// Games that were not played, since the match was interrupted.
    pub missing: u64,
    /// Games that count: those of complete blocks.
    pub counted: u64,
    /// Complete blocks.
    pub blocks: u64,
}

/// How long games were.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LengthSummary {
    /// The mean; 0 without any game.
    pub mean: f64,
    /// The shortest.
    pub shortest: u64,
    /// The longest.
    pub longest: u64,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Alone at the top; of a pair, ahead of the other.
    pub wins: u64,
    /// At the top with others; of a pair, level with the other.
    pub draws: u64,
    /// Anything else.
    pub losses: u64,
}

impl Tally {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(crate) fn add(&mut self, place: Place) {
        match place {
            Place::Win => self.wins += 1,
            Place::Draw(_) => self.draws += 1,
            Place::Loss => self.losses += 1,
        }
    }
}

/// A mean with its standard error over blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` with fewer than two blocks.
    pub error: Option<f64>,
}

/// Games that failed by a contestant's fault, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FailureCounts {
    /// It panicked.
    pub crash: u64,
    /// It chose an illegal action.
    pub illegal: u64,
    /// It gave an error instead of an answer.
    pub error: u64,
}

impl FailureCounts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.crash + self.illegal + self.error
    }
}

/// One contestant in one seat, or anybody in one seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeatReport {
    /// The seat.
    pub seat: Seat,
    /// Its results there.
    #[serde(flatten)]
    pub tally: Tally,
    /// The share of games won, a win shared by n counting 1/n.
    pub win_share: f64,
    /// Wilson's 95 % interval of the win share.
    pub wilson: Interval,
}

/// One contestant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerReport {
    /// Its spec.
    pub name: String,
    /// Its results, every seat it had in a game counting once.
    #[serde(flatten)]
    pub tally: Tally,
    /// The share of games won, a win shared by n counting 1/n.
    pub win_share: f64,
    /// Wilson's 95 % interval of the win share.
    pub wilson: Interval,
    /// The win share of equal players.
    pub null_share: f64,
    /// The mean share of opponents it fared better than, level counting one half; one half for equal players.
    pub score: f64,
    /// The Elo difference from its opponents that explains `score`, with its interval over blocks.
    pub elo: EloEstimate,
    /// By how many of the game's own points it was ahead, see [`GameResult::margin`].
    pub margin: Mean,
    /// Decisions per game.
    pub moves_per_game: f64,
    /// Simulations per decision.
    pub visits_per_move: f64,
    /// Its results by seat.
    pub seats: Vec<SeatReport>,
    /// Games that failed by its fault.
    pub failures: FailureCounts,
}

/// Two contestants against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairReport {
    /// The first, an index into the contestants.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// The results of `a`, every two seats of a game counting once.
    #[serde(flatten)]
    pub tally: Tally,
    /// The mean score of `a` over blocks, level counting one half.
    pub score: f64,
    /// Wilson's 95 % interval of the score, as if games were independent.
    pub wilson: Interval,
    /// The Elo difference of `a` from `b`, with its interval over blocks.
    pub elo: EloEstimate,
    /// The same, normalised.
    pub normalized_elo: Option<NormalizedElo>,
    /// The likelihood that `a` is the better player.
    pub los: Option<f64>,
    /// How many blocks had which mean score of `a`, by score.
    pub block_scores: Vec<(f64, u64)>,
    /// How the games of a block hang together.
    pub pairing: Option<Pairing>,
    /// How many more points `a` made, in the game's own points.
    pub margin: Mean,
}

/// A failed game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureNote {
    /// The game.
    pub id: u64,
    /// Its seed.
    pub seed: u64,
    /// The contestant to blame.
    pub player: Option<usize>,
    /// What happened.
    #[serde(flatten)]
    pub failure: Failure,
}

impl Report {
    /// The report on `results`, by id. Results beyond the schedule are left out.
    pub(crate) fn new(
        identity: MatchIdentity,
        schedule: &Schedule,
        results: &BTreeMap<u64, GameResult>,
        max_failures: f64,
        zero_sum: bool,
    ) -> Self {
        let played: Vec<&GameResult> = results.range(..schedule.games()).map(|(_, r)| r).collect();
        let failed = played.iter().filter(|r| !r.is_finished()).count() as u64;
        let size = schedule.block_size();
        // Results are in the order of ids, so the games of a block follow each other.
        let blocks: Vec<&[&GameResult]> = played
            .chunk_by(|a, b| a.block == b.block)
            .filter(|block| block.len() == size && block.iter().all(|r| r.is_finished()))
            .collect();
        let counted: Vec<&GameResult> = blocks.iter().flat_map(|b| b.iter().copied()).collect();
        let games = GameCounts {
            scheduled: schedule.games(),
            finished: played.len() as u64 - failed,
            failed,
            missing: schedule.games() - played.len() as u64,
            counted: counted.len() as u64,
            blocks: blocks.len() as u64,
        };
        let contestants = identity.contestants.len();
        let players = (0..contestants)
            .map(|p| player_report(&identity.contestants[p], p, size, &blocks, &counted, &played, zero_sum))
            .collect();
        let pairs = (0..contestants)
            .flat_map(|a| (a + 1..contestants).map(move |b| (a, b)))
            .filter_map(|(a, b)| pair_report(a, b, size, &blocks))
            .collect();
        let failures = played.iter().filter_map(|r| note(r)).take(NOTED_FAILURES).collect();
        Report {
            block_size: size,
            games,
            max_failures,
            valid: failed as f64 <= max_failures * played.len() as f64,
            length: length_summary(&counted),
            players,
            pairs,
            seats: (0..size).map(|seat| seat_report(seat, &counted, |_| true)).collect(),
            failures,
            identity,
        }
    }

    /// The share of the games played that failed.
    pub fn failure_share(&self) -> f64 {
        self.games.failed as f64 / (self.games.failed + self.games.finished).max(1) as f64
    }
}

fn ratio(sum: f64, n: u64) -> f64 {
    if n == 0 { 0.0 } else { sum / n as f64 }
}

fn win_share(result: &GameResult, seat: usize) -> f64 {
    match result.place(seat) {
        Place::Win => 1.0,
        Place::Draw(n) => 1.0 / n as f64,
        Place::Loss => 0.0,
    }
}

/// The seats of a contestant in a game.
fn seats_of(result: &GameResult, player: usize) -> impl Iterator<Item = usize> + '_ {
    result.lineup.iter().enumerate().filter(move |(_, p)| **p == player).map(|(seat, _)| seat)
}

fn length_summary(games: &[&GameResult]) -> LengthSummary {
    let lengths = || games.iter().map(|r| r.length);
    LengthSummary {
        mean: ratio(lengths().sum::<u64>() as f64, games.len() as u64),
        shortest: lengths().min().unwrap_or(0),
        longest: lengths().max().unwrap_or(0),
    }
}

/// The results in one seat, of the games in which `counts` accepts who sits there.
fn seat_report(seat: usize, games: &[&GameResult], counts: impl Fn(usize) -> bool) -> SeatReport {
    let (mut tally, mut share) = (Tally::default(), 0.0);
    for result in games.iter().filter(|r| counts(r.lineup[seat])) {
        tally.add(result.place(seat));
        share += win_share(result, seat);
    }
    let total = tally.total();
    SeatReport { seat: seat as Seat, tally, win_share: ratio(share, total), wilson: wilson(share, total) }
}

/// The mean of one number per block, with its standard error (population variance, as for scores).
fn mean_of(values: &[f64]) -> Mean {
    let n = values.len() as f64;
    let mean = ratio(values.iter().sum(), values.len() as u64);
    let variance = ratio(values.iter().map(|x| (x - mean).powi(2)).sum(), values.len() as u64);
    Mean { mean, error: (values.len() > 1).then(|| (variance / n).sqrt()) }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0u64), |(sum, n), x| (sum + x, n + 1));
    (n > 0).then(|| sum / n as f64)
}

fn player_report(
    name: &str,
    player: usize,
    size: usize,
    blocks: &[&[&GameResult]],
    counted: &[&GameResult],
    played: &[&GameResult],
    zero_sum: bool,
) -> PlayerReport {
    let (mut tally, mut share) = (Tally::default(), 0.0);
    let (mut moves, mut visits) = (0, 0);
    for result in counted {
        for seat in seats_of(result, player) {
            tally.add(result.place(seat));
            share += win_share(result, seat);
            moves += result.effort[seat].moves;
            visits += result.effort[seat].visits;
        }
    }
    let total = tally.total();
    let block_mean = |f: &dyn Fn(&GameResult, usize) -> Option<f64>| -> Vec<f64> {
        let games = |block: &[&GameResult]| {
            mean(block.iter().flat_map(|&r| seats_of(r, player).map(move |s| (r, s))).filter_map(|(r, s)| f(r, s)))
        };
        blocks.iter().filter_map(|block| games(block)).collect()
    };
    // Against the seats of other contestants; its own other seats say nothing about its strength.
    let scores = block_mean(&|r, seat| {
        mean((0..size).filter(|&other| r.lineup[other] != player).map(|other| r.compare(seat, other)))
    });
    let scores = BlockScores::new(scores);
    let mut failures = FailureCounts::default();
    for result in played {
        let Some(Failure { kind, seat: Some(seat), .. }) = &result.failure else { continue };
        if result.lineup.get(usize::from(*seat)) == Some(&player) {
            match kind {
                FailureKind::Crash => failures.crash += 1,
                FailureKind::Illegal => failures.illegal += 1,
                FailureKind::Error => failures.error += 1,
                FailureKind::Game => {}
            }
        }
    }
    PlayerReport {
        name: name.to_owned(),
        tally,
        win_share: ratio(share, total),
        wilson: wilson(share, total),
        null_share: 1.0 / size as f64,
        score: scores.mean(),
        elo: scores.elo(),
        margin: mean_of(&block_mean(&|r, seat| Some(r.margin(seat, zero_sum)))),
        moves_per_game: ratio(moves as f64, total),
        visits_per_move: ratio(visits as f64, moves),
        seats: (0..size).map(|seat| seat_report(seat, counted, |p| p == player)).collect(),
        failures,
    }
}

/// The head-to-head of two contestants; `None` when they did not meet in a counted game.
fn pair_report(a: usize, b: usize, size: usize, blocks: &[&[&GameResult]]) -> Option<PairReport> {
    let mut tally = Tally::default();
    let (mut block_games, mut margins) = (Vec::new(), Vec::new());
    for block in blocks {
        let (mut games, mut margin) = (Vec::new(), Vec::new());
        for &result in *block {
            let met: Vec<(usize, usize)> =
                seats_of(result, a).flat_map(|sa| seats_of(result, b).map(move |sb| (sa, sb))).collect();
            for &(sa, sb) in &met {
                match result.compare(sa, sb) {
                    1.0 => tally.wins += 1,
                    0.0 => tally.losses += 1,
                    _ => tally.draws += 1,
                }
            }
            games.extend(mean(met.iter().map(|&(sa, sb)| result.compare(sa, sb))));
            margin.extend(mean(met.iter().map(|&(sa, sb)| result.returns[sa] - result.returns[sb])));
        }
        if let Some(margin) = mean(margin.into_iter()) {
            margins.push(margin);
            block_games.push(games);
        }
    }
    if block_games.is_empty() {
        return None;
    }
    let scores: Vec<f64> = block_games.iter().map(|g| g.iter().sum::<f64>() / g.len() as f64).collect();
    // Rounded, since equal means may have been summed in different orders.
    let mut sorted: Vec<f64> = scores.iter().map(|s| (s * 1e9).round() / 1e9).collect();
    sorted.sort_by(f64::total_cmp);
    let block_scores = sorted.chunk_by(|x, y| x == y).map(|c| (c[0], c.len() as u64)).collect();
    let scores = BlockScores::new(scores);
    Some(PairReport {
        a,
        b,
        score: scores.mean(),
        wilson: wilson(tally.wins as f64 + tally.draws as f64 / 2.0, tally.total()),
        tally,
        elo: scores.elo(),
        normalized_elo: scores.normalized_elo(size),
        los: scores.los(),
        block_scores,
        pairing: pairing(&block_games),
        margin: mean_of(&margins),
    })
}

fn note(result: &GameResult) -> Option<FailureNote> {
    let failure = result.failure.clone()?;
    let player = failure.seat.and_then(|seat| result.lineup.get(usize::from(seat)).copied());
    Some(FailureNote { id: result.id, seed: result.seed, player, failure })
}
