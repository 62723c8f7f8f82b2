//! Returns, utilities, static facts and the length of games.

use super::memory::Memory;
use super::{Verdict, demand};
use crate::Game;

/// Results have their sizes and bounds; `length` actions were played.
pub(super) fn results<G: Game>(state: &G, length: usize, memory: &mut Memory<G>) -> Verdict {
    let meta = state.meta();
    demand!(meta == memory.meta, "meta.constant", "meta() changed in mid-game from {:?} to {meta:?}", memory.meta);
    demand!(
        length <= meta.max_length as usize,
        "meta.max_length",
        "the game has {length} actions, but meta() says it has at most {}",
        meta.max_length
    );
    let (returns, utility) = (state.returns(), state.utility());
    for (name, payoff) in [("returns", returns), ("utility", utility)] {
        demand!(
            payoff.players() == meta.players && payoff.as_slice().iter().all(|x| x.is_finite()),
            "payoff.shape",
            "{name} is {payoff:?}, it must be one number for each of {} players",
            meta.players
        );
    }
    demand!(
        utility.as_slice().iter().all(|u| (0.0..=1.0).contains(u)),
        "payoff.utility",
        "utility is {utility:?}, its entries must be from 0 to 1"
    );
    if !state.turn().is_terminal() {
        return Ok(());
    }
    demand!(
        returns.as_slice().iter().all(|r| (meta.min_return..=meta.max_return).contains(r)),
        "payoff.bounds",
        "the returns {returns:?} leave the bounds {} to {} of meta()",
        meta.min_return,
        meta.max_return
    );
    if meta.zero_sum {
        let sum: f64 = returns.as_slice().iter().sum();
        let before = *memory.sum.get_or_insert(sum);
        demand!(
            (sum - before).abs() < 1e-9,
            "payoff.zero_sum",
            "the returns {returns:?} sum to {sum}, those of an earlier game to {before}; meta() says the sum is constant"
        );
    }
    Ok(())
}
