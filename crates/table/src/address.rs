//! Where the server listens, by what was asked for.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use qrcode::QrCode;
use qrcode::render::unicode;

use crate::app::Mode;

/// The port when nobody names one.
pub const PORT: u16 = 8000;

/// An address of the range for documentation: routes to it tell which of our addresses leads outside.
pub(crate) const SOMEWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 9);

/// Why an address is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is none.
    #[error("--addr {0}: this is no address; write it as 127.0.0.1:8000")]
    Syntax(String),
    /// It is not of this machine alone.
    #[error(
        "--addr {0} can be reached from other machines; add --lan for your local network or --public for everybody, or use 127.0.0.1"
    )]
    Beyond(SocketAddr),
    /// Both were asked for.
    #[error("--lan and --public do not go together; leave one out")]
    Both,
}

/// Where to listen and who may reach it.
///
/// # Errors
/// When an address beyond this machine is given without saying so.
pub fn choose(addr: Option<&str>, lan: bool, public: bool) -> Result<(SocketAddr, Mode), AddressError> {
    let mode = match (lan, public) {
        (true, true) => return Err(AddressError::Both),
        (true, false) => Mode::Lan,
        (false, true) => Mode::Public,
        (false, false) => Mode::Local,
    };
    let default = if mode == Mode::Local { Ipv4Addr::LOCALHOST } else { Ipv4Addr::UNSPECIFIED };
    let addr = match addr {
        None => SocketAddr::new(default.into(), PORT),
        Some(text) => parse(text, default)?,
    };
    if mode == Mode::Local && !addr.ip().to_canonical().is_loopback() {
        return Err(AddressError::Beyond(addr));
    }
    Ok((addr, mode))
}

/// `127.0.0.1:8000`, `localhost:8000`, `:8000`, `8000`, `[::1]:8000`, `127.0.0.1`.
fn parse(text: &str, default: Ipv4Addr) -> Result<SocketAddr, AddressError> {
    let wrong = || AddressError::Syntax(text.chars().take(40).filter(|c| !c.is_control()).collect());
    let trimmed = text.trim();
    if let Ok(addr) = trimmed.parse() {
        return Ok(addr);
    }
    if let Ok(ip) = trimmed.parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, PORT));
    }
    let (host, port) = trimmed.rsplit_once(':').unwrap_or(if trimmed.bytes().all(|b| b.is_ascii_digit()) {
        ("", trimmed)
    } else {
        (trimmed, "8000")
    });
    let port = port.parse().map_err(|_| wrong())?;
    match host {
        "" => Ok(SocketAddr::new(default.into(), port)),
        "localhost" => Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)),
        _ => Err(wrong()),
    }
}

/// A link as a picture for the terminal, to be read by a phone; `None` when it is too long for one.
pub fn qr_code(link: &str) -> Option<String> {
    let code = QrCode::new(link.as_bytes()).ok()?;
    Some(
        code.render::<unicode::Dense1x2>()
            .dark_color(unicode::Dense1x2::Light)
            .light_color(unicode::Dense1x2::Dark)
            .build(),
    )
}
