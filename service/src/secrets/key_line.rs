//! One line of a key ring: `<key id> <64 bytes in base64url> <checksum>`, and the line that says whose ring it is.

use super::key::{KEY_BYTES, Key};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// A comment to releases that know nothing of it.
const STORE: &str = "# store ";
/// So that the checksum is good for nothing else.
const DOMAIN: &[u8] = b"recordgate key ring line\0";
const CHECKSUM_BYTES: usize = 4;

/// What is wrong with a line.
pub(super) enum LineFault {
    Malformed,
    Changed,
}

/// The store whose ring this is, if the line says so.
pub(super) fn store(line: &str) -> Option<&str> {
    line.strip_prefix(STORE).map(str::trim)
}

pub(super) fn store_line(id: &str) -> String {
    format!("{STORE}{id}\n")
}

/// Reads the line of a key. One without a checksum is an earlier release's; `checked` says that there are none here.
pub(super) fn parse(line: &str, checked: bool) -> Result<Key, LineFault> {
    let mut words = line.split_ascii_whitespace();
    let (Some(id), Some(key), sum, None) = (words.next(), words.next(), words.next(), words.next()) else {
        return Err(LineFault::Malformed);
    };
    match sum {
        Some(sum) if sum != checksum(id, key) => return Err(LineFault::Changed),
        None if checked => return Err(LineFault::Changed),
        _ => {}
    }
    let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(key).map_err(|_| LineFault::Malformed)?);
    let bytes: [u8; KEY_BYTES] = bytes.as_slice().try_into().map_err(|_| LineFault::Malformed)?;
    if !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(LineFault::Malformed);
    }
    Ok(Key::of(id.to_owned(), Zeroizing::new(bytes)))
}

/// Appends the line of a key.
pub(super) fn write(key: &Key, text: &mut Zeroizing<String>) {
    let mut encoded = Zeroizing::new(String::new());
    URL_SAFE_NO_PAD.encode_string(*key.bytes, &mut encoded);
    text.extend([key.id.as_str(), " ", &encoded, " ", &checksum(&key.id, &encoded), "\n"]);
}

fn checksum(id: &str, key: &str) -> String {
    let hash = Sha256::new().chain_update(DOMAIN).chain_update(id).chain_update(b" ").chain_update(key).finalize();
    hash.iter().take(CHECKSUM_BYTES).map(|byte| format!("{byte:02x}")).collect()
}
