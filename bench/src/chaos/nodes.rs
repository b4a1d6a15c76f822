//! The nodes: which of them run now, and the hand that kills them and starts them again.

use super::dice::Dice;
use super::history::record::Process;
use super::history::recorder::Recorder;
use super::schedule::Fault;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::recordgate::Recordgate;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a node may take to come back, the database's own return included.
const PATIENCE: Duration = Duration::from_secs(120);
/// What a supervisor waits before it starts a node again that could not start: without a database it cannot.
const BETWEEN_STARTS: Duration = Duration::from_millis(100);

/// A node as clients know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) process: Process,
    pub(crate) address: SocketAddr,
}

/// Where the nodes are. One that was killed stays listed until its successor runs, as a load balancer that has not
/// noticed would have it.
#[derive(Debug)]
pub(crate) struct Nodes {
    list: RwLock<Vec<Node>>,
    starts: AtomicU32,
}

impl Nodes {
    /// Starts this many.
    pub(crate) async fn start(service: &Recordgate, count: usize) -> Result<(Self, Vec<Server>), Trouble> {
        let nodes = Self { list: RwLock::default(), starts: AtomicU32::new(0) };
        let mut servers = Vec::new();
        for place in 0..count {
            let server = service.serve().await?;
            nodes.enter(place, &server);
            servers.push(server);
        }
        Ok((nodes, servers))
    }

    pub(crate) fn any(&self, dice: &mut Dice) -> Option<Node> {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        list.get(dice.below(list.len())).copied()
    }

    pub(crate) fn all(&self) -> Vec<Node> {
        self.list.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lists a server in the place of the one that was there.
    pub(crate) fn enter(&self, place: usize, server: &Server) {
        let process = Process(self.starts.fetch_add(1, Ordering::Relaxed));
        let node = Node { process, address: server.address };
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        match list.get_mut(place) {
            Some(before) => *before = node,
            None => list.push(node),
        }
    }

    /// The process that is listed in a place.
    pub(crate) fn at(&self, place: usize) -> Option<Process> {
        self.all().get(place).map(|node| node.process)
    }

    /// Lives through the kills of one node that come before the end, and hands it over, running.
    pub(crate) async fn suffer(
        &self,
        place: usize,
        mut server: Server,
        faults: impl Iterator<Item = Fault<()>>,
        (service, recorder, end): (&Recordgate, &Recorder, Instant),
    ) -> Result<Server, Trouble> {
        for fault in faults {
            if Instant::now() + fault.after >= end {
                break;
            }
            sleep(fault.after).await;
            recorder.kill(self.at(place).ok_or("a node that is not listed")?);
            server.kill().await?;
            sleep(fault.away).await;
            server = self.bring_back(service).await?;
            self.enter(place, &server);
        }
        Ok(server)
    }

    /// Starts a node until it runs, as a supervisor would.
    pub(crate) async fn bring_back(&self, service: &Recordgate) -> Result<Server, Trouble> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match service.serve().await {
                Err(trouble) if Instant::now() > deadline => return Err(trouble),
                Err(_) => sleep(BETWEEN_STARTS).await,
                Ok(server) => return Ok(server),
            }
        }
    }
}
