//! What a game can tell a search beyond its rules: playouts, priors, evaluations, reasons. All of it optional.

use serde_json::{Map, Value};

use crate::{Estimate, Game, Payoff, Reason, Rng, Seat, Seen, Settings, SpecError, Turn, Weighted};

/// Buffers that a search keeps for each thread, so that playouts do not allocate.
#[derive(Debug)]
pub struct Scratch<G: Game, B = ()> {
    /// Legal actions.
    pub actions: Vec<G::Action>,
    /// Chance outcomes.
    pub weighted: Weighted<G::Action>,
    /// What the game's knowledge wants to keep between playouts, such as a fast board.
    pub own: B,
}

impl<G: Game, B: Default> Default for Scratch<G, B> {
    fn default() -> Self {
        Scratch { actions: Vec::new(), weighted: Vec::new(), own: B::default() }
    }
}

/// The end of a playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// As [`Game::utility`]: `[0, 1]` per seat.
    pub utility: Payoff,
    /// As [`Game::returns`]: the game's own points per seat.
    pub returns: Payoff,
}

impl Outcome {
    /// The outcome of a finished game.
    pub fn of<G: Game>(game: &G) -> Self {
        Outcome { utility: game.utility(), returns: game.returns() }
    }
}

/// An action that is proven to win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proven<A> {
    /// The action.
    pub action: A,
    /// Its exact utility, where the proof tells it.
    pub utility: Option<Payoff>,
}

/// One named part of an evaluation, in the game's own points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueTerm {
    /// Its name, stable across versions.
    pub name: &'static str,
    /// Its amount before weighting.
    pub amount: f64,
    /// Its weight; the value is the sum of `amount * weight`.
    pub weight: f64,
}

/// The moves of a playout, in order, each with its seat. Feeds all-moves-as-first statistics.
pub type Trace<A> = Vec<(Seat, A)>;

/// Optional knowledge of a game. [`Uniform`] has none.
pub trait Knowledge<G: Game>: Send + Sync {
    /// What one thread keeps between playouts; see [`Scratch::own`].
    type Buffer: Default + Send;

    /// This knowledge with the settings of a player spec, such as the parts of a playout policy. The default has no settings.
    ///
    /// # Errors
    /// When a value cannot be used.
    fn read(&self, _settings: &mut Settings) -> Result<Self, SpecError>
    where
        Self: Sized + Clone,
    {
        Ok(self.clone())
    }

    /// Plays `game` to its end and returns the outcome. May use the game's own fast board instead of `game`, whose state
    /// afterwards is unspecified. `trace`, when given, receives the players' moves (it is not cleared). The default plays
    /// by [`Knowledge::pick`].
    fn playout(
        &self,
        game: &mut G,
        rng: &mut Rng,
        scratch: &mut Scratch<G, Self::Buffer>,
        mut trace: Option<&mut Trace<G::Action>>,
    ) -> Outcome {
        loop {
            match game.turn() {
                Turn::Terminal => return Outcome::of(game),
                Turn::Chance(_) => {
                    let action = game.sample(rng, &mut scratch.weighted);
                    game.apply(action);
                }
                Turn::Seat(seat) => {
                    game.actions(&mut scratch.actions);
                    let action = scratch.actions[self.pick(game, &scratch.actions, rng)];
                    if let Some(trace) = trace.as_deref_mut() {
                        trace.push((seat, action));
                    }
                    game.apply(action);
                }
            }
        }
    }

    /// The playout policy: an index into `actions`, which is not empty. The default is uniform.
    fn pick(&self, _game: &G, actions: &[G::Action], rng: &mut Rng) -> usize {
        rng.below(actions.len())
    }

    /// Prior probabilities of `actions`, written to `out` (same length, sum 1). The default is uniform.
    fn prior(&self, _game: &G, actions: &[G::Action], out: &mut [f32]) {
        out.fill(1.0 / actions.len() as f32);
    }

    /// The place of `action` in all-moves-as-first tables, or `None` when it does not count there (a pass). Less than
    /// [`Knowledge::amaf_size`].
    fn amaf(&self, _game: &G, _action: G::Action) -> Option<u32> {
        None
    }

    /// The size of an all-moves-as-first table for this game; 0 when the game has no use for one.
    fn amaf_size(&self, _game: &G) -> u32 {
        0
    }

    /// Whether all-moves-as-first statistics mean something in this game: searches that can use them then do by default.
    fn has_amaf(&self) -> bool {
        false
    }

    /// A static evaluation, `[0, 1]` per seat, or `None` when the game has none. Depth-limited searches need it.
    fn evaluate(&self, _game: &G) -> Option<Payoff> {
        None
    }

    /// The terms of the evaluation for `seat`; their weighted sum is its value in the game's own points.
    fn value_terms(&self, _game: &G, _seat: Seat, _out: &mut Vec<ValueTerm>) {}

    /// Whether a depth-limited search may stop here.
    fn is_quiet(&self, _game: &G) -> bool {
        true
    }

    /// Removes from `actions` what need not be looked at (own eyes in Go). Must leave at least one action, in order.
    fn prune(&self, _game: &G, _actions: &mut Vec<G::Action>) {}

    /// The action's weight for move ordering; higher is tried first.
    fn order(&self, _game: &G, _action: G::Action) -> i32 {
        0
    }

    /// Why `action` is good or bad for the seat, in the game's own terms, computed from what the seat knows. The weightiest
    /// first. `returns` is what the search expects of it for the seat, in the game's points.
    fn reasons(
        &self,
        _seen: &Seen<G>,
        _action: G::Action,
        _returns: Option<Estimate>,
        _rng: &mut Rng,
        _scratch: &mut Scratch<G, Self::Buffer>,
    ) -> Vec<Reason> {
        Vec::new()
    }

    /// What else is worth showing of the position as the seat sees it, by name (an ownership map in Go), as in
    /// [`crate::Analysis::details`].
    fn details(&self, _seen: &Seen<G>, _rng: &mut Rng, _scratch: &mut Scratch<G, Self::Buffer>) -> Map<String, Value> {
        Map::new()
    }

    /// The root as a search shall see it: ends valued by the settings of this knowledge, worlds drawn by what it infers. `None`,
    /// the default, leaves it as it is. What is changed must follow from what the seat knows. Searches that are built by name
    /// ask once for each run.
    fn frame(&self, _root: &Seen<G>, _rng: &mut Rng) -> Option<Seen<G>> {
        None
    }

    /// Root actions that are proven to win whatever the seat does not know and whatever the others do. Searches that are built by
    /// name choose one of them, the best in their own eyes. The default proves nothing.
    fn proven(&self, _root: &Seen<G>) -> Vec<Proven<G::Action>> {
        Vec::new()
    }

    /// The action that does nothing (a pass), if the game has one: what the opponents would do after it shows what they
    /// threaten.
    fn null_action(&self, _game: &G) -> Option<G::Action> {
        None
    }
}

/// No knowledge: uniform playouts, uniform priors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uniform;

impl<G: Game> Knowledge<G> for Uniform {
    type Buffer = ();
}
