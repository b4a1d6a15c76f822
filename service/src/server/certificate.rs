//! The certificate of TLS in process: read from its two files, with words for what is wrong with them and what would be right.

use crate::app::config::TlsFiles;
use crate::formats::when;
use ring::digest::{SHA256, digest};
use rules::moment::Moment;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring as provider};
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{CertificateError, Error, RootCertStore, ServerConfig};
use zeroize::Zeroizing;

/// No chain and no key is longer.
const MOST_BYTES: u64 = 1024 * 1024;

/// What clients are offered above TLS, the best first.
pub(super) const HTTP2: &[u8] = b"h2";
const HTTP1: &[u8] = b"http/1.1";

/// Why a certificate cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum CertificateTrouble {
    #[error("{setting} = {file:?} cannot be read: {error}; it must be a file in PEM that this process may read")]
    Unreadable { setting: &'static str, file: PathBuf, error: io::Error },
    #[error("{setting} = {file:?} is no PEM: {why}")]
    NotPem { setting: &'static str, file: PathBuf, why: String },
    #[error(
        "tls_cert = {0:?} holds no certificate; it must hold the server's (BEGIN CERTIFICATE), and its issuers' behind it"
    )]
    NoCertificate(PathBuf),
    #[error(
        "tls_key = {0:?} holds no private key that can be read; it must hold one without a password (BEGIN PRIVATE KEY, \
         BEGIN RSA PRIVATE KEY or BEGIN EC PRIVATE KEY)"
    )]
    NoKey(PathBuf),
    #[error(
        "tls_key = {0:?} holds a private key that cannot be used; it must be RSA of 2048 bits or more, ECDSA or Ed25519"
    )]
    UnusableKey(PathBuf),
    #[error(
        "tls_key = {key:?} is not the private key of the first certificate in tls_cert = {certificate:?}; the server's own \
         certificate comes first, and both files must be of one issue"
    )]
    Mismatch { certificate: PathBuf, key: PathBuf },
    #[error("tls_cert = {file:?} holds a certificate that cannot be used: {why}")]
    Unusable { file: PathBuf, why: String },
}

/// What the two files hold.
pub(super) struct PairText {
    certificate: Vec<u8>,
    key: Zeroizing<Vec<u8>>,
}

/// A certificate that can be shown.
pub(super) struct Certificate {
    pub(super) config: Arc<ServerConfig>,
    own: CertificateDer<'static>,
}

impl PairText {
    pub(super) fn read(files: &TlsFiles) -> Result<Self, CertificateTrouble> {
        let text = |setting, file: &Path| {
            bounded(file).map_err(|error| CertificateTrouble::Unreadable { setting, file: file.into(), error })
        };
        Ok(Self { certificate: text("tls_cert", &files.certificate)?, key: text("tls_key", &files.key)?.into() })
    }

    /// Tells one text from another, and nothing of a key.
    pub(super) fn fingerprint(&self) -> [Vec<u8>; 2] {
        [&self.certificate, &*self.key].map(|text| digest(&SHA256, text).as_ref().to_vec())
    }

    /// The certificate with its key, for TLS 1.2 and 1.3.
    pub(super) fn certificate(&self, files: &TlsFiles) -> Result<Certificate, CertificateTrouble> {
        let (file, key_file) = (&files.certificate, &files.key);
        let chain = chain(file, &self.certificate)?;
        let own = chain.first().cloned().ok_or_else(|| CertificateTrouble::NoCertificate(file.clone()))?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|error| match error {
            PemError::NoItemsFound => CertificateTrouble::NoKey(key_file.clone()),
            error => CertificateTrouble::NotPem { setting: "tls_key", file: key_file.clone(), why: error.to_string() },
        })?;
        let provider = Arc::new(provider::default_provider());
        let is_usable = provider.key_provider.load_private_key(key.clone_key()).is_ok();
        if !is_usable {
            return Err(CertificateTrouble::UnusableKey(key_file.clone()));
        }
        let unusable = |error: Error| CertificateTrouble::Unusable { file: file.clone(), why: error.to_string() };
        let built = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(unusable)?
            .with_no_client_auth()
            .with_single_cert(chain, key);
        let mut config = built.map_err(|error| match error {
            Error::InconsistentKeys(_) => {
                CertificateTrouble::Mismatch { certificate: file.clone(), key: key_file.clone() }
            }
            error => unusable(error),
        })?;
        config.alpn_protocols = [HTTP2, HTTP1].map(<[u8]>::to_vec).into();
        Ok(Certificate { config: Arc::new(config), own })
    }
}

impl Certificate {
    /// What clients will not like about it, though it can be shown.
    pub(super) fn concerns(&self, now: Moment, base_url: &str) -> Vec<String> {
        let Ok(own) = ParsedCertificate::try_from(&self.own) else { return Vec::new() };
        let mut concerns: Vec<String> = out_of_date(&own, now).into_iter().collect();
        if let Some(name) = ServerName::try_from(host(base_url)).ok()
            && verify_server_name(&own, &name).is_err()
        {
            concerns.push(format!("it is not for {}, the host of base_url", host(base_url)));
        }
        concerns
    }
}

fn chain(file: &Path, text: &[u8]) -> Result<Vec<CertificateDer<'static>>, CertificateTrouble> {
    let no_pem =
        |error: PemError| CertificateTrouble::NotPem { setting: "tls_cert", file: file.into(), why: error.to_string() };
    CertificateDer::pem_slice_iter(text).collect::<Result<_, _>>().map_err(no_pem)
}

fn bounded(file: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let length = File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut text)? as u64;
    if length > MOST_BYTES { Err(io::Error::other("it is longer than 1 MiB")) } else { Ok(text) }
}

/// Whether the certificate is past its time or before it. Whoever verifies one looks at that first; that nobody is trusted here
/// is found after it.
fn out_of_date(own: &ParsedCertificate<'_>, now: Moment) -> Option<String> {
    let CryptoProvider { signature_verification_algorithms: known, .. } = provider::default_provider();
    let seconds = u64::try_from(now.unix_seconds()).unwrap_or_default();
    let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
    let time = |time: UnixTime| {
        let millis = i64::try_from(time.as_secs()).ok().and_then(|seconds| seconds.checked_mul(1000));
        millis.map_or_else(String::new, |millis| when::rfc3339(Moment(millis)))
    };
    match verify_server_cert_signed_by_trust_anchor(own, &RootCertStore::empty(), &[], now, known.all) {
        Err(Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. })) => {
            Some(format!("it ended at {}", time(not_after)))
        }
        Err(Error::InvalidCertificate(CertificateError::NotValidYetContext { not_before, .. })) => {
            Some(format!("it begins at {}", time(not_before)))
        }
        _ => None,
    }
}

/// The host of a URL, without port and brackets.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
    }
}

#[cfg(test)]
#[path = "certificate_tests.rs"]
mod tests;
