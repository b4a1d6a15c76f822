//! Why keys were not fetched, as the operator reads it in the log. Whoever asks for tokens is not told.

use hyper::StatusCode;
use rules::key_urls::KeyUrlFault;
use rules::limits::{KEY_BODY_BYTES, KEY_FETCH_SECONDS};
use rules::networks::Network;
use std::net::IpAddr;

#[derive(Debug, thiserror::Error)]
pub enum FetchFault {
    #[error("too many fetches are under way")]
    Busy,
    #[error("jwks_url {}", .0.words())]
    Url(KeyUrlFault),
    #[error("the name could not be resolved: {0}")]
    Name(std::io::Error),
    #[error("the name has no address")]
    NoAddress,
    #[error("the address {0} is {word}, and is not gone to", word = Network::of(*.0).word())]
    Address(IpAddr),
    #[error("no way there: {0}")]
    Unreachable(std::io::Error),
    #[error("this system trusts no certificates (SSL_CERT_FILE names a file of them)")]
    NoRoots,
    #[error("TLS: {0}")]
    Tls(std::io::Error),
    #[error("HTTP: {0}")]
    Http(#[from] hyper::Error),
    #[error("it redirects ({0}), which is not followed")]
    Redirect(StatusCode),
    #[error("it answered {0}")]
    Status(StatusCode),
    #[error("the answer broke off, or is longer than {KEY_BODY_BYTES} bytes")]
    Body,
    #[error("the answer {0}")]
    NoKeySet(&'static str),
    #[error("it took longer than {KEY_FETCH_SECONDS} seconds")]
    Late,
    #[error("the fetch was cut short")]
    CutShort,
}
