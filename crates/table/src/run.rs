//! The server as a program: until somebody stops it.

use std::path::PathBuf;

use tokio::runtime::Builder;

use crate::app::Config;
use crate::server::{Server, StartError};

/// Threads for the network; computers have their own.
const NETWORK_THREADS: usize = 2;

/// The folder with the page's files of the source tree this program was built from.
pub fn dev_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("web")
}

/// Serves until the process is asked to end (Ctrl-C, SIGTERM). `started` is called once it serves.
///
/// # Errors
/// When the server cannot start.
pub fn run(config: Config, started: impl FnOnce(&Server)) -> Result<(), StartError> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(NETWORK_THREADS)
        .thread_name("network")
        .enable_all()
        .build()
        .map_err(|e| StartError::System(e.kind()))?;
    runtime.block_on(async {
        // Before the first word on the screen, so that whoever reads it may stop us at once.
        let mut end = Box::pin(end());
        let server = tokio::select! {
            server = Server::start(config) => server?,
            () = &mut end => return Ok(()),
        };
        started(&server);
        end.await;
        server.stop().await;
        Ok(())
    })
}

#[cfg(unix)]
async fn end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (interrupt, terminate) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    match (interrupt, terminate) {
        (Ok(mut interrupt), Ok(mut terminate)) => {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        _ => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

#[cfg(not(unix))]
async fn end() {
    let _ = tokio::signal::ctrl_c().await;
}
