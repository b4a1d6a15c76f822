//! The wire to the database, which counts statements and holds answers back.
//!
//! It holds every answer back until as many questions were asked as belong to one round trip. A service that needs an
//! answer before it asks the next of them never asks it, and is refused.

use crate::kit::{World, place};
use std::sync::Arc;
use std::time::Duration;
use store::Place;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How many statements have been asked, and when answers may pass.
#[derive(Clone)]
pub struct Wire {
    asked: Arc<watch::Sender<usize>>,
    /// The statements of each round trip; empty while nothing is counted.
    trips: Arc<watch::Sender<Vec<usize>>>,
}

impl Wire {
    pub async fn to(server: String) -> (Self, String) {
        let wire = Self { asked: Arc::new(watch::channel(0).0), trips: Arc::new(watch::channel(Vec::new()).0) };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let relays = wire.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                // A wire that waits to fill packets would make every few statements wait for a tenth of a second.
                client.set_nodelay(true).and_then(|()| server.set_nodelay(true)).unwrap();
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(relays.clone().up(from_client, to_server));
                tokio::spawn(relays.clone().down(from_server, to_client));
            }
        });
        (wire, address)
    }

    /// From now on this many statements make up each round trip.
    pub fn expect(&self, trips: &[usize]) {
        self.asked.send_replace(0);
        self.trips.send_replace(trips.to_vec());
    }

    /// Lets everything through again and tells how many statements were asked.
    pub fn statements(&self) -> usize {
        self.trips.send_replace(Vec::new());
        *self.asked.borrow()
    }

    async fn up(self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let (mut held, mut started) = (Vec::new(), false);
        loop {
            while let Some(length) = message(&held, started) {
                let rest = held.split_off(length);
                let message = std::mem::replace(&mut held, rest);
                // A prepared statement is bound, BEGIN and COMMIT are sent as they are.
                if started && matches!(message.first(), Some(b'B' | b'Q')) {
                    self.asked.send_modify(|asked| *asked += 1);
                }
                started = true;
                if to.write_all(&message).await.is_err() {
                    return;
                }
            }
            if !matches!(from.read_buf(&mut held).await, Ok(1..)) {
                return;
            }
        }
    }

    async fn down(self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
        let mut some = vec![0; 16 * 1024];
        let (mut asked, mut trips) = (self.asked.subscribe(), self.trips.subscribe());
        while let Ok(length @ 1..) = from.read(&mut some).await {
            while !self.is_whole() {
                tokio::select! {
                    _ = asked.changed() => {}
                    _ = trips.changed() => {}
                }
            }
            if to.write_all(&some[..length]).await.is_err() {
                return;
            }
        }
    }

    /// Whether the questions so far are those of whole round trips.
    fn is_whole(&self) -> bool {
        let trips = self.trips.borrow();
        let asked = *self.asked.borrow();
        let mut sum = 0;
        trips.is_empty()
            || trips.iter().any(|trip| {
                sum += trip;
                sum == asked
            })
    }
}

/// The length of the first whole message; the very first has no letter before its length.
fn message(held: &[u8], started: bool) -> Option<usize> {
    let letter = usize::from(started);
    let length = held.get(letter..letter + 4)?;
    let length = letter + u32::from_be_bytes(length.try_into().ok()?) as usize;
    (held.len() >= length).then_some(length)
}

/// The small world, with such a wire between the service and PostgreSQL.
pub async fn world() -> (World, Wire) {
    world_within(Duration::from_secs(60)).await
}

/// The same, where whoever waits for an answer that is held back for ever is refused after this long.
pub async fn world_within(limit: Duration) -> (World, Wire) {
    let url = cluster::shared().new_database();
    let (wire, address) = Wire::to(cluster::shared().address()).await;
    let mut through = place(&url.replace(&cluster::shared().address(), &address));
    if let Place::Postgres(place) = &mut through {
        // What was prepared by one call is prepared for the next, whichever reads are asked together.
        place.options.read_connections = 1;
        (place.options.statement_timeout, place.options.answer_within) = (limit, limit);
    }
    (World::at(&through, tempfile::tempdir().unwrap(), |_| {}).await, wire)
}
