//! Which certificate the service shows, if TLS is its own and not a proxy's.

use super::layers::Layers;
use std::path::PathBuf;

/// The two files, in PEM. They are not read here: other commands have no use for a private key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The server's certificate, and those of its issuers behind it.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// The files as the layers have them; `None` where there are none.
pub(super) fn files(layers: &mut Layers) -> Option<TlsFiles> {
    let mut file =
        |key| layers.value(key, "the path of a file", |path| (!path.is_empty()).then(|| PathBuf::from(path)));
    match (file("tls_cert"), file("tls_key")) {
        (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
        (certificate, key) => {
            if certificate.is_some() {
                layers.complain("tls_cert", "set together with tls_key, the file with its private key");
            }
            if key.is_some() {
                layers.complain("tls_key", "set together with tls_cert, the file with its certificate");
            }
            None
        }
    }
}
