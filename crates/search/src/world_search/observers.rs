//! Simulations with several observers: every seat has a tree of its own, whose nodes are that seat's information sets, the
//! own hidden information included. All trees are descended together; at a decision the tree of the seat to move chooses.
//!
//! A node is found by [`Game::information_key`] of its seat: by what that seat has seen of every action so far, which is the
//! same as to follow an edge of its tree for each action as the seat sees it.
//!
//! Each tree grows by one node at most for each simulation. A seat whose tree has grown, or has no room, goes on by the
//! policy of playouts; the trees are left when it is again the turn of the seat for which the simulation is made. So a hand
//! that an opponent is seldom drawn does not end the simulation: the opponent plays it by the policy, and the searching seat's
//! own tree goes on behind it.

use kiebitz_core::{Game, Knowledge, Rng, Seat, Turn};

use super::forest::{Grip, InformationSet};
use super::job::Job;
use super::worker::{Fork, Worker};
use crate::action_tree::{Choice, ROOT};

/// The seats whose trees have grown in this simulation.
#[derive(Clone, Copy, Default)]
struct Grown(u8);

impl Grown {
    fn add(&mut self, seat: Seat) {
        self.0 |= 1 << seat;
    }

    fn has(self, seat: Seat) -> bool {
        self.0 >> seat & 1 == 1
    }
}

impl<G: Game, B: Default> Worker<G, B> {
    /// Where a seat's own tree stands in the world at hand.
    fn own_place(&self, mover: Seat) -> Place {
        match self.path.is_empty() {
            true => Place::Root,
            false => Place::Set(InformationSet::new(mover, self.world.information_key(mover), false)),
        }
    }

