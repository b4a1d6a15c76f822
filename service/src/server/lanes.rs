//! The lanes of the server: one for each core, and each attends to connections of its own.
//!
//! A connection that one thread attends to now and another then is taken from the memory of one core to that of another with
//! every request, and that costs a refresh more than its seal. Nothing long runs in a lane: what takes longer than a
//! moment goes to threads of its own, wherever it is asked for.

use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle, Runtime};

/// The lanes, or none: then all connections stay where they are accepted.
#[derive(Debug)]
pub struct Lanes(Vec<Lane>);

#[derive(Debug)]
struct Lane {
    runtime: Runtime,
    /// Each of its connections holds one.
    connections: Arc<()>,
}

/// A connection's place in a lane, until it is dropped.
pub(super) struct LanePlace {
    pub(super) runtime: Handle,
    _one_of_them: Option<Arc<()>>,
}

impl Lanes {
    /// No lanes: connections are attended to where they are accepted, by whichever thread is free. Also for tests that stop the
    /// clock of their runtime.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// A lane for each core that the process may use.
    pub fn of_cores() -> io::Result<Self> {
        Self::new(available_parallelism().map_or(1, NonZero::get))
    }

    fn new(count: usize) -> io::Result<Self> {
        let lane = |number: usize| -> io::Result<Lane> {
            let mut threads = Builder::new_multi_thread();
            let runtime = threads.worker_threads(1).thread_name(format!("lane-{number}")).enable_all().build()?;
            Ok(Lane { runtime, connections: Arc::default() })
        };
        (0..count).map(lane).collect::<io::Result<_>>().map(Self)
    }

    /// Takes a connection to the lane that has the fewest.
    pub(super) fn take(&self, stream: TcpStream) -> io::Result<(TcpStream, LanePlace)> {
        let Some(lane) = self.0.iter().min_by_key(|lane| Arc::strong_count(&lane.connections)) else {
            return Ok((stream, LanePlace { runtime: Handle::current(), _one_of_them: None }));
        };
        let place =
            LanePlace { runtime: lane.runtime.handle().clone(), _one_of_them: Some(Arc::clone(&lane.connections)) };
        // Whichever runtime it is made within hears when there is something to read.
        let _within = lane.runtime.enter();
        Ok((TcpStream::from_std(stream.into_std()?)?, place))
    }
}

impl Drop for Lanes {
    /// Without waiting, because that is not allowed where others wait; by now their connections have ended.
    fn drop(&mut self) {
        for lane in self.0.drain(..) {
            lane.runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    async fn accepted(listener: &TcpListener) -> (TcpStream, TcpStream) {
        let (client, accepted) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        (client.unwrap(), accepted.unwrap().0)
    }

    #[tokio::test]
    async fn connections_are_spread_evenly_and_one_that_ends_makes_room_for_the_next() {
        let lanes = Lanes::new(3).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut places = Vec::new();
        for _ in 0..6 {
            let (_client, stream) = accepted(&listener).await;
            places.push(lanes.take(stream).unwrap().1);
        }
        let of = |place: &LanePlace| place.runtime.id();
        for lane in &lanes.0 {
            let there = places.iter().filter(|place| of(place) == lane.runtime.handle().id());
            assert_eq!(there.count(), 2);
        }
        let left = of(&places.remove(4));
        let (_client, stream) = accepted(&listener).await;
        assert_eq!(of(&lanes.take(stream).unwrap().1), left);
    }

    #[tokio::test]
    async fn a_connection_is_attended_to_by_the_thread_of_its_lane() {
        let lanes = Lanes::new(1).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (mut client, stream) = accepted(&listener).await;
        let (mut stream, place) = lanes.take(stream).unwrap();
        place.runtime.spawn(async move {
            let byte = stream.read_u8().await.unwrap();
            stream.write_u8(byte + 1).await.unwrap();
            stream.write_all(thread::current().name().unwrap().as_bytes()).await.unwrap();
        });
        client.write_u8(6).await.unwrap();
        let mut heard = Vec::new();
        client.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, b"\x07lane-0");
    }

    #[tokio::test]
    async fn without_lanes_a_connection_stays_where_it_was_accepted() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (_client, stream) = accepted(&listener).await;
        assert_eq!(Lanes::none().take(stream).unwrap().1.runtime.id(), Handle::current().id());
    }
}
