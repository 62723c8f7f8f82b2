//! `kiebitz serve`: the table in the browser.

use std::io::IsTerminal;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args as ClapArgs;
use kiebitz_play::Lang;
use kiebitz_table::{Config, Mode, Server, address};

use crate::common::{Failure, LangArgs, note};

const AFTER_HELP: &str = "\
Examples:
  kiebitz serve
  kiebitz serve --lan
  kiebitz serve --addr 127.0.0.1:9000 --data ./games

Your data: on Linux the folder is ~/.local/share/kiebitz, on macOS ~/Library/Application Support/kiebitz,
on Windows %APPDATA%\\kiebitz\\data; the server prints it when it starts. It holds kiebitz.db (all games,
as SQLite; kiebitz.db-wal and kiebitz.db-shm belong to it while the server runs) and owner-key (the last
part of the link that the server prints). Both are secret.

Back up: while the server runs, all games in one file, with the key from the link (or the file owner-key):
  curl -f -H \"Authorization: Bearer KEY\" -o kiebitz-backup.db http://127.0.0.1:8000/api/backup
Or end the server and copy the whole folder. Keep owner-key as well: without it your links end.

Restore: end the server, delete kiebitz.db, kiebitz.db-wal and kiebitz.db-shm from the folder, put the
backup there as kiebitz.db, and start again.";

/// Serve the table: play, get hints and review in the browser
#[derive(ClapArgs, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Where to listen [default: 127.0.0.1:8000; 0.0.0.0:8000 with --lan or --public]
    #[arg(long, value_name = "ADDR")]
    addr: Option<String>,
    /// Serve your local network, and print a link for phones and friends: on a terminal also as a QR code, into a file or pipe the
    /// link alone
    #[arg(long)]
    lan: bool,
    /// Serve everybody; put a proxy with TLS in front
    #[arg(long)]
    public: bool,
    /// A further origin the page may come from, such as `https://play.example.org`; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// The address of a proxy in front: limits by address then count for whom it asks (X-Forwarded-For); may be given several times
    #[arg(long, value_name = "ADDRESS", value_parser = ip_address)]
    trusted_proxy: Vec<IpAddr>,
    /// Where games are kept [default: your data folder, see below]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Read the page from a folder (that of the source tree when none is named) instead of the program, to work on it
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    #[allow(clippy::option_option, reason = "the flag with and without a value")]
    dev: Option<Option<PathBuf>>,
    #[command(flatten)]
    lang: LangArgs,
}

fn ip_address(text: &str) -> Result<IpAddr, String> {
    let right = || "it must be an IP address such as 127.0.0.1 or ::1, without a port".to_owned();
    text.trim().parse().map_err(|_| right())
}

/// Folders that are none are refused before anything is started.
fn must_be_folder(flag: &str, path: &Path, may_be_made: bool) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(_) if path.is_dir() => Ok(()),
        Ok(_) => Err(Failure(format!("{flag}: {} is not a folder: name one", path.display()))),
        // Other trouble shows when it is used.
        Err(_) if may_be_made => Ok(()),
        Err(_) => Err(Failure(format!("{flag}: there is no folder {}", path.display()))),
    }
}

/// Runs the command.
///
/// # Errors
/// Addresses that are refused or taken, and a data folder that cannot be used.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let (addr, mode) = address::choose(args.addr.as_deref(), args.lan, args.public)?;
    for origin in &args.allow_origin {
        check_origin(origin)?;
    }
    let folder = args.data.or_else(kiebitz_table::default_folder);
    let folder = folder.ok_or_else(|| Failure("there is no folder for your data: name one with --data".to_owned()))?;
    must_be_folder("--data", &folder, true)?;
    let dev = args.dev.map(|folder| folder.unwrap_or_else(kiebitz_table::dev_folder));
    if let Some(page) = &dev {
        must_be_folder("--dev", page, false)?;
        if !page.join("index.html").is_file() {
            return Err(Failure(format!("--dev: {} has no index.html: name the folder of the page", page.display())));
        }
    }
    let mut config = Config::local(addr, folder.clone());
    config.mode = mode;
    config.allow_origin = args.allow_origin;
    config.trusted_proxies = args.trusted_proxy.iter().map(IpAddr::to_canonical).collect();
    config.dev = dev;
    let lang = args.lang.get();
    if mode == Mode::Public && config.allow_origin.is_empty() {
        note(format_args!(
            "{}",
            lang.choose(
                "warning: everybody who reaches this machine can reach this server, and nothing is encrypted; put a proxy with TLS in front and name it with --allow-origin",
                "警告：任何能访问本机的人都能访问此服务，且通信未加密；请在前面放置 TLS 代理，并用 --allow-origin 指明"
            )
        ));
    }
    kiebitz_table::run(config, |server| announce(server, mode, &folder, lang))?;
    Ok(ExitCode::SUCCESS)
}

fn check_origin(origin: &str) -> Result<(), Failure> {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let fine = |host: &str| !host.is_empty() && !host.contains(['/', ' ', '@', '?', '#', '*']);
    if host.is_some_and(fine) {
        return Ok(());
    }
    let shown: String = origin.chars().take(60).collect();
    Err(Failure(format!("--allow-origin {shown}: write it as https://play.example.org, with no path")))
}

fn announce(server: &Server, mode: Mode, folder: &Path, lang: Lang) {
    let link = server.owner_link();
    println!(
        "{}",
        lang.choose(
            "The table is ready. Open this link (it is yours alone):",
            "棋桌已就绪。请打开此链接（仅供本人使用）："
        )
    );
    println!("  {link}");
    if mode == Mode::Lan && server.addr().ip().to_canonical().is_loopback() {
        println!(
            "{}",
            lang.choose(
                "Only this machine can open it: leave --addr out and phones and friends in your network can, too.",
                "只有本机可以打开：要让手机或朋友访问，请去掉 --addr。"
            )
        );
    } else if mode == Mode::Lan {
        // A picture is for a person at a terminal; in a log it would be noise.
        let code = if std::io::stdout().is_terminal() { address::qr_code(&link) } else { None };
        match code {
            Some(code) => {
                println!("{}", lang.choose("On your phone, in the same network:", "在同一网络中的手机上："));
                println!("{code}");
            }
            None => println!(
                "{}",
                lang.choose(
                    "Your phone, in the same network, opens the same link.",
                    "同一网络中您的手机也可打开此链接。"
                )
            ),
        }
        println!(
            "{}",
            lang.choose("Friends join by the links the page makes for seats.", "朋友可通过页面生成的座位链接加入。")
        );
    }
    let folder = folder.display();
    match lang {
        Lang::En => println!("Ctrl-C ends it; your games are kept in {folder}"),
        Lang::Zh => println!("按 Ctrl-C 结束；对局保存在 {folder}"),
    }
}