    /// MO-ISMCTS: one world, drawn for the searching seat; every seat learns from its outcome.
    pub(super) fn simulate_multiple<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        grip: &mut Grip<'_, G::Action>,
        rng: &mut Rng,
    ) {
        let viewer = job.root.seat();
        job.root.draw_into(&mut self.world, rng);
        self.path.clear();
        self.enter_root(grip);
        let (mut grown, mut ply) = (Grown::default(), 0);
        loop {
            match self.world.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => self.roll(rng),
                Turn::Seat(mover) if mover == viewer && grown.has(viewer) => break,
                Turn::Seat(mover) => {
                    self.list_actions(job, mover, &mut ply);
                    match self.choose_in(job, self.own_place(mover), mover, &mut grown, grip, rng) {
                        Some(action) => self.world.apply(action),
                        None => break,
                    }
                }
            }
        }
        let outcome = self.finish(job, rng);
        self.record(&outcome, grip);
    }

    /// Re-determinizing search. Two simulations for each visit: one in a world drawn for the searching seat, from which that
    /// seat alone learns; and, from one of the other seats' decisions on its way, one in a world re-drawn from the view of the
    /// seat that decides, from which the model of all seats learns.
    pub(super) fn simulate_redeterminized<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        grip: &mut Grip<'_, G::Action>,
        rng: &mut Rng,
    ) {
        let viewer = job.root.seat();
        job.root.draw_into(&mut self.world, rng);
        self.path.clear();
        self.enter_root(grip);
        let public = self.world.public_belief(job.root.belief());
        self.fork.beliefs.clear();
        self.fork.beliefs.resize(usize::from(job.meta.players), public);
        let (mut grown, mut ply, mut others, mut forked) = (Grown::default(), 0, 0, None);
        loop {
            let action = match self.world.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => self.world.sample(rng, &mut self.scratch.weighted),
                Turn::Seat(mover) if mover == viewer && grown.has(viewer) => break,
                Turn::Seat(mover) => {
                    self.list_actions(job, mover, &mut ply);
                    if mover == viewer {
                        match self.choose_in(job, self.own_place(mover), mover, &mut grown, grip, rng) {
                            Some(action) => action,
                            None => break,
                        }
                    } else {
                        others += 1;
                        // Every decision is as likely as any other to be the one in the end.
                        if rng.below(others) == 0 {
                            forked = Some((mover, ply - 1));
                            self.fork.world.clone_from(&self.world);
                            self.fork.belief.clone_from(&self.fork.beliefs[usize::from(mover)]);
                        }
                        let set = InformationSet::new(mover, self.world.information_key(mover), true);
                        self.choose_as_modelled(job, set, mover, grip, rng)
                    }
                }
            };
            for seat in (0..job.meta.players).filter(|&seat| seat != viewer) {
                let seen = self.world.masked(action, seat);
                self.world.observe(&mut self.fork.beliefs[usize::from(seat)], seat, seen);
            }
            self.world.apply(action);
        }
        let outcome = self.finish(job, rng);
        self.record(&outcome, grip);
        if let Some((seat, ply)) = forked {
            self.simulate_fork(job, seat, ply, grip, rng);
        }
    }

    /// Goes on from a decision of `seat`, so many choices after the root's, in a world re-drawn from its view.
    fn simulate_fork<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        seat: Seat,
        mut ply: u32,
        grip: &mut Grip<'_, G::Action>,
        rng: &mut Rng,
    ) {
        let Fork { world, belief, .. } = &self.fork;
        self.world.clone_from(world);
        self.world.determinize(seat, belief, rng);
        self.path.clear();
        let mut grown = Grown::default();
        loop {
            match self.world.turn() {
                Turn::Terminal => break,
                Turn::Chance(_) => self.roll(rng),
                Turn::Seat(mover) if mover == seat && grown.has(seat) => break,
                Turn::Seat(mover) => {
                    self.list_actions(job, mover, &mut ply);
                    let set = InformationSet::new(mover, self.world.information_key(mover), true);
                    match self.choose_in(job, Place::Set(set), mover, &mut grown, grip, rng) {
                        Some(action) => self.world.apply(action),
                        None => break,
                    }
                }
            }
        }
        let outcome = self.finish(job, rng);
        self.credit(&outcome, grip);
    }

    fn enter_root(&mut self, grip: &mut Grip<'_, G::Action>) {
        grip.with(|forest| forest.tree.enter(ROOT));
    }

    fn roll(&mut self, rng: &mut Rng) {
        let action = self.world.sample(rng, &mut self.scratch.weighted);
        self.world.apply(action);
    }

    /// What `mover` may choose from now; counts its choice.
    fn list_actions<K: Knowledge<G, Buffer = B>>(&mut self, job: &Job<'_, G, K>, mover: Seat, ply: &mut u32) {
        job.list_actions(&self.world, *ply, mover, &mut self.scratch.actions);
        *ply += 1;
        // A seat sees its own actions as they are.
        self.keys.see_all();
    }

    /// The choice of `mover` by its tree, which may grow, or by the policy of playouts when it has grown or is full. `None`
    /// for a full tree at the root or at the own decision, where the simulation leaves the trees.
    fn choose_in<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        place: Place,
        mover: Seat,
        grown: &mut Grown,
        grip: &mut Grip<'_, G::Action>,
        rng: &mut Rng,
    ) -> Option<G::Action> {
        let Worker { world, scratch, keys, path, asked, .. } = self;
        let actions = scratch.actions.as_slice();
        if !grown.has(mover) {
            let filler = actions[0];
            let chosen = grip.with(|forest| {
                let (at, is_new) = match place {
                    Place::Root => (ROOT, false),
                    Place::Set(set) => forest.find_or_add(set, filler)?,
                };
                let chosen = asked.choose(&mut forest.tree, job, world, actions, keys, (at, mover), rng)?;
                Some((chosen, is_new))
            });
            match chosen {
                Some((chosen, is_new)) => {
                    if is_new || chosen.is_new {
                        grown.add(mover);
                    }
                    path.push((chosen.node, mover));
                    return Some(actions[chosen.key]);
                }
                None if path.is_empty() || mover == job.root.seat() => return None,
                None => grown.add(mover),
            }
        }
        Some(actions[job.knowledge.pick(world, actions, rng)])
    }

    /// The choice of another seat by the model, from which it does not learn; by the policy of playouts where the model does
    /// not know enough.
    fn choose_as_modelled<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        set: InformationSet,
        mover: Seat,
        grip: &mut Grip<'_, G::Action>,
        rng: &mut Rng,
    ) -> G::Action {
        let actions = self.scratch.actions.as_slice();
        let modelled = grip.with(|forest| {
            let at = forest.find(set)?;
            forest.tree.recall(Choice { at, seat: mover, keys: actions, rule: &job.params.rule })
        });
        actions[modelled.unwrap_or_else(|| job.knowledge.pick(&self.world, actions, rng))]
    }
}

/// Where a tree is asked.
#[derive(Clone, Copy)]
enum Place {
    /// At the root of the search.
    Root,
    /// At an information set.
    Set(InformationSet),
}
