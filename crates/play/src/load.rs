//! Reading a game from a file, whatever its format: a record in JSON Lines, or SGF for Go; gzip-compressed or not.

use std::borrow::Cow;
use std::path::Path;

use kiebitz_core::record::{MAX_RECORD_BYTES, ReadRecord, Record, RecordError, unpack_gzip};
use kiebitz_go::sgf;

use crate::files;
use crate::go_sgf::{self, SgfRecordError};

/// Why a file is no game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// It is a record with a mistake.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It is SGF with a mistake.
    #[error(transparent)]
    Sgf(#[from] SgfRecordError),
    /// It is neither.
    #[error(
        "this is neither a record (JSON Lines whose first line begins with {{\"kiebitz\":1) nor SGF (which begins with \"(;\")"
    )]
    Unknown,
    /// It is empty.
    #[error("the file is empty")]
    Empty,
    /// It begins like gzip data and is none.
    #[error("the file looks like gzip but cannot be unpacked; save it again")]
    Gzip,
}

impl LoadError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            LoadError::Record(e) => e.code,
            LoadError::Sgf(e) => e.code(),
            LoadError::Unknown => "load.unknown_format",
            LoadError::Empty => "load.empty",
            LoadError::Gzip => "load.gzip",
        }
    }
}

/// How much is read at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, unpacked where it is compressed; at least a MiB.
    pub bytes: usize,
    /// Nodes on the main line of an SGF file.
    pub nodes: usize,
}

impl Default for Limits {
    /// 64 MiB and [`go_sgf::MOST_NODES`].
    fn default() -> Self {
        Limits { bytes: MAX_RECORD_BYTES, nodes: go_sgf::MOST_NODES }
    }
}

/// Reads a game. SGF gives the main line of its first game of Go; with `strict`, what SGF readers usually tolerate (illegal moves,
/// departures from the standard) is an error.
///
/// # Errors
/// When the bytes are no game.
pub fn read(bytes: &[u8], strict: bool) -> Result<ReadRecord, LoadError> {
    read_within(bytes, strict, Limits::default())
}

/// As [`read`], within limits: what is longer is refused before it is played through.
///
/// # Errors
/// As [`read`], and when the file is too long.
pub fn read_within(bytes: &[u8], strict: bool, limits: Limits) -> Result<ReadRecord, LoadError> {
    let mut warnings = Vec::new();
    let plain = unpacked_with(bytes, limits.bytes, &mut warnings)?;
    let plain = plain.as_ref();
    if plain.len() > limits.bytes {
        return Err(RecordError::too_large(limits.bytes).into());
    }
    let mut read = match first_byte(plain) {
        None => return Err(LoadError::Empty),
        Some(b'{') => Record::read(plain)?,
        _ if looks_like_sgf(plain) => go_sgf::to_record_within(plain, strict, limits.nodes)?,
        _ => return Err(LoadError::Unknown),
    };
    warnings.append(&mut read.warnings);
    read.warnings = warnings;
    Ok(read)
}

/// The bytes themselves, or what they hold where they are compressed: at most `limit` bytes, at least a MiB.
///
/// # Errors
/// When they are no gzip data but begin so, or hold more.
pub fn unpacked(bytes: &[u8], limit: usize) -> Result<Cow<'_, [u8]>, LoadError> {
    let plain = unpacked_with(bytes, limit, &mut Vec::new())?;
    if plain.len() > limit {
        return Err(RecordError::too_large(limit).into());
    }
    Ok(plain)
}

fn unpacked_with<'b>(bytes: &'b [u8], limit: usize, warnings: &mut Vec<String>) -> Result<Cow<'b, [u8]>, LoadError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let unpacked = unpack_gzip(bytes, limit, warnings).map_err(|e| match e.code {
        "record.gzip" => LoadError::Gzip,
        _ => e.into(),
    })?;
    Ok(Cow::Owned(unpacked))
}

/// The first byte that is no blank, behind a byte order mark.
fn first_byte(bytes: &[u8]) -> Option<u8> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.iter().copied().find(|b| !b.is_ascii_whitespace())
}

/// Whether unpacked bytes are read as a record.
pub(crate) fn is_record(bytes: &[u8]) -> bool {
    first_byte(bytes) == Some(b'{')
}

/// Whether a file that exists is SGF, or empty.
pub(crate) fn is_sgf_file(path: &Path) -> bool {
    files::read(path, MAX_RECORD_BYTES as u64).is_ok_and(|bytes| {
        bytes.is_empty() || looks_like_sgf(&bytes) && sgf::parse(&bytes, sgf::Mode::Tolerant).is_ok()
    })
}

/// SGF begins with `(;`, perhaps after other text, perhaps in UTF-16.
fn looks_like_sgf(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return true;
    }
    let mut open = false;
    for &b in bytes {
        match b {
            b'(' => open = true,
            b';' if open => return true,
            b if b.is_ascii_whitespace() => {}
            _ => open = false,
        }
    }
    // A tree whose first semicolon is missing.
    bytes.trim_ascii_start().starts_with(b"(")
}
