//! The race shot: one refresh token presented on twenty connections at once. A server that rotates must let at most one
//! win, and of what was won nothing may live on as a second branch.

use crate::http::driver;
use crate::http::response::Reader;
use crate::http::scripts::member;
use crate::measure::trouble::Trouble;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

pub(super) const PARALLEL: usize = 20;

/// How one server is asked to refresh, and to say whether an access token is still good.
pub(super) struct Door<'a> {
    pub(super) address: SocketAddr,
    pub(super) refresh: &'a dyn Fn(&str) -> Vec<u8>,
    pub(super) check: &'a dyn Fn(&str) -> Vec<u8>,
    pub(super) accepted: &'a dyn Fn(u16, &[u8]) -> bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shot {
    /// Refreshes answered with tokens.
    pub(crate) winners: usize,
    /// Of their access tokens, how many were accepted when all answers were in.
    pub(crate) accepted: usize,
    /// Of their refresh tokens, how many could be refreshed again: more than one is a forked session.
    pub(crate) alive: usize,
}

impl Shot {
    pub(super) fn json(&self) -> Value {
        json!({ "winners": self.winners, "access_tokens_accepted": self.accepted, "branches_alive": self.alive })
    }
}

pub(super) async fn shoot(door: &Door<'_>, refresh_token: &str) -> Result<Shot, Trouble> {
    let request: Arc<[u8]> = (door.refresh)(refresh_token).into();
    let start = Arc::new(Barrier::new(PARALLEL));
    let mut racers = JoinSet::new();
    for _ in 0..PARALLEL {
        racers.spawn(run(door.address, Arc::clone(&request), Arc::clone(&start)));
    }
    let mut won = Vec::new();
    while let Some(ended) = racers.join_next().await {
        won.extend(ended??);
    }
    let mut shot = Shot { winners: won.len(), accepted: 0, alive: 0 };
    for (access_token, _) in &won {
        let (status, _, body) = driver::once(door.address, &(door.check)(access_token)).await?;
        shot.accepted += usize::from((door.accepted)(status, &body));
    }
    for (_, refresh_token) in &won {
        let (status, ..) = driver::once(door.address, &(door.refresh)(refresh_token)).await?;
        shot.alive += usize::from(status == 200);
    }
    Ok(shot)
}

/// Connects, waits for the others, refreshes; the access and the refresh token if it won.
async fn run(
    address: SocketAddr,
    request: Arc<[u8]>,
    start: Arc<Barrier>,
) -> Result<Option<(String, String)>, Trouble> {
    let mut socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    start.wait().await;
    socket.write_all(&request).await?;
    let mut reader = Reader::new();
    let answer = reader.answer(&mut socket).await?;
    if answer.status != 200 {
        return Ok(None);
    }
    let token = |name| member(answer.body, name).map(str::to_owned);
    Ok(Some((token("access_token")?, token("refresh_token")?)))
}
