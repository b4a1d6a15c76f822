//! The wire between a store and its database, which can be cut at the worst moment: when COMMIT is sent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What befalls the next COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Pass,
    /// Both ends are cut before the database gets it.
    CutBefore,
    /// The database gets it and carries it out; its answer is lost.
    CutAfter,
    /// Our end is cut before the database gets it, and the database does not notice.
    HangBefore,
}

#[derive(Clone)]
pub struct Wire {
    pub address: String,
    state: Arc<State>,
}

struct State {
    next_commit: Mutex<Fate>,
    /// From the next cut on, nobody gets through.
    stay_away: AtomicBool,
    away: AtomicBool,
    cuts: Notify,
}

impl Wire {
    pub async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(State {
            next_commit: Mutex::new(Fate::Pass),
            stay_away: AtomicBool::new(false),
            away: AtomicBool::new(false),
            cuts: Notify::new(),
        });
        let wire = Self { address, state: state.clone() };
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if !state.away.load(Ordering::SeqCst) {
                    tokio::spawn(relay(state.clone(), client, server.clone()));
                }
            }
        });
        wire
    }

    /// Decides about the next COMMIT.
    pub fn next_commit(&self, fate: Fate) {
        *self.state.next_commit.lock().unwrap() = fate;
    }

    /// After the next cut, lets nobody through until told otherwise.
    pub fn then_stay_away(&self) {
        self.state.stay_away.store(true, Ordering::SeqCst);
    }

    pub fn come_back(&self) {
        self.state.stay_away.store(false, Ordering::SeqCst);
        self.state.away.store(false, Ordering::SeqCst);
    }

    /// Whether the fate that was set has befallen a COMMIT.
    pub fn has_struck(&self) -> bool {
        *self.state.next_commit.lock().unwrap() == Fate::Pass
    }
}

async fn relay(state: Arc<State>, client: TcpStream, server: String) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    // A wire that waits to fill packets would make every few statements wait for a tenth of a second.
    client.set_nodelay(true).and_then(|()| server.set_nodelay(true)).unwrap();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let swallowing = Arc::new((AtomicBool::new(false), Notify::new()));
    let down = tokio::spawn(pass_down(from_server, to_client, swallowing.clone()));
    let hanging = pass_up(&state, from_client, to_server, &swallowing).await;
    down.abort();
    if state.stay_away.load(Ordering::SeqCst) {
        state.cuts.notify_waiters();
    }
    // Held open for as long as the test runs: the database believes that somebody is there.
    if let Some(open) = hanging {
        std::future::pending::<()>().await;
        drop(open);
    }
}

/// Passes whole messages on, looking for COMMIT. Gives back the server's end if it is to stay open.
async fn pass_up(
    state: &State,
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    swallowing: &(AtomicBool, Notify),
) -> Option<OwnedWriteHalf> {
    let mut held = Vec::new();
    let mut started = false;
    loop {
        while let Some(length) = message(&held, started) {
            started = true;
            let rest = held.split_off(length);
            let message = std::mem::replace(&mut held, rest);
            let is_commit = message.starts_with(b"Q") && message.ends_with(b"COMMIT\0");
            let fate = if is_commit {
                std::mem::replace(&mut *state.next_commit.lock().unwrap(), Fate::Pass)
            } else {
                Fate::Pass
            };
            if fate != Fate::Pass && state.stay_away.load(Ordering::SeqCst) {
                state.away.store(true, Ordering::SeqCst);
            }
            match fate {
                Fate::Pass => to.write_all(&message).await.ok()?,
                Fate::CutBefore => return None,
                Fate::HangBefore => return Some(to),
                Fate::CutAfter => {
                    swallowing.0.store(true, Ordering::SeqCst);
                    to.write_all(&message).await.ok()?;
                    swallowing.1.notified().await;
                    return None;
                }
            }
        }
        if from.read_buf(&mut held).await.ok()? == 0 {
            return None;
        }
    }
}

/// The length of the first whole message; the very first has no letter before its length.
fn message(held: &[u8], started: bool) -> Option<usize> {
    let letter = usize::from(started);
    let length = held.get(letter..letter + 4)?;
    let length = letter + u32::from_be_bytes(length.try_into().ok()?) as usize;
    (held.len() >= length).then_some(length)
}

/// Passes answers on until they are to be swallowed; then waits for the one that says COMMIT.
async fn pass_down(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, swallowing: Arc<(AtomicBool, Notify)>) {
    let mut swallowed = Vec::new();
    let mut some = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut some).await {
        if swallowing.0.load(Ordering::SeqCst) {
            swallowed.extend_from_slice(&some[..length]);
            if swallowed.windows(7).any(|seven| seven == b"COMMIT\0") {
                swallowing.1.notify_one();
            }
        } else if to.write_all(&some[..length]).await.is_err() {
            return;
        }
    }
}
