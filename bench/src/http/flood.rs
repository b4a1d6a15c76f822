//! A flood: very many connections from an address of their own that send the same requests again and again, whatever they are
//! answered, and come again when they are cut off.

use super::response::Reader;
use crate::measure::trouble::Trouble;
use bytes::Bytes;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Beside the address of everybody else, whose connections are counted by themselves.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// Before somebody comes again who was cut off.
const BREATH: Duration = Duration::from_millis(5);

/// What is sent at once; many may share a body.
#[derive(Debug, Clone)]
pub(crate) struct FloodRequest {
    pub(crate) head: Vec<u8>,
    pub(crate) body: Bytes,
}

/// What the connections do with answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listening {
    /// They read each as fast as it comes, and then send the next request.
    AtOnce,
    /// They read none, and send request after request.
    Never,
}

/// A flood under way.
#[derive(Debug)]
pub(crate) struct Flood {
    connections: JoinSet<()>,
    counts: Arc<Counts>,
    began: Instant,
}

#[derive(Debug, Default)]
struct Counts {
    answered: AtomicU32,
    refused: AtomicU32,
}

/// How many answers a second there were of all connections together, and of those how many were refusals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FloodRates {
    pub(crate) answered: f64,
    pub(crate) refused: f64,
}

impl Flood {
    /// Each connection begins with another of the requests.
    pub(crate) fn begin(
        address: SocketAddr,
        count: usize,
        requests: &Arc<[FloodRequest]>,
        listening: Listening,
    ) -> Self {
        let (mut connections, counts) = (JoinSet::new(), Arc::new(Counts::default()));
        for place in 0..count {
            let (requests, counts) = (Arc::clone(requests), Arc::clone(&counts));
            connections.spawn(async move {
                let mut turn = requests.iter().cycle().skip(place);
                loop {
                    // Whoever is cut off comes again, and that is all there is to do about it.
                    let _cut_off = come(address, &mut turn, listening, &counts).await;
                    sleep(BREATH).await;
                }
            });
        }
        Self { connections, counts, began: Instant::now() }
    }

    /// How many answers there were so far.
    pub(crate) fn answered(&self) -> u32 {
        self.counts.answered.load(Ordering::Relaxed)
    }

    /// Cuts all connections, wherever they are.
    pub(crate) async fn end(mut self) -> FloodRates {
        self.connections.shutdown().await;
        let seconds = self.began.elapsed().as_secs_f64().max(1e-3);
        let rate = |count: &AtomicU32| f64::from(count.load(Ordering::Relaxed)) / seconds;
        FloodRates { answered: rate(&self.counts.answered), refused: rate(&self.counts.refused) }
    }
}

/// One connection, until it is cut off.
async fn come<'r>(
    address: SocketAddr,
    turn: &mut impl Iterator<Item = &'r FloodRequest>,
    listening: Listening,
    counts: &Counts,
) -> Result<(), Trouble> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((ADDRESS, 0)))?;
    let mut wire = socket.connect(address).await?;
    wire.set_nodelay(true)?;
    let mut reader = Reader::new();
    for request in turn {
        if listening == Listening::Never {
            send(&mut wire, request).await?;
            continue;
        }
        let (status, is_whole) = exchange(&mut wire, &mut reader, request).await?;
        counts.answered.fetch_add(1, Ordering::Relaxed);
        counts.refused.fetch_add(u32::from(status >= 400), Ordering::Relaxed);
        if !is_whole {
            break;
        }
    }
    Ok(())
}

/// Sends a request and reads its answer, which may come before all was sent: then the connection is of no more use.
async fn exchange(wire: &mut TcpStream, reader: &mut Reader, request: &FloodRequest) -> Result<(u16, bool), Trouble> {
    let (mut from, mut to) = wire.split();
    let mut heard = pin!(reader.status(&mut from));
    let is_whole = tokio::select! {
        biased;
        sent = send(&mut to, request) => sent.is_ok(),
        early = &mut heard => return Ok((early?, false)),
    };
    Ok((heard.await?, is_whole))
}

async fn send(to: &mut (impl AsyncWriteExt + Unpin), request: &FloodRequest) -> std::io::Result<()> {
    to.write_all(&request.head).await?;
    to.write_all(&request.body).await
}
