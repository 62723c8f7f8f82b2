//! Perft: the number of action sequences of each length, the classical test of move generators.

use crate::{Game, Turn};

/// The result of a perft; `A` is the game's action, or its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft<A> {
    /// `counts[d - 1]` is the number of sequences of exactly `d` actions, the outcomes of listed chance counted as actions.
    /// A game that ended earlier is not counted at a deeper depth.
    pub counts: Vec<u64>,
    /// For each first action, in action order, the number of sequences of the full depth that start with it.
    pub divide: Vec<(A, u64)>,
}

/// Why sequences cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// The depth is 0.
    #[error("the depth is 0; it must be at least 1")]
    NoDepth,
    /// A chance event whose outcomes are not listed.
    #[error(
        "the sequences cannot be counted: action {ply} is the chance event '{kind}', whose outcomes are only drawn, not listed; \
         {}start from a position after it",
        if *ply > 1 { "choose a smaller depth or " } else { "every depth reaches it: " }
    )]
    Sampled {
        /// The kind of event, see [`crate::ChanceKind`].
        kind: &'static str,
        /// The place of the event in the sequence, from 1.
        ply: usize,
    },
}

impl PerftError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            PerftError::NoDepth => "perft.depth",
            PerftError::Sampled { .. } => "perft.sampled",
        }
    }
}

/// Counts the action sequences of each length from 1 to `depth` that start in `state`.
///
/// Actions are made and taken back on one state; those of the last depth are only listed, not made.
///
/// # Errors
/// When `depth` is 0, or a chance event within the depth is only sampled.
pub fn perft<G: Game>(state: &G, depth: u8) -> Result<Perft<G::Action>, PerftError> {
    let mut counts = vec![0; usize::from(depth)];
    let mut buffers = vec![Vec::new(); usize::from(depth)];
    let Some((first, deeper)) = buffers.split_first_mut() else { return Err(PerftError::NoDepth) };
    let mut state = state.clone();
    list(&state, first, 1)?;
    counts[0] = first.len() as u64;
    let mut divide = Vec::with_capacity(first.len());
    for &action in first.iter() {
        let before = counts.last().copied().unwrap_or(0);
        let below = if deeper.is_empty() {
            1
        } else {
            let undo = state.apply_undo(action);
            count(&mut state, &mut counts[1..], deeper, 2)?;
            state.undo(undo);
            counts.last().copied().unwrap_or(0) - before
        };
        divide.push((action, below));
    }
    Ok(Perft { counts, divide })
}

/// Adds the sequences from `state` to `counts`, whose first entry belongs to the next action, the `ply`-th.
fn count<G: Game>(
    state: &mut G,
    counts: &mut [u64],
    buffers: &mut [Vec<G::Action>],
    ply: usize,
) -> Result<(), PerftError> {
    let (Some((here, deeper_counts)), Some((actions, deeper))) = (counts.split_first_mut(), buffers.split_first_mut())
    else {
        return Ok(());
    };
    list(state, actions, ply)?;
    *here += actions.len() as u64;
    if !deeper.is_empty() {
        for &action in actions.iter() {
            let undo = state.apply_undo(action);
            count(state, deeper_counts, deeper, ply + 1)?;
            state.undo(undo);
        }
    }
    Ok(())
}

/// Writes the actions possible in `state`.
fn list<G: Game>(state: &G, actions: &mut Vec<G::Action>, ply: usize) -> Result<(), PerftError> {
    match state.turn() {
        Turn::Terminal => actions.clear(),
        Turn::Seat(_) => state.actions(actions),
        Turn::Chance(kind) => match state.meta().chance.get(usize::from(kind)) {
            Some(kind) if !kind.listed => return Err(PerftError::Sampled { kind: kind.name, ply }),
            _ => state.actions(actions),
        },
    }
    Ok(())
}
