//! What a search receives: never the true state.

use crate::{Game, Meta, Rng, Seat};

/// A seat's knowledge of a game in progress.
///
/// It holds a world that was re-drawn for the seat before the search starts, the seat's belief, and the means to draw more
/// worlds. With perfect information the world is the state itself. A `Seen` is made by [`crate::Session::seen`], which owns
/// the truth; nothing in it depends on what the seat does not know.
#[derive(Clone, Debug)]
pub struct Seen<G: Game> {
    world: G,
    seat: Seat,
    belief: G::Belief,
}

impl<G: Game> Seen<G> {
    /// Takes the seat's view of `state`: the hidden part is replaced before anyone can look at it.
    pub fn new(state: &G, seat: Seat, belief: &G::Belief, rng: &mut Rng) -> Self {
        let mut world = state.clone();
        world.determinize(seat, belief, rng);
        Seen { world, seat, belief: belief.clone() }
    }

    /// Whose knowledge this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Static facts of the game.
    pub fn meta(&self) -> Meta {
        self.world.meta()
    }

    /// One world the seat holds possible. Everything the seat does see can be read from it (its legal actions, the public
    /// part); the rest is a guess.
    pub fn sample_world(&self) -> &G {
        &self.world
    }

    /// The seat's belief.
    pub fn belief(&self) -> &G::Belief {
        &self.belief
    }

    /// What the seat would know after `action`, in a game of perfect information: the position after it, seen by the seat to
    /// move there. `None` when the game hides something, the action is illegal, or nobody is to move afterwards.
    pub fn after(&self, action: G::Action) -> Option<Seen<G>> {
        if self.world.meta().hidden {
            return None;
        }
        let mut world = self.world.clone();
        world.try_apply(action).ok()?;
        let seat = world.turn().seat()?;
        Some(Seen { world, seat, belief: self.belief.clone() })
    }

    /// The same knowledge with a changed world or belief, for [`crate::Knowledge::frame`]: how ends are valued, how worlds are drawn.
    /// Nothing is told that the seat does not know, for the world at hand is itself a drawn one.
    pub fn changed(&self, change: impl FnOnce(&mut G, &mut G::Belief)) -> Seen<G> {
        let mut seen = self.clone();
        change(&mut seen.world, &mut seen.belief);
        seen
    }

    /// The key of the seat's information.
    pub fn information_key(&self) -> u128 {
        self.world.information_key(self.seat)
    }

    /// Writes a fresh possible world into `out`, reusing its memory.
    pub fn draw_into(&self, out: &mut G, rng: &mut Rng) {
        out.clone_from(&self.world);
        out.determinize(self.seat, &self.belief, rng);
    }

    /// A fresh possible world.
    pub fn draw(&self, rng: &mut Rng) -> G {
        let mut world = self.world.clone();
        world.determinize(self.seat, &self.belief, rng);
        world
    }
}
