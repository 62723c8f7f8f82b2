//! `kiebitz gtp`: a Go program for graphical boards and servers.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use kiebitz_core::PlayerSpec;
use kiebitz_play::gtp::{self, GtpError, GtpOptions};

use crate::common::{Failure, fresh_seed, note, time, whole};
use crate::reader;

/// Play Go over GTP, the protocol of graphical boards and Go servers
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  kiebitz gtp\n  kiebitz gtp --player uct:visits=5000,threads=2 --resign off\n  printf 'boardsize 9\\ngenmove b\\nshowboard\\n' | kiebitz gtp --time 500ms\n\nAdd it to Sabaki, GoGui, Lizzie and others as an engine with the argument gtp; docs/gtp.md says how."
)]
pub struct Args {
    /// The player: a spec such as uct:time=2s [default: uct with a thread for each processor]
    #[arg(long, value_name = "SPEC")]
    player: Option<PlayerSpec>,
    /// Time for a move when neither the player nor a clock says otherwise, such as 500ms or 2s
    #[arg(long, value_name = "TIME", default_value = "2s", allow_hyphen_values = true, value_parser = time)]
    time: Duration,
    /// Time lost on the way of every move to and from the controller
    #[arg(long, value_name = "TIME", default_value = "100ms", allow_hyphen_values = true, value_parser = time)]
    lag: Duration,
    /// Think on the opponent's time: on or off
    #[arg(long, value_name = "ON", default_value = "off", value_parser = ["on", "off"])]
    ponder: String,
    /// Give up lost games: on or off
    #[arg(long, value_name = "ON", default_value = "on", value_parser = ["on", "off"])]
    resign: String,
    /// Seed of the player [default: a fresh one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let player = args.player.unwrap_or_else(|| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = [("threads".to_owned(), threads.min(64).to_string())].into_iter().collect();
        PlayerSpec { name: "uct".to_owned(), settings }
    });
    let options = GtpOptions {
        time: args.time,
        lag: args.lag,
        ponder: args.ponder == "on",
        resign: args.resign == "on",
        note: |text| note(format_args!("kiebitz gtp: {text}")),
        ..GtpOptions::new(player, args.seed.unwrap_or_else(fresh_seed))
    };
    match gtp::run_until(options, io::stdin(), io::stdout(), reader::wait_until_gone) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A controller that went away is no failure of ours.
        Err(GtpError::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(e @ GtpError::Output(_)) => {
            note(format_args!("kiebitz: {e}"));
            Ok(ExitCode::from(2))
        }
        Err(e) => Err(e.into()),
    }
}
