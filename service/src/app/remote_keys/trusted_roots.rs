//! TLS to the servers of clients: by the authorities that the system trusts, read when they are first needed.

use super::fetch_fault::FetchFault;
use std::sync::Arc;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

#[derive(Default)]
pub(super) struct TrustedRoots(OnceCell<TlsConnector>);

impl std::fmt::Debug for TrustedRoots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TrustedRoots")
    }
}

impl TrustedRoots {
    /// These, in place of the system's.
    #[cfg(test)]
    pub(super) fn only(roots: RootCertStore) -> Self {
        Self(OnceCell::new_with(connector(roots)))
    }

    pub(super) async fn connector(&self) -> Result<&TlsConnector, FetchFault> {
        let read = || async {
            // Some hundred files, perhaps.
            let read = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs);
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(read.await.map_err(|_| FetchFault::NoRoots)?.certs);
            connector(roots).ok_or(FetchFault::NoRoots)
        };
        self.0.get_or_try_init(read).await
    }
}

fn connector(roots: RootCertStore) -> Option<TlsConnector> {
    if roots.is_empty() {
        return None;
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .ok()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Some(TlsConnector::from(Arc::new(config)))
}
