//! A game, or knowledge of it, with nothing hidden.

use std::ops::RangeInclusive;

use kiebitz_core::{
    Game, Illegal, Knowledge, Meta, Outcome, Payoff, Rng, Scratch, Seat, SetupError, Trace, Turn, ValueTerm, Weighted,
};

/// A world treated as perfect information: `Revealed(world)` is the same game with all cards on the table, and
/// `Revealed(knowledge)` the same knowledge for it.
///
/// This is how [`Pimc`](crate::Pimc) hands drawn worlds to searches for perfect information: such a search runs unchanged on
/// `Seen<Revealed<G>>`, whose re-drawing does nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revealed<T>(pub T);

impl<G: Game> Game for Revealed<G> {
    const ID: &'static str = G::ID;
    const PLAYERS: RangeInclusive<u8> = G::PLAYERS;
    type Options = G::Options;
    type Setup = G::Setup;
    type Action = G::Action;
    type Undo = G::Undo;
    /// Nobody has anything to infer.
    type Belief = ();

    fn new(players: u8, options: &G::Options, setup: Option<&G::Setup>) -> Result<Self, SetupError> {
        G::new(players, options, setup).map(Revealed)
    }

    fn default_players(options: &G::Options) -> u8 {
        G::default_players(options)
    }

    fn meta(&self) -> Meta {
        Meta { hidden: false, ..self.0.meta() }
    }

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.0.actions(out);
    }

    fn check(&self, action: G::Action) -> Result<(), Illegal> {
        self.0.check(action)
    }

    fn apply(&mut self, action: G::Action) {
        self.0.apply(action);
    }

    fn apply_undo(&mut self, action: G::Action) -> G::Undo {
        self.0.apply_undo(action)
    }

    fn undo(&mut self, undo: G::Undo) {
        self.0.undo(undo);
    }

    fn returns(&self) -> Payoff {
        self.0.returns()
    }

    fn utility(&self) -> Payoff {
        self.0.utility()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn recomputed_key(&self) -> u64 {
        self.0.recomputed_key()
    }

    fn transposition_key(&self) -> u64 {
        self.0.transposition_key()
    }

    fn is_legal(&self, action: G::Action) -> bool {
        self.0.is_legal(action)
    }

    fn try_apply(&mut self, action: G::Action) -> Result<(), Illegal> {
        self.0.try_apply(action)
    }

    fn chance_outcomes(&self, out: &mut Weighted<G::Action>) {
        self.0.chance_outcomes(out);
    }

    fn sample(&self, rng: &mut Rng, scratch: &mut Weighted<G::Action>) -> G::Action {
        self.0.sample(rng, scratch)
    }

    // Information keys, masks, observation and re-drawing keep the defaults: everybody sees everything.
}

impl<G: Game, K: Knowledge<G>> Knowledge<Revealed<G>> for Revealed<K> {
    /// The buffers of the game itself; the outer ones are only used by the search.
    type Buffer = Scratch<G, K::Buffer>;

    fn playout(
        &self,
        game: &mut Revealed<G>,
        rng: &mut Rng,
        scratch: &mut Scratch<Revealed<G>, Self::Buffer>,
        trace: Option<&mut Trace<G::Action>>,
    ) -> Outcome {
        self.0.playout(&mut game.0, rng, &mut scratch.own, trace)
    }

    fn pick(&self, game: &Revealed<G>, actions: &[G::Action], rng: &mut Rng) -> usize {
        self.0.pick(&game.0, actions, rng)
    }

    fn prior(&self, game: &Revealed<G>, actions: &[G::Action], out: &mut [f32]) {
        self.0.prior(&game.0, actions, out);
    }

    fn amaf(&self, game: &Revealed<G>, action: G::Action) -> Option<u32> {
        self.0.amaf(&game.0, action)
    }

    fn amaf_size(&self, game: &Revealed<G>) -> u32 {
        self.0.amaf_size(&game.0)
    }

    fn evaluate(&self, game: &Revealed<G>) -> Option<Payoff> {
        self.0.evaluate(&game.0)
    }

    fn value_terms(&self, game: &Revealed<G>, seat: Seat, out: &mut Vec<ValueTerm>) {
        self.0.value_terms(&game.0, seat, out);
    }

    fn is_quiet(&self, game: &Revealed<G>) -> bool {
        self.0.is_quiet(&game.0)
    }

    fn prune(&self, game: &Revealed<G>, actions: &mut Vec<G::Action>) {
        self.0.prune(&game.0, actions);
    }

    fn order(&self, game: &Revealed<G>, action: G::Action) -> i32 {
        self.0.order(&game.0, action)
    }

    fn null_action(&self, game: &Revealed<G>) -> Option<G::Action> {
        self.0.null_action(&game.0)
    }
}
