//! Whether anybody still reads what the program writes. A program that searches or waits for input writes nothing, and so is
//! not told by an error that the other end of its pipe has been closed.

/// Waits until nobody can read standard output any more: the other end of the pipe or socket is closed, the terminal is gone.
/// Of a file, and where the system cannot tell, it waits for ever.
pub fn wait_until_gone() {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        let output = std::io::stdout();
        loop {
            // No event is asked for: errors are told at any rate.
            let mut files = [PollFd::new(&output, PollFlags::empty())];
            match poll(&mut files, None) {
                Ok(_) if files[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => return,
                Err(rustix::io::Errno::INTR) => {}
                // Some systems do not watch every kind of file.
                Ok(_) | Err(_) => break,
            }
        }
    }
    loop {
        std::thread::park();
    }
}

/// Ends the program without a word, as any command whose reader went away, when nobody reads standard output any more. The
/// thread that waits for it ends with the program.
pub fn exit_when_gone() {
    std::thread::spawn(|| {
        wait_until_gone();
        std::process::exit(0);
    });
}
