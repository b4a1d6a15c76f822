//! Where a client's keys are, by URL: which URL may be registered, and to which addresses the service goes for it.

use crate::limits::KEY_URL_BYTES;
use crate::networks::Network;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The parts of a URL at which keys may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUrl<'u> {
    pub is_tls: bool,
    /// Host and port as they are written: what the server is asked for.
    pub authority: &'u str,
    /// Without the brackets of an IPv6 address.
    pub host: &'u str,
    pub port: u16,
    /// Path and query; `/` where there is none.
    pub path: &'u str,
}

/// Why a URL will not do. The words are the end of a sentence that begins with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUrlFault {
    Malformed,
    Fragment,
    NotHttps,
    PlainHttp,
    UserInfo,
    Host,
    Port,
    NotPublic,
}

impl KeyUrlFault {
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Malformed => "must be an absolute URL of at most 1000 printable ASCII characters without spaces",
            Self::Fragment => "must not have a fragment (#…)",
            Self::NotHttps => "must use https",
            Self::PlainHttp => {
                "must use https; plain http is only for 127.0.0.1, [::1] and localhost, while a sandbox runs"
            }
            Self::UserInfo => "must not contain a user name or password",
            Self::Host => "must name a host: a name of letters, digits and hyphens, or a whole IP address",
            Self::Port => "must have the port 443 or one from 1024 on",
            Self::NotPublic => {
                "has an address that is not of the public internet; jwks.allow_private permits those of your own networks"
            }
        }
    }
}

impl<'u> KeyUrl<'u> {
    /// Reads what may be such a URL somewhere; `KeyEgress` says whether it is here.
    pub fn read(url: &'u str) -> Result<Self, KeyUrlFault> {
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&byte);
        if url.len() > KEY_URL_BYTES || !url.bytes().all(is_plain) {
            return Err(KeyUrlFault::Malformed);
        }
        if url.contains('#') {
            return Err(KeyUrlFault::Fragment);
        }
        let (scheme, rest) = url.split_once("://").ok_or(KeyUrlFault::Malformed)?;
        let is_tls = scheme.eq_ignore_ascii_case("https");
        if !is_tls && !scheme.eq_ignore_ascii_case("http") {
            return Err(KeyUrlFault::NotHttps);
        }
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(KeyUrlFault::UserInfo);
        }
        // An empty path before a query is a slash: such a URL is written so.
        let path = match path {
            "" => "/",
            path if path.starts_with('/') => path,
            _ => return Err(KeyUrlFault::Malformed),
        };
        let (host, port) = host_and_port(authority)?;
        if !is_tls && !matches!(host, "127.0.0.1" | "::1" | "localhost") {
            return Err(KeyUrlFault::PlainHttp);
        }
        let port = match port {
            None if is_tls => 443,
            None => return Err(KeyUrlFault::Port),
            Some(digits) => port_of(digits).ok_or(KeyUrlFault::Port)?,
        };
        Ok(Self { is_tls, authority, host, port, path })
    }

    /// The address, where the URL names one instead of a name.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

fn host_and_port(authority: &str) -> Result<(&str, Option<&str>), KeyUrlFault> {
    if let Some(inner) = authority.strip_prefix('[') {
        let (host, behind) = inner.split_once(']').ok_or(KeyUrlFault::Host)?;
        host.parse::<Ipv6Addr>().map_err(|_| KeyUrlFault::Host)?;
        return match behind {
            "" => Ok((host, None)),
            _ => behind.strip_prefix(':').map(|port| (host, Some(port))).ok_or(KeyUrlFault::Port),
        };
    }
    let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
    if is_host(host) { Ok((host, port)) } else { Err(KeyUrlFault::Host) }
}

/// A name, or a whole IPv4 address. What ends in a number and is none (`127.1`, `0x7f000001`) is read as an address by some, and
/// as another by others.
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    host.len() <= 253 && host.split('.').all(is_label) && (!is_number || host.parse::<Ipv4Addr>().is_ok())
}

fn port_of(digits: &str) -> Option<u16> {
    let port = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    (port == 443 || port >= 1024).then_some(port)
}

/// Where the operator lets the service go for the keys of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEgress {
    /// In a sandbox this machine is open, also to plain http.
    pub sandbox: bool,
    /// `jwks.allow_private`.
    pub private: bool,
}

impl KeyEgress {
    /// Whether keys may be fetched from such a URL, as far as it can be said before its name is resolved.
    pub fn judge(self, url: &KeyUrl<'_>) -> Result<(), KeyUrlFault> {
        if !url.is_tls && !self.sandbox {
            return Err(KeyUrlFault::PlainHttp);
        }
        match url.address() {
            Some(address) if !self.permits(url, address) => Err(KeyUrlFault::NotPublic),
            _ => Ok(()),
        }
    }

    /// Whether the service connects to this address for this URL.
    #[must_use]
    pub fn permits(self, url: &KeyUrl<'_>, address: IpAddr) -> bool {
        match (Network::of(address), url.is_tls) {
            (Network::Loopback, false) => self.sandbox,
            (_, false) | (Network::LinkLocal | Network::Special, true) => false,
            (Network::Public, true) => true,
            (Network::Loopback, true) => self.private || self.sandbox,
            (Network::Private, true) => self.private,
        }
    }
}
