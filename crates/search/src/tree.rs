//! The shared tree of [`crate::Uct`] and [`crate::Puct`]: nodes in an arena, counters that threads may share, one
//! simulation, and the search that runs many of them.
//!
//! After Enzenberger & Müller, "A Lock-free Multithreaded Monte-Carlo Tree Search Algorithm" (2009), with two differences:
//! counters lose nothing (`fetch_add` on integers instead of racing floats), and every node keeps the sum of the utility of
//! *the seat that chose it*, so that no sign is ever flipped and any number of players can sit at the table.

mod arena;
mod compact;
mod counter;
mod node;
mod publish;
mod report;
mod search;
mod settings;
mod simulate;

/// What `publish` and `counter` are written over; the loom test puts loom's in its place.
mod sync {
    pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    /// Lets another thread go on; `tries` says how often this was not enough.
    pub(crate) fn wait(tries: u32) {
        // What is waited for takes less than a microsecond, unless its holder was put aside by the operating system.
        if tries < 64 { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

pub(crate) use arena::Tree;
pub(crate) use counter::MAX_VISITS;
pub(crate) use node::Node;
pub(crate) use report::{Root, RowStats, Totals, report};
pub(crate) use search::TreeSearch;
pub(crate) use simulate::{Job, Worker};

pub use node::node_bytes;
pub use report::NodeInfo;
pub use settings::{Parallel, TreeSettings};
