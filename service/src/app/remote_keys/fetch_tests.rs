//! Fetches over TLS, from a server on this machine with a certificate of its own authority.

use super::*;
use crate::app::remote_keys::trusted_roots::TrustedRoots;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

const KEYS: &str = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
const EGRESS: KeyEgress = KeyEgress { sandbox: false, private: true };

/// A certificate for this name, signed by itself, with its key.
fn certificate(name: &str, directory: &Path) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
    let (key, certificate) = (directory.join("key.pem"), directory.join("certificate.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=keys", "-addext", &format!("subjectAltName=DNS:{name}")])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"])
        .args([key.as_os_str(), "-out".as_ref(), certificate.as_os_str()])
        .output()
        .expect("openssl, which ./test installs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (CertificateDer::from_pem_file(certificate).unwrap(), PrivateKeyDer::from_pem_file(key).unwrap())
}

/// Fetches from a server with a certificate for this name, by a fetcher that trusts it or not.
async fn fetched(name: &str, is_trusted: bool) -> Result<FetchedKeys, FetchFault> {
    let directory = tempfile::tempdir().unwrap();
    let (certificate, key) = certificate(name, directory.path());
    let (other, _) = self::certificate(name, directory.path());
    let mut roots = RootCertStore::empty();
    roots.add(if is_trusted { certificate.clone() } else { other }).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/keys", listener.local_addr().unwrap().port());
    let serving = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        // A client that does not trust us goes away.
        let Ok(mut stream) = TlsAcceptor::from(Arc::new(config)).accept(stream).await else { return };
        let mut heard = Vec::new();
        while !heard.ends_with(b"\r\n\r\n") {
            assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0);
        }
        let head = format!("HTTP/1.1 200 OK\r\ncache-control: max-age=77\r\ncontent-length: {}\r\n\r\n", KEYS.len());
        stream.write_all((head + KEYS).as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
    });
    let servers = KeyServers::trusting(EGRESS, TrustedRoots::only(roots));
    let fetcher = KeyFetcher { servers, places: Semaphore::new(1) };
    let fetched = fetcher.fetch(&url, Duration::ZERO).await;
    serving.await.unwrap();
    fetched
}

#[tokio::test]
async fn keys_come_over_tls_from_who_has_the_name_and_is_trusted() {
    let keys = fetched("localhost", true).await.unwrap();
    assert_eq!((keys.keys.len(), keys.good_seconds), (1, 77));
}

#[tokio::test]
async fn a_certificate_of_nobody_who_is_trusted_or_of_another_name_brings_no_keys() {
    for (name, is_trusted) in [("localhost", false), ("elsewhere.example", true)] {
        let fault = fetched(name, is_trusted).await.unwrap_err();
        assert!(matches!(fault, FetchFault::Tls(_)), "{name}: {fault}");
    }
}
