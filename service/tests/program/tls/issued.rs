//! Certificates for this machine, each its own authority.

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tokio_rustls::rustls::pki_types::CertificateDer;

pub struct Issued {
    /// In PEM, as the key is.
    pub certificate: String,
    pub key: String,
    pub der: CertificateDer<'static>,
}

impl Issued {
    pub fn new() -> Self {
        Self::with(|_| ())
    }

    /// One that ended years ago.
    pub fn expired() -> Self {
        Self::with(|params| {
            params.not_before = date_time_ymd(2019, 1, 1);
            params.not_after = date_time_ymd(2020, 1, 1);
        })
    }

    fn with(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let mut params = CertificateParams::new(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self { certificate: certificate.pem(), key: key.serialize_pem(), der: certificate.der().clone() }
    }
}
