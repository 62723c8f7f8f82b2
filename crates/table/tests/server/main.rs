//! The server in the test's process: one file for each subject. `KIEBITZ_FAULTS=full` causes faults as often as the full set asks,
//! and looks at times.

mod bad_requests;
mod branches;
mod clocks;
mod computers;
mod go_computers;
mod imports;
mod leaks;
mod looks;
mod lost_file;
mod names;
mod offers;
mod order;
mod origins;
mod places;
mod proxies;
mod records;
mod rematches;
mod slow_peers;
mod storage;
mod support;
mod table;
mod take_back;
mod tokens;
mod two_worlds;
mod wording;
