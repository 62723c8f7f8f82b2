//! Who may do what: the owner key, seats' and spectators' tokens, invitations, ids of games.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// What a secret is stored as.
pub type SecretHash = [u8; 32];

const BASE64URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ID_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Letters of a game's id.
pub const ID_LENGTH: usize = 12;
/// Letters of a secret.
pub const SECRET_LENGTH: usize = 22;

/// The system has no randomness to give: nothing secret can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoRandomness;

fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// A new secret: 128 bits as 22 letters of base64url.
///
/// # Errors
/// When the system gives no randomness.
pub fn new_secret() -> Result<String, NoRandomness> {
    Ok(secret_text(random()?))
}

/// The secret for the game `next` that follows from one for the game before it: always the same, so that it need not be kept to be
/// told again, and only who has the old one can find it.
pub fn secret_after(old: &str, next: &str) -> String {
    let digest = Sha256::digest(format!("rematch:{next}:{old}").as_bytes());
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(digest.iter()).for_each(|(to, from)| *to = *from);
    secret_text(bytes)
}

/// 128 bits as letters.
fn secret_text(bytes: [u8; 16]) -> String {
    let number = u128::from_be_bytes(bytes);
    // 22 letters hold 132 bits: the last ones are zeros.
    let letter = |i: usize| {
        let bits = if i < 21 { number >> (128 - 6 * (i + 1)) } else { number << 4 };
        char::from(BASE64URL[(bits & 63) as usize])
    };
    (0..SECRET_LENGTH).map(letter).collect()
}

/// A new id of a game: 60 bits as 12 letters and digits that are not taken for each other.
///
/// # Errors
/// When the system gives no randomness.
pub fn new_id() -> Result<String, NoRandomness> {
    let bytes: [u8; ID_LENGTH] = random()?;
    Ok(bytes.iter().map(|&b| char::from(ID_LETTERS[usize::from(b % 32)])).collect())
}

/// A new seed of a game's luck.
///
/// # Errors
/// When the system gives no randomness.
pub fn new_seed() -> Result<u64, NoRandomness> {
    Ok(u64::from_le_bytes(random()?))
}

/// Whether a text can be a game's id at all.
pub fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Whether a text can be a secret at all.
pub fn is_secret(text: &str) -> bool {
    text.len() == SECRET_LENGTH && text.bytes().all(|b| BASE64URL.contains(&b))
}

/// What is stored in place of a secret.
pub fn hash(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Compares in a time that does not depend on where the two differ.
pub fn same(a: &SecretHash, b: &SecretHash) -> bool {
    bool::from(a.as_slice().ct_eq(b.as_slice()))
}

/// SHA-256 as hex of the seed and its salt, joined by a colon: published at the start, checked at the end.
pub fn commitment(seed: u64, salt: &str) -> String {
    let digest: [u8; 32] = Sha256::digest(format!("{seed}:{salt}").as_bytes()).into();
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

/// A number that follows from a text, and from which the text cannot be found.
pub fn derived(text: &str) -> u64 {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// What is wrong with the file of the owner's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It cannot be read.
    #[error("it cannot be read ({0}); make it a file that you can read, or delete it and a new key is made")]
    Read(io::ErrorKind),
    /// It holds something else.
    #[error(
        "it holds no key (22 letters, digits, - or _); restore it from a backup, or delete it and a new key is made"
    )]
    NoKey,
    /// It cannot be made.
    #[error("it cannot be written ({0}); make the folder one that you can write")]
    Write(io::ErrorKind),
    /// There is no randomness for a key.
    #[error("{0}")]
    Random(#[from] NoRandomness),
}

/// The file of the owner's key in the data folder.
pub const KEY_FILE: &str = "owner-key";

/// The owner's key of a data folder; made at the first start, readable by the owner only. A file that holds no key is never
/// replaced: the links that were made with the key it once held would end without a word.
///
/// # Errors
/// When the file holds no key, or cannot be read or written.
pub fn owner_key(folder: &Path) -> Result<String, KeyError> {
    let path = folder.join(KEY_FILE);
    match fs::read(&path) {
        Ok(bytes) => {
            let text = str::from_utf8(&bytes).map_err(|_| KeyError::NoKey)?.trim();
            return if is_secret(text) { Ok(text.to_owned()) } else { Err(KeyError::NoKey) };
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(KeyError::Read(e.kind())),
    }
    let key = new_secret()?;
    let part = folder.join("owner-key.part");
    let write = || {
        let mut file = private_file(&part)?;
        file.write_all(key.as_bytes())?;
        file.sync_all()?;
        // Whoever looks under its name finds the whole key.
        fs::rename(&part, &path)
    };
    write().map_err(|e: io::Error| KeyError::Write(e.kind()))?;
    Ok(key)
}

/// Creates `part` so that nobody else can read it.
fn private_file(part: &Path) -> io::Result<fs::File> {
    let _ = fs::remove_file(part);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(part)
}
