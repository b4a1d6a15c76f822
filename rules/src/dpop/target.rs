//! Whether the URL of a proof (`htu`) is that of its request: by what URLs mean, not by how they are spelt (RFC 9449, 4.3; RFC 3986,
//! 6.2.2 and 6.2.3).

use alloc::{format, string::String, vec::Vec};

/// Whether two URLs are the same but for query and fragment. What is no http URL is the same as nothing.
#[must_use]
pub fn is_same(named: &str, url: &str) -> bool {
    named == url || normal(named).is_some_and(|named| normal(url) == Some(named))
}

/// The one spelling of a URL, without query and fragment.
fn normal(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let usual_port = match scheme.as_str() {
        "https" => "443",
        "http" => "80",
        _ => return None,
    };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if authority.is_empty() || authority.contains('@') {
        return None;
    }
    let authority = authority.to_ascii_lowercase();
    // Behind the last bracket, where the host is an IPv6 address.
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (authority.as_str(), ""),
    };
    let port = if port.is_empty() || port == usual_port { String::new() } else { format!(":{port}") };
    Some(format!("{scheme}://{host}{port}{}", without_dots(&decoded(path))))
}

/// Percent-encodings of what needs none are taken back; the others have capital digits.
fn decoded(path: &str) -> String {
    let mut normal = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, behind)) = rest.split_once('%') {
        normal.push_str(before);
        let digits = behind.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if is_unreserved(byte) => normal.push(char::from(byte)),
            Some(byte) => normal.push_str(&format!("%{byte:02X}")),
            None => normal.push('%'),
        }
        rest = if digits.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    normal.push_str(rest);
    normal
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// A path without `.` and `..` (RFC 3986, 5.2.4); no path is `/`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_open = false;
    for segment in path.split('/').skip(1) {
        ends_open = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            segment => kept.push(segment),
        }
    }
    let end = if ends_open && !kept.is_empty() { "/" } else { "" };
    format!("/{}{end}", kept.join("/"))
}
