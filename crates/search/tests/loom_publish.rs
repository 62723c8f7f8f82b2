//! All interleavings of publishing children and of counting, checked by loom on small models. The files under test are
//! compiled here over loom's atomics.

#![allow(dead_code)]

use loom::sync::Arc;
use loom::thread;

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    pub(crate) fn wait(_tries: u32) {
        loom::thread::yield_now();
    }
}

#[path = "../src/tree/counter.rs"]
mod counter;
#[path = "../src/tree/publish.rs"]
mod publish;

use counter::{Amaf, Sum, Visits, Writer, amaf_visit, to_fixed};
use publish::{Children, Link, State};
use sync::{AtomicU32, Ordering};

/// A node and the memory of its two children.
struct Model {
    link: Link,
    actions: [AtomicU32; 2],
    visits: Visits,
    sum: Sum,
    expansions: AtomicU32,
}

impl Model {
    fn new() -> Self {
        Model {
            link: Link::new(),
            actions: [AtomicU32::new(0), AtomicU32::new(0)],
            visits: Visits::new(),
            sum: Sum::new(),
            expansions: AtomicU32::new(0),
        }
    }

    /// One simulation that reaches the node: a virtual loss, a look at the children or the attempt to make them, the result.
    fn simulate(&self, utility: f64) {
        self.visits.add(2, true);
        match self.link.state() {
            State::Expanded(children) => self.read(children),
            State::Leaf if self.link.claim() => {
                self.expansions.fetch_add(1, Ordering::Relaxed);
                self.actions[0].store(7, Ordering::Relaxed);
                self.actions[1].store(8, Ordering::Relaxed);
                self.link.publish(Children { first: 70_000, count: 2, seat: 5 });
                let State::Expanded(children) = self.link.state() else { panic!("own children are visible") };
                self.read(children);
            }
            _ => {}
        }
        self.sum.add(to_fixed(utility), true);
        self.visits.add(1u32.wrapping_sub(2), true);
    }

    fn read(&self, children: Children) {
        assert_eq!(children, Children { first: 70_000, count: 2, seat: 5 });
        assert_eq!(self.actions[0].load(Ordering::Relaxed), 7, "an unfilled child was seen");
        assert_eq!(self.actions[1].load(Ordering::Relaxed), 8, "an unfilled child was seen");
    }
}

#[test]
fn one_thread_expands_and_nobody_sees_unfilled_children() {
    loom::model(|| {
        let model = Arc::new(Model::new());
        let other = {
            let model = model.clone();
            thread::spawn(move || model.simulate(1.0))
        };
        model.simulate(0.5);
        let seen = model.visits.get();
        assert!((1..=3).contains(&seen), "virtual losses never make the count wrap, {seen}");
        other.join().unwrap();
        assert_eq!(model.expansions.load(Ordering::Relaxed), 1);
        assert_eq!((model.visits.get(), model.sum.get()), (2, 1.5));
    });
}

#[test]
fn a_reader_beside_the_expander() {
    loom::model(|| {
        let model = Arc::new(Model::new());
        let expander = {
            let model = model.clone();
            thread::spawn(move || model.simulate(1.0))
        };
        if let State::Expanded(children) = model.link.state() {
            model.read(children);
        }
        expander.join().unwrap();
        assert!(matches!(model.link.state(), State::Expanded(_)));
    });
}

#[test]
fn a_claim_given_back_can_be_taken_again() {
    loom::model(|| {
        let link = Arc::new(Link::new());
        let other = {
            let link = link.clone();
            thread::spawn(move || {
                let won = link.claim();
                if won {
                    link.release();
                }
                won
            })
        };
        let won = link.claim();
        if won {
            link.release();
        }
        let other = other.join().unwrap();
        assert!(won || other, "one of them gets it");
        assert!(link.claim());
    });
}

#[test]
fn the_end_of_a_game_may_be_marked_by_all() {
    loom::model(|| {
        let link = Arc::new(Link::new());
        let other = {
            let link = link.clone();
            thread::spawn(move || link.mark_terminal())
        };
        link.mark_terminal();
        other.join().unwrap();
        assert_eq!(link.state(), State::Terminal);
        assert!(!link.claim());
    });
}

#[test]
fn counters_lose_nothing() {
    loom::model(|| {
        let counters = Arc::new((Sum::new(), Visits::new()));
        let others: Vec<_> = [0.25, 1.0]
            .into_iter()
            .map(|utility| {
                let counters = counters.clone();
                thread::spawn(move || {
                    counters.0.add(to_fixed(utility), true);
                    counters.1.add(1, true);
                })
            })
            .collect();
        others.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(counters.0.get(), 1.25);
        assert_eq!(counters.1.get(), 2);
    });
}

#[test]
fn writers_of_amaf_counters_take_turns() {
    loom::model(|| {
        let node = Arc::new((Writer::new(), [Amaf::new(), Amaf::new()]));
        let add = |node: &(Writer, [Amaf; 2]), utility: f64| {
            let _held = node.0.hold();
            for amaf in &node.1 {
                amaf.add(amaf_visit(utility));
            }
        };
        let other = {
            let node = node.clone();
            thread::spawn(move || add(&node, 0.25))
        };
        add(&node, 1.0);
        let (visits, sum) = node.1[0].get();
        assert!((visits, sum) == (1.0, 1.0) || (visits, sum) == (2.0, 1.25), "{visits} {sum}");
        other.join().unwrap();
        assert_eq!((node.1[0].get(), node.1[1].get()), ((2.0, 1.25), (2.0, 1.25)));
    });
}
