//! Go.
#![forbid(unsafe_code)]
