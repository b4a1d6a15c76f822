//! Redirect URIs: which may be registered, and which a request may name.

/// Why a redirect URI cannot be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectFault {
    Malformed,
    Fragment,
    ForbiddenScheme,
    PlainHttp,
    NoHost,
    UserInfo,
    NotOnTheWeb,
}

impl RedirectFault {
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Malformed => "must be an absolute URI of at most 2048 printable ASCII characters without spaces",
            Self::Fragment => "must not have a fragment (#…)",
            Self::ForbiddenScheme => "must not use the scheme javascript, data, vbscript, file, blob or about",
            Self::PlainHttp => "must use https; plain http is only for 127.0.0.1, [::1] and localhost",
            Self::NoHost => "must name a host",
            Self::UserInfo => "must not contain a user name or password",
            Self::NotOnTheWeb => "must begin with https://",
        }
    }
}

/// The parts of a URI that matching looks at.
#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: &'a str,
    /// Everything between `//` and the path.
    authority: &'a str,
    /// Host without port, or the empty string where there is no authority.
    host: &'a str,
    /// What follows the host in the authority: nothing, or a colon and a port, or something that is neither.
    port: &'a str,
    /// Everything after the authority.
    rest: &'a str,
}

fn parts(uri: &str) -> Option<Parts<'_>> {
    let (scheme, after) = uri.split_once(':')?;
    let mut letters = scheme.bytes();
    if !letters.next()?.is_ascii_alphabetic()
        || !letters.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    {
        return None;
    }
    let Some(after) = after.strip_prefix("//") else {
        return Some(Parts { scheme, authority: "", host: "", port: "", rest: after });
    };
    let (authority, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
    let host_ends = match authority.starts_with('[') {
        true => authority.find(']')? + 1,
        false => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(host_ends);
    Some(Parts { scheme, authority, host, port, rest })
}

/// Whether `uri` may be registered as an address of a client to which browsers are led without a code.
pub fn registrable_page(uri: &str) -> Result<(), RedirectFault> {
    registrable(uri)?;
    let scheme = parts(uri).map_or("", |parts| parts.scheme);
    let is_page = ["http", "https"].into_iter().any(|page| scheme.eq_ignore_ascii_case(page));
    is_page.then_some(()).ok_or(RedirectFault::NotOnTheWeb)
}

/// Whether `uri` may be registered for a User Client.
pub fn registrable(uri: &str) -> Result<(), RedirectFault> {
    let printable =
        !uri.is_empty() && uri.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'<' | b'>' | b'\\'));
    if !printable || uri.len() > crate::limits::PARAMETER_BYTES {
        return Err(RedirectFault::Malformed);
    }
    let p = parts(uri).ok_or(RedirectFault::Malformed)?;
    let is = |scheme: &str| p.scheme.eq_ignore_ascii_case(scheme);
    if ["javascript", "data", "vbscript", "file", "blob", "about"].into_iter().any(is) {
        return Err(RedirectFault::ForbiddenScheme);
    }
    if uri.contains('#') {
        return Err(RedirectFault::Fragment);
    }
    if p.authority.contains('@') {
        return Err(RedirectFault::UserInfo);
    }
    if is("http") || is("https") {
        if p.host.is_empty() {
            return Err(RedirectFault::NoHost);
        }
        if !is_port(p.port) {
            return Err(RedirectFault::Malformed);
        }
        if is("http") && !is_loopback(p.host) {
            return Err(RedirectFault::PlainHttp);
        }
    }
    Ok(())
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "127.0.0.1" | "[::1]" | "localhost")
}

/// Whether a code may be sent there without anybody being asked: to a page of the web alone, or in a sandbox to one on this machine.
/// Any app of a device may claim a scheme, or listen at a port.
#[must_use]
pub fn is_for_silent_codes(uri: &str, is_sandbox: bool) -> bool {
    let Some(p) = parts(uri) else { return false };
    let is = |scheme: &str| p.scheme.eq_ignore_ascii_case(scheme);
    is("https") || is_sandbox && is("http") && is_loopback(p.host)
}

/// Absent, or a colon and a number; anything else behind a host is not a port but an attempt.
fn is_port(port: &str) -> bool {
    port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()) && number.parse::<u16>().is_ok())
}

/// Whether a request may use `uri` where `registered` is registered: the exact string; a native client's loopback
/// URI may differ in port only; with `extra_query`, further query parameters may follow a registered URI.
#[must_use]
pub fn matches(registered: &str, uri: &str, extra_query: bool) -> bool {
    registered == uri
        || differs_in_port_only(registered, uri)
        || (extra_query && registrable(uri).is_ok() && has_further_query(registered, uri))
}

fn differs_in_port_only(registered: &str, uri: &str) -> bool {
    let (Some(a), Some(b)) = (parts(registered), parts(uri)) else { return false };
    a.scheme == "http"
        && b.scheme == "http"
        && is_loopback(a.host)
        && a.host == b.host
        && a.rest == b.rest
        && registrable(uri).is_ok()
}

/// The parameters that we add to a redirect; a client that could add its own would get them twice.
const OURS: [&str; 4] = ["code", "state", "error", "iss"];

fn has_further_query(registered: &str, uri: &str) -> bool {
    let joint = if registered.contains('?') { '&' } else { '?' };
    let further = uri.strip_prefix(registered).and_then(|further| further.strip_prefix(joint));
    further.is_some_and(|further| {
        let mut names = further.split('&').map(|pair| pair.split('=').next().unwrap_or(pair));
        names.all(|name| !OURS.contains(&name) && !name.contains('%'))
    })
}
