//! How busy the machine and this process are, where the operating system says so.

use std::fs;

/// The load averages of the last 1, 5 and 15 minutes; `None` where there is no `/proc/loadavg`.
pub fn load_average() -> Option<[f64; 3]> {
    parse_load_average(&fs::read_to_string("/proc/loadavg").ok()?)
}

fn parse_load_average(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_whitespace().map(|w| w.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The processor time this process has used, all threads together, in seconds; `None` where there is no `/proc/self/stat`.
pub fn cpu_seconds() -> Option<f64> {
    parse_cpu_seconds(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// `utime` and `stime`, fields 14 and 15 of `/proc/pid/stat`, counted in hundredths of a second on Linux (USER_HZ). The name
/// in field 2 may contain spaces and parentheses, so count from its last parenthesis.
fn parse_cpu_seconds(text: &str) -> Option<f64> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some((user + system) as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_linux_writes() {
        assert_eq!(parse_load_average("0.52 0.58 0.59 1/257 12345\n"), Some([0.52, 0.58, 0.59]));
        assert_eq!(parse_load_average("a b"), None);
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 100 1000 100 18446744073709551615";
        assert_eq!(parse_cpu_seconds(stat), Some(3.0));
        assert_eq!(parse_cpu_seconds("7 (a) S 1"), None);
    }
}
