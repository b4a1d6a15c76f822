//! Where a collector listens, and how much it is sent.

/// A collector's address: plain HTTP, for one on this machine or in a network of our own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Host and port.
    pub authority: String,
    pub path: String,
}

/// The port of OTLP over HTTP, and its path for spans.
const PORT: u16 = 4318;
const PATH: &str = "/v1/traces";

impl Endpoint {
    /// `http://HOST[:PORT][/PATH]`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("http://")?;
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(['?', '#', '@', '"', '<', '>']);
        // The colons in the brackets of an IPv6 address are not before a port.
        let after_host = authority.rsplit(']').next().unwrap_or_default();
        let (host, authority) = match after_host.rsplit_once(':') {
            Some((_, port)) => {
                port.parse::<u16>().ok().filter(|port| *port != 0)?;
                (authority.get(..authority.len() - port.len() - 1)?, authority.to_owned())
            }
            None => (authority, format!("{authority}:{PORT}")),
        };
        let path = if path.is_empty() || path == "/" { PATH } else { path };
        (plain && !host.is_empty()).then(|| Self { authority, path: path.to_owned() })
    }
}

/// What is exported, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelemetrySettings {
    pub endpoint: Endpoint,
    /// Of requests whose caller has not decided, one in so many.
    pub one_in: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_has_a_host_and_may_have_a_port_and_a_path() {
        for (text, authority, path) in [
            ("http://127.0.0.1:4318", "127.0.0.1:4318", PATH),
            ("http://collector", "collector:4318", PATH),
            ("http://collector/", "collector:4318", PATH),
            ("http://[::1]:9/otlp/v1/traces", "[::1]:9", "/otlp/v1/traces"),
            ("http://[::1]", "[::1]:4318", PATH),
        ] {
            let expected = Endpoint { authority: authority.into(), path: path.into() };
            assert_eq!(Endpoint::parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_http_or_has_no_host_will_not_do() {
        for wrong in [
            "",
            "127.0.0.1:4318",
            "https://collector",
            "http://",
            "http://:4318",
            "http://collector:port",
            "http://collector:0",
            "http://user@collector",
            "http://collector/?a=b",
            "http://collec tor",
        ] {
            assert_eq!(Endpoint::parse(wrong), None, "{wrong}");
        }
    }
}
