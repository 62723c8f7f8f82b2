//! Measuring on a busy machine: something is always counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kiebitz_catalog::BenchConfig;
use kiebitz_core::Clock;

/// Whenever it is looked at, a second has gone by: as on a machine that is so busy that the time of a measurement is over before a
/// thread begins.
#[derive(Debug, Default)]
struct Busy(AtomicU64);

impl Clock for Busy {
    fn now(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn every_measurement_counts_a_batch() {
    let config = BenchConfig { time: Duration::from_millis(1), repeats: 1, ..BenchConfig::default() };
    for game in ["tictactoe", "kuhn"] {
        let entry = kiebitz_catalog::game(game).unwrap();
        let row = entry.bench(&entry.variants()[0], &config, &Busy::default()).unwrap();
        assert!(row.playouts > 0.0 && row.moves > 0.0, "{row:?}");
        assert!(row.scaling.iter().all(|rate| rate.playouts > 0.0), "{row:?}");
        assert!(row.search.as_ref().is_none_or(|search| search.visits > 0.0), "{row:?}");
    }
}
