//! The way to a client's server: its name is resolved once, each address is judged, and one of those is connected to, so that a
//! name that leads elsewhere a moment later leads nobody there.

use super::fetch_fault::FetchFault;
use super::trusted_roots::TrustedRoots;
use rules::key_urls::{KeyEgress, KeyUrl};
use rules::limits::KEY_FETCHES;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;

/// So many addresses of a name are tried, and each but the last for so long.
const TRIED: usize = 4;
const PATIENCE: Duration = Duration::from_millis(500);

pub(super) trait ServerStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<W: AsyncRead + AsyncWrite + Send + Unpin> ServerStream for W {}

#[derive(Debug)]
pub(super) struct KeyServers {
    egress: KeyEgress,
    /// The system's resolver is asked on a thread that nobody can call back: no more of them than fetches.
    resolving: Arc<Semaphore>,
    roots: TrustedRoots,
}

impl KeyServers {
    pub(super) fn new(egress: KeyEgress) -> Self {
        Self { egress, resolving: Arc::new(Semaphore::new(KEY_FETCHES)), roots: TrustedRoots::default() }
    }

    #[cfg(test)]
    pub(super) fn trusting(egress: KeyEgress, roots: TrustedRoots) -> Self {
        Self { roots, ..Self::new(egress) }
    }

    /// Connects to the server of a URL.
    pub(super) async fn connect(&self, url: &KeyUrl<'_>) -> Result<Box<dyn ServerStream>, FetchFault> {
        self.egress.judge(url).map_err(FetchFault::Url)?;
        let addresses = self.resolve(url).await?;
        // All of them: a name with one address out there and one in here is nobody's mistake.
        if let Some(within) = addresses.iter().find(|address| !self.egress.permits(url, address.ip())) {
            return Err(FetchFault::Address(within.ip()));
        }
        let stream = first_of(&addresses).await?;
        if !url.is_tls {
            return Ok(Box::new(stream));
        }
        let name = ServerName::try_from(url.host.to_owned()).map_err(|_| FetchFault::NoAddress)?;
        let connector = self.roots.connector().await?;
        Ok(Box::new(connector.connect(name, stream).await.map_err(FetchFault::Tls)?))
    }

    async fn resolve(&self, url: &KeyUrl<'_>) -> Result<Vec<SocketAddr>, FetchFault> {
        if let Some(address) = url.address() {
            return Ok(vec![SocketAddr::new(address, url.port)]);
        }
        let place = self.resolving.clone().acquire_owned().await.map_err(|_| FetchFault::CutShort)?;
        let (host, port) = (url.host.to_owned(), url.port);
        // A task of its own, which keeps its place for as long as the thread is busy.
        let asked = tokio::spawn(async move {
            let found = tokio::net::lookup_host((host, port)).await.map(Iterator::collect);
            drop(place);
            found
        });
        asked.await.map_err(|_| FetchFault::CutShort)?.map_err(FetchFault::Name)
    }
}

/// A connection to the first of these that takes one.
async fn first_of(addresses: &[SocketAddr]) -> Result<TcpStream, FetchFault> {
    let tried = addresses.len().min(TRIED);
    let mut failure = FetchFault::NoAddress;
    for (at, address) in addresses.iter().take(tried).enumerate() {
        let connecting = TcpStream::connect(address);
        let connected = if at + 1 < tried {
            timeout(PATIENCE, connecting).await.unwrap_or_else(|_| Err(std::io::ErrorKind::TimedOut.into()))
        } else {
            connecting.await
        };
        match connected {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = FetchFault::Unreachable(error),
        }
    }
    Err(failure)
}
