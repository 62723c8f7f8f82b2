//! A simulation with one observer: the tree of what the searching seat can tell apart.

use kiebitz_core::{Game, Knowledge, Rng, Turn};

use super::forest::Grip;
use super::job::Job;
use super::worker::Worker;
use crate::action_tree::{CHANCE, ROOT};

impl<G: Game, B: Default> Worker<G, B> {
    pub(super) fn simulate_single<K: Knowledge<G, Buffer = B>>(
        &mut self,
        job: &Job<'_, G, K>,
        grip: &mut Grip<'_, G::Action>,
        rng: &mut Rng,
    ) {
        let Worker { world, scratch, keys, path, asked, .. } = self;
        let (viewer, hidden) = (job.root.seat(), job.meta.hidden);
        job.root.draw_into(world, rng);
        path.clear();
        let (mut at, mut ply) = (ROOT, 0);
        grip.with(|forest| forest.tree.enter(ROOT));
        loop {
            match world.turn() {
                Turn::Terminal => break,
                Turn::Chance(kind) => {
                    let action = world.sample(rng, &mut scratch.weighted);
                    if !job.has_own_node(kind) {
                        world.apply(action);
                        continue;
                    }
                    let seen = if hidden { world.masked(action, viewer) } else { action };
                    world.apply(action);
                    let entered = grip.with(|forest| {
                        let child = forest.tree.outcome(at, seen)?;
                        forest.tree.enter(child);
                        Some(child)
                    });
                    let Some(child) = entered else { break };
                    path.push((child, CHANCE));
                    at = child;
                }
                Turn::Seat(mover) => {
                    job.list_actions(world, ply, mover, &mut scratch.actions);
                    ply += 1;
                    let actions = scratch.actions.as_slice();
                    keys.read(world, actions, mover, viewer, hidden);
                    let tree_choice =
                        grip.with(|forest| asked.choose(&mut forest.tree, job, world, actions, keys, (at, mover), rng));
                    let Some(chosen) = tree_choice else { break };
                    world.apply(keys.action(chosen.key, actions, rng));
                    path.push((chosen.node, mover));
                    at = chosen.node;
                    if chosen.is_new {
                        break;
                    }
                }
            }
        }
        let outcome = self.finish(job, rng);
        self.record(&outcome, grip);
    }
}
