//! Watches the files of the certificate: a new one is shown to new connections, and a broken one to nobody.

use super::certificate::{CertificateTrouble, PairText};
use super::stop::turned_true;
use crate::app::Shared;
use crate::app::config::TlsFiles;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_rustls::rustls::ServerConfig;

const EVERY: Duration = Duration::from_secs(1);

/// What new connections are encrypted with.
pub(super) type Encryption = watch::Receiver<Arc<ServerConfig>>;

/// The certificate that is shown, and what was last found in its place.
pub(super) struct CertificateWatch {
    files: TlsFiles,
    shown: PairSight,
    /// What was found at the last look, if that cannot be shown.
    broken: Option<PairSight>,
    is_told: bool,
    to: watch::Sender<Arc<ServerConfig>>,
}

/// What one look finds: the texts, by their fingerprints, or why there are none.
#[derive(Debug, PartialEq, Eq)]
enum PairSight {
    Texts([Vec<u8>; 2]),
    Unreadable(String),
}

/// What has become of the files since the last look.
#[derive(Debug)]
enum PairChange {
    None,
    /// Another certificate is shown, which clients may not like for these reasons.
    Shown(Vec<String>),
    Broken(CertificateTrouble),
}

impl CertificateWatch {
    /// Reads the certificate for the first time. What is wrong with it keeps the service from starting.
    pub(super) fn begin(files: TlsFiles, app: &Shared) -> Result<(Self, Encryption), CertificateTrouble> {
        let text = PairText::read(&files)?;
        let certificate = text.certificate(&files)?;
        warn(&certificate.concerns(app.clock.now(), &app.settings.base_url));
        let (to, encryption) = watch::channel(certificate.config);
        let shown = PairSight::Texts(text.fingerprint());
        Ok((Self { files, shown, broken: None, is_told: false, to }, encryption))
    }

    /// Looks every second until the service stops.
    pub(super) async fn run(mut self, app: Shared, mut stop: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                () = turned_true(&mut stop) => return,
            }
            let files = self.files.clone();
            let Ok(read) = tokio::task::spawn_blocking(move || PairText::read(&files)).await else { continue };
            match self.look(read, &app) {
                PairChange::None => {}
                PairChange::Shown(concerns) => {
                    tracing::info!("the certificate has changed; new connections get the new one");
                    warn(&concerns);
                }
                PairChange::Broken(error) => {
                    tracing::warn!(%error, "the certificate has changed and cannot be used; the one before stays");
                }
            }
        }
    }

    /// The two files are changed one after the other, so that between them they do not fit: what is broken is told when it
    /// is found a second time, and once.
    fn look(&mut self, read: Result<PairText, CertificateTrouble>, app: &Shared) -> PairChange {
        let sight = match &read {
            Ok(text) => PairSight::Texts(text.fingerprint()),
            Err(trouble) => PairSight::Unreadable(trouble.to_string()),
        };
        if sight == self.shown {
            self.broken = None;
            return PairChange::None;
        }
        let is_known = self.broken.as_ref() == Some(&sight);
        if is_known && self.is_told {
            return PairChange::None;
        }
        match read.and_then(|text| text.certificate(&self.files)) {
            Ok(certificate) => {
                let concerns = certificate.concerns(app.clock.now(), &app.settings.base_url);
                (self.shown, self.broken) = (sight, None);
                self.to.send_replace(certificate.config);
                PairChange::Shown(concerns)
            }
            Err(trouble) => {
                (self.broken, self.is_told) = (Some(sight), is_known);
                if is_known { PairChange::Broken(trouble) } else { PairChange::None }
            }
        }
    }
}

fn warn(concerns: &[String]) {
    for why in concerns {
        tracing::warn!(why, "clients will not trust the certificate");
    }
}
