//! The page's files: in the program, or from a folder while one works on them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

/// Nothing smaller is worth compressing.
const WORTH_COMPRESSING: usize = 1024;

#[derive(RustEmbed)]
#[folder = "web/"]
#[exclude = "*.d.ts"]
struct Embedded;

struct File {
    bytes: Vec<u8>,
    compressed: Option<Vec<u8>>,
    tag: String,
    kind: &'static str,
}

impl File {
    fn new(name: &str, bytes: Vec<u8>) -> Self {
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        let tag = digest[..12].iter().map(|b| format!("{b:02x}")).collect();
        let compressed = (bytes.len() >= WORTH_COMPRESSING).then(|| compress(&bytes)).filter(|c| c.len() < bytes.len());
        File { compressed, tag, kind: kind(name), bytes }
    }
}

/// Gzip of some bytes, as small as it gets.
fn compress(bytes: &[u8]) -> Vec<u8> {
    gzip(bytes, Compression::best())
}

/// Gzip of some bytes, quickly.
pub fn compress_fast(bytes: &[u8]) -> Vec<u8> {
    gzip(bytes, Compression::fast())
}

fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing into memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Whether the peer takes gzip.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|part| {
        let mut pieces = part.split(';');
        let name = pieces.next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("gzip") && pieces.all(|p| !matches!(p.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        "md" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn embedded() -> &'static BTreeMap<String, File> {
    static FILES: OnceLock<BTreeMap<String, File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let read = |name: std::borrow::Cow<'static, str>| {
            let bytes = Embedded::get(&name)?.data.into_owned();
            Some((name.to_string(), File::new(&name, bytes)))
        };
        Embedded::iter().filter_map(read).collect()
    })
}

/// The files of the page.
#[derive(Clone, Debug)]
pub enum Files {
    /// Those in the program.
    Embedded,
    /// Those of a folder, with its canonical path.
    Folder(PathBuf),
}

impl Files {
    /// The files of a folder, or those in the program.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub fn new(folder: Option<&Path>) -> std::io::Result<Self> {
        folder.map_or(Ok(Files::Embedded), |folder| folder.canonicalize().map(Files::Folder))
    }

    /// The answer to a request for a path; only names of the list, or files within the folder.
    pub fn answer(&self, path: &str, headers: &HeaderMap) -> Response<Body> {
        let name = match path.strip_prefix('/').unwrap_or(path) {
            "" => "index.html",
            name => name,
        };
        match self {
            Files::Embedded => match embedded().get(name) {
                Some(file) => send(file, headers, name.starts_with("vendor/")),
                None => not_found(),
            },
            Files::Folder(folder) => match from_folder(folder, name) {
                Some(file) => send(&file, headers, false),
                None => not_found(),
            },
        }
    }
}

fn from_folder(folder: &Path, name: &str) -> Option<File> {
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
    if !name.split('/').all(plain) || name.ends_with(".d.ts") {
        return None;
    }
    // Links may lead out of the folder.
    let path = folder.join(name).canonicalize().ok()?;
    if !path.starts_with(folder) || !path.is_file() {
        return None;
    }
    Some(File::new(name, std::fs::read(path).ok()?))
}

fn not_found() -> Response<Body> {
    let mut response = Response::new(Body::from("There is no such page.\n"));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

fn send(file: &File, headers: &HeaderMap, never_changes: bool) -> Response<Body> {
    let tag = format!("\"{}\"", file.tag);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let mut response = Response::new(Body::empty());
    let answer = response.headers_mut();
    let caching = if never_changes { "public, max-age=31536000, immutable" } else { "no-cache" };
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    answer.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(value) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, value);
    }
    if known.split(',').any(|k| k.trim().trim_start_matches("W/") == tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    let bytes = match &file.compressed {
        Some(compressed) if takes_gzip(headers) => {
            answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            compressed
        }
        _ => &file.bytes,
    };
    *response.body_mut() = Body::from(bytes.clone());
    response
}
