//! For whom passkeys are made (WebAuthn level 3, 5.1.2 and 7.1): the host and the origin of the service.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::net::Ipv4Addr;

/// The relying party that a service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    pub id: String,
    /// As browsers write it down.
    pub origin: String,
}

impl RelyingParty {
    /// The one at a base URL. `None` where there are no passkeys: an IP address is no relying party, and browsers have no passkeys
    /// for plain http but on the machine itself.
    #[must_use]
    pub fn of(base_url: &str) -> Option<Self> {
        let (scheme, rest) = base_url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host.to_owned(), Some(port.to_owned())),
            None => (authority, None),
        };
        let usual = match scheme {
            "https" => "443",
            "http" if host == "localhost" || host.ends_with(".localhost") => "80",
            _ => return None,
        };
        // Browsers take a host that ends in a number for an IPv4 address, however it is written.
        let last = host.rsplit('.').next().unwrap_or_default();
        let is_address = host.parse::<Ipv4Addr>().is_ok() || last.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
        if is_address || !is_name {
            return None;
        }
        let origin = match port.filter(|port| port != usual) {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        };
        Some(Self { id: host, origin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_the_host_and_the_origin_is_written_as_browsers_write_it() {
        for (url, id, origin) in [
            ("https://records.example.org", "records.example.org", "https://records.example.org"),
            ("https://Records.Example.org:443/gate", "records.example.org", "https://records.example.org"),
            ("https://records.example.org:8443", "records.example.org", "https://records.example.org:8443"),
            ("http://localhost:8080", "localhost", "http://localhost:8080"),
            ("http://clinic.localhost:80", "clinic.localhost", "http://clinic.localhost"),
        ] {
            assert_eq!(RelyingParty::of(url), Some(RelyingParty { id: id.into(), origin: origin.into() }), "{url}");
        }
    }

    #[test]
    fn there_is_none_at_an_address_and_none_without_tls() {
        for url in [
            "http://127.0.0.1:8080",
            "https://192.0.2.7",
            "https://[2001:db8::1]:8443",
            "https://127.1",
            "https://records.7",
            "http://records.example.org",
            "https://",
            "https://.",
            "records.example.org",
        ] {
            assert_eq!(RelyingParty::of(url), None, "{url}");
        }
    }
}
