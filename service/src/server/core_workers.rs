//! The workers of the server: one for each core, and each attends to connections of its own.
//!
//! A connection that one thread attends to now and another then is taken from the memory of one core to that of another with
//! every request, and that costs a refresh more than its seal. Nothing long runs in a worker: what takes longer than a
//! moment goes to threads of its own, wherever it is asked for.

use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle, Runtime};

/// The workers, or none: then all connections stay where they are accepted.
#[derive(Debug)]
pub struct CoreWorkers(Vec<CoreWorker>);

#[derive(Debug)]
struct CoreWorker {
    runtime: Runtime,
    /// Each of its connections holds one.
    connections: Arc<()>,
}

/// A connection's place in a worker, until it is dropped.
pub(crate) struct WorkerPlace {
    pub(crate) runtime: Handle,
    _one_of_them: Option<Arc<()>>,
}

impl CoreWorkers {
    /// No workers: connections are attended to where they are accepted, by whichever thread is free. Also for tests that stop the
    /// clock of their runtime.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// A worker for each core that the process may use.
    pub fn of_cores() -> io::Result<Self> {
        Self::new(available_parallelism().map_or(1, NonZero::get))
    }

    fn new(count: usize) -> io::Result<Self> {
        let worker = |number: usize| -> io::Result<CoreWorker> {
            let mut threads = Builder::new_multi_thread();
            let runtime = threads.worker_threads(1).thread_name(format!("core-{number}")).enable_all().build()?;
            Ok(CoreWorker { runtime, connections: Arc::default() })
        };
        (0..count).map(worker).collect::<io::Result<_>>().map(Self)
    }

    /// Takes a connection to the worker that has the fewest.
    pub(crate) fn take(&self, stream: TcpStream) -> io::Result<(TcpStream, WorkerPlace)> {
        let Some(worker) = self.0.iter().min_by_key(|worker| Arc::strong_count(&worker.connections)) else {
            return Ok((stream, WorkerPlace { runtime: Handle::current(), _one_of_them: None }));
        };
        let place = WorkerPlace {
            runtime: worker.runtime.handle().clone(),
            _one_of_them: Some(Arc::clone(&worker.connections)),
        };
        // Whichever runtime it is made within hears when there is something to read.
        let _within = worker.runtime.enter();
        Ok((TcpStream::from_std(stream.into_std()?)?, place))
    }
}

impl Drop for CoreWorkers {
    /// Without waiting, because that is not allowed where others wait; by now their connections have ended.
    fn drop(&mut self) {
        for worker in self.0.drain(..) {
            worker.runtime.shutdown_background();
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
        let workers = CoreWorkers::new(3).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut limits = Vec::new();
        for _ in 0..6 {
            let (_client, stream) = accepted(&listener).await;
            limits.push(workers.take(stream).unwrap().1);
        }
        let of = |place: &WorkerPlace| place.runtime.id();
        for worker in &workers.0 {
            let there = limits.iter().filter(|place| of(place) == worker.runtime.handle().id());
            assert_eq!(there.count(), 2);
        }
        let left = of(&limits.remove(4));
        let (_client, stream) = accepted(&listener).await;
        assert_eq!(of(&workers.take(stream).unwrap().1), left);
    }

    #[tokio::test]
    async fn a_connection_is_attended_to_by_the_thread_of_its_core_worker() {
        let workers = CoreWorkers::new(1).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (mut client, stream) = accepted(&listener).await;
        let (mut stream, place) = workers.take(stream).unwrap();
        place.runtime.spawn(async move {
            let byte = stream.read_u8().await.unwrap();
            stream.write_u8(byte + 1).await.unwrap();
            stream.write_all(thread::current().name().unwrap().as_bytes()).await.unwrap();
        });
        client.write_u8(6).await.unwrap();
        let mut heard = Vec::new();
        client.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, b"\x07core-0");
    }

    #[tokio::test]
    async fn without_core_workers_a_connection_stays_where_it_was_accepted() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (_client, stream) = accepted(&listener).await;
        assert_eq!(CoreWorkers::none().take(stream).unwrap().1.runtime.id(), Handle::current().id());
    }
}
