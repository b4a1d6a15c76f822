//! TLS to PostgreSQL: with the server's certificate and name verified, or not at all.
//!
//! What other clients call `require` takes any certificate, so whoever sits in between can read along. It is refused in
//! words here, and so is falling back to plain text.

use crate::error::{Error, Result};
use percent_encoding::percent_decode_str;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

type TlsError = Box<dyn std::error::Error + Sync + Send>;

/// Whether connections are encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Encryption {
    Plain,
    /// The authorities that the server's certificate must be from, in a PEM file.
    Verified(PathBuf),
}

impl Encryption {
    /// Takes what a URL says of it out of the URL.
    pub(super) fn take(url: &str) -> Result<(String, Self)> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value),
                Some(("sslrootcert", value)) => {
                    roots = Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
                }
                _ => rest.push(parameter),
            }
        }
        let encryption = match (mode, roots) {
            (Some("verify-full"), Some(roots)) => Self::Verified(PathBuf::from(roots)),
            (None | Some("disable" | "prefer"), None) => Self::Plain,
            (mode, roots) => return Err(Error::Setup(wrong(mode, roots.is_some()))),
        };
        let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
        Ok((format!("{base}{query}"), encryption))
    }
}

const RIGHT: &str = "write sslmode=verify-full&sslrootcert=FILE, with the authorities that you trust in PEM (on Debian the \
    public ones are in /etc/ssl/certs/ca-certificates.crt), or sslmode=disable";

fn wrong(mode: Option<&str>, has_roots: bool) -> String {
    match mode {
        Some("require" | "verify-ca") => {
            format!("sslmode=require and verify-ca let another server stand in for yours; {RIGHT}")
        }
        Some("verify-full") => format!("sslmode=verify-full needs to know whom to trust; {RIGHT}"),
        None | Some("disable" | "prefer") if has_roots => {
            format!("sslrootcert without sslmode=verify-full would verify nothing; {RIGHT}")
        }
        _ => format!("there is no such sslmode; {RIGHT}"),
    }
}

/// Makes connections encrypted, where that is wanted.
#[derive(Clone)]
pub(super) struct Tls(Option<TlsConnector>);

impl Tls {
    pub(super) fn new(encryption: &Encryption) -> Result<Self> {
        let Encryption::Verified(file) = encryption else { return Ok(Self(None)) };
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Impossible(error.to_string()))?
            .with_root_certificates(authorities(file)?)
            .with_no_client_auth();
        Ok(Self(Some(TlsConnector::from(Arc::new(config)))))
    }
}

fn authorities(file: &Path) -> Result<RootCertStore> {
    let unusable = |why: String| Error::Setup(format!("sslrootcert={} cannot be used: {why}", file.display()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unusable(error.to_string()))? {
        let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
        roots.add(certificate).map_err(|error| unusable(error.to_string()))?;
    }
    if roots.is_empty() { Err(unusable("it holds no certificate".into())) } else { Ok(roots) }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = EncryptedStream<S>;
    type TlsConnect = To;
    type Error = TlsError;

    fn make_tls_connect(&mut self, host: &str) -> std::result::Result<To, TlsError> {
        Ok(To { connector: self.0.clone(), host: host.to_owned() })
    }
}

/// One connection on its way to a host.
pub(super) struct To {
    connector: Option<TlsConnector>,
    host: String,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for To {
    type Stream = EncryptedStream<S>;
    type Error = TlsError;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<EncryptedStream<S>, TlsError>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let connector = self.connector.ok_or("TLS was not asked for")?;
            let name = ServerName::try_from(self.host)?;
            Ok(EncryptedStream(connector.connect(name, stream).await?))
        })
    }
}

/// An encrypted connection.
pub(super) struct EncryptedStream<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for EncryptedStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        // The server is known by its verified name; binding the password to its certificate as well would add nothing.
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for EncryptedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for EncryptedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
