//! Starting and stopping the server.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app::{App, Config, Mode};
use crate::files::Files;
use crate::http;
use crate::identity::{self, KeyError};
use crate::queue::Queue;
use crate::store::{Store, StoreError};
use crate::{accept, address};

/// Why the server does not start. Each is one sentence that says what would be right.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken by a server of ours.
    #[error("kiebitz is already serving at http://{0}; open that, or choose another address with --addr")]
    AlreadyServing(SocketAddr),
    /// The address is taken by another program.
    #[error("{0} is in use by another program; choose another address, such as --addr {1}")]
    Busy(SocketAddr, SocketAddr),
    /// The address cannot be used.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, ErrorKind),
    /// The data folder is in use.
    #[error("the data folder {folder} is already served{at}; open that, or choose another folder with --data", folder = .0.display(), at = .1.as_deref().map(|a| format!(" at http://{a}")).unwrap_or_default())]
    Locked(PathBuf, Option<String>),
    /// The data folder cannot be used.
    #[error("the data folder {folder} cannot be used: {1}", folder = .0.display())]
    Folder(PathBuf, ErrorKind),
    /// The owner's key cannot be used.
    #[error("the owner's key {file}: {1}", file = .0.display())]
    Key(PathBuf, KeyError),
    /// The data file cannot be used.
    #[error("the data folder {folder}: {1}", folder = .0.display())]
    Store(PathBuf, StoreError),
    /// The page's folder does not exist.
    #[error("--dev: there is no folder {folder}", folder = .0.display())]
    Dev(PathBuf),
    /// The system gives no threads or sockets.
    #[error("the server cannot start: {0}")]
    System(ErrorKind),
}

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    addr: SocketAddr,
    owner_key: String,
    close: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    lock: File,
}

/// The folder of games when nobody names one: the system's place for a user's data.
pub fn default_folder() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "kiebitz").map(|dirs| dirs.data_dir().to_owned())
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Takes the data folder for this process. The file says where it is served.
fn lock(folder: &Path) -> Result<File, StartError> {
    let failed = |e: io::Error| StartError::Folder(folder.to_owned(), e.kind());
    make_folder(folder).map_err(failed)?;
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    let file = options.open(folder.join("lock")).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let mut address = String::new();
            let file = File::open(folder.join("address"));
            let read = file.and_then(|f| f.take(100).read_to_string(&mut address));
            let address = address.trim().to_owned();
            let known = read.is_ok() && address.parse::<SocketAddr>().is_ok();
            Err(StartError::Locked(folder.to_owned(), known.then_some(address)))
        }
        Err(TryLockError::Error(e)) => Err(failed(e)),
    }
}

/// Whether a server of ours answers at an address.
fn is_ours(addr: SocketAddr) -> bool {
    let ask = || -> io::Result<String> {
        let time = Duration::from_millis(500);
        let mut stream = TcpStream::connect_timeout(&addr, time)?;
        stream.set_read_timeout(Some(time))?;
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n").as_bytes())?;
        let mut answer = String::new();
        stream.take(4096).read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.contains("\"name\":\"kiebitz\""))
}

/// What the system may hold of what was written to a peer that does not read. Left to itself it is megabytes, and a peer that has gone
/// to sleep would be noticed only when they are full.
const SEND_BUFFER: u32 = 32 << 10;
/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

fn bind(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // As the standard library does: a port in use is refused all the same.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

fn listen(addr: SocketAddr) -> Result<TcpListener, StartError> {
    bind(addr).map_err(|e| {
        if e.kind() != ErrorKind::AddrInUse {
            return StartError::Listen(addr, e.kind());
        }
        let local =
            if addr.ip().is_unspecified() { SocketAddr::new(Ipv4Addr::LOCALHOST.into(), addr.port()) } else { addr };
        if is_ours(local) {
            return StartError::AlreadyServing(local);
        }
        let other = SocketAddr::new(addr.ip(), addr.port().checked_add(1).unwrap_or(8000));
        StartError::Busy(addr, other)
    })
}

impl Server {
    /// Starts a server on the present tokio runtime.
    ///
    /// # Errors
    /// When the address or the data folder is taken, or cannot be used.
    pub async fn start(config: Config) -> Result<Server, StartError> {
        let folder = config.data.clone();
        let files =
            Files::new(config.dev.as_deref()).map_err(|_| StartError::Dev(config.dev.clone().unwrap_or_default()))?;
        let lock = lock(&folder)?;
        let listener = listen(config.addr)?;
        let addr = listener.local_addr().map_err(|e| StartError::System(e.kind()))?;
        let owner_key =
            identity::owner_key(&folder).map_err(|e| StartError::Key(folder.join(identity::KEY_FILE), e))?;
        let pages = config.limits.data_pages;
        let opened = tokio::task::spawn_blocking({
            let folder = folder.clone();
            move || Store::open(&folder, pages)
        });
        let store = opened.await.map_err(|_| StartError::System(ErrorKind::Other))?;
        let store = store.map_err(|e| StartError::Store(folder.clone(), e))?;
        let queue = Queue::start(config.workers, &config.limits).map_err(|e| StartError::System(e.kind()))?;
        std::fs::write(folder.join("address"), reachable(addr, config.mode).to_string())
            .map_err(|e| StartError::Folder(folder.clone(), e.kind()))?;
        let (close, closing) = watch::channel(false);
        let app = Arc::new(App::new(config, store, queue, &owner_key, closing));
        if let Ok(mut base) = app.link_base.lock() {
            *base = link_base(&app.config, addr);
        }
        let router = http::router(app.clone(), files);
        let accepting = tokio::spawn(accept::run(app.clone(), listener, router));
        tokio::spawn({
            let app = app.clone();
            async move { app.check_unfinished().await }
        });
        Ok(Server { app, addr, owner_key, close, accepting, lock })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Where links for others begin.
    pub fn link_base(&self) -> String {
        self.app.link_base.lock().map(|base| base.clone()).unwrap_or_default()
    }

    /// The link with which the owner opens the page.
    pub fn owner_link(&self) -> String {
        format!("{}/#/owner/{}", self.link_base(), self.owner_key)
    }

    /// The owner's key.
    pub fn owner_key(&self) -> &str {
        &self.owner_key
    }

    /// What all parts share, for tests.
    #[doc(hidden)]
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Stops: pages are told, computers are cancelled, and what was acknowledged is on the disk.
    pub async fn stop(self) {
        let _ = self.close.send(true);
        let queue = self.app.queue.clone();
        let _ = tokio::task::spawn_blocking(move || queue.close()).await;
        let _ = self.accepting.await;
        self.app.store.close().await;
        drop(self.lock);
    }
}

/// An address at which a browser of this machine reaches the server.
fn reachable(addr: SocketAddr, mode: Mode) -> SocketAddr {
    match (mode, addr.ip().is_unspecified()) {
        (_, false) => addr,
        _ => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), addr.port()),
    }
}

fn link_base(config: &Config, addr: SocketAddr) -> String {
    if let (Mode::Public, Some(origin)) = (config.mode, config.allow_origin.first()) {
        return origin.trim_end_matches('/').to_owned();
    }
    if !addr.ip().is_unspecified() {
        return format!("http://{addr}");
    }
    let ip = network_address().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    format!("http://{}", SocketAddr::new(ip, addr.port()))
}

/// This machine's address in its network: the one from which others would be reached. Nothing is sent.
fn network_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(address::SOMEWHERE).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified()).then_some(ip)
}
