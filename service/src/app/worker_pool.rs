//! The threads for work of more than a millisecond: reading, validating and preparing bodies that are not small. On a thread that
//! attends to connections, everybody else on it would wait.

use super::response_budget::Taker;
use super::trouble::Trouble;
use super::work_queue::WorkQueue;
use rules::limits::{LARGE_WORK_BYTES, VALIDATED_IN_PLACE_BYTES};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use tokio::sync::oneshot;

/// So many threads at the least, so that a large piece of work leaves one to others; and at the most, because each may hold a
/// tree.
const FEWEST: usize = 2;
const MOST: usize = 4;
/// How much those who attend to connections go before these threads, as the system counts it.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

pub struct WorkerPool {
    threads: usize,
    queue: WorkQueue,
    /// Made with the first work; nothing if the system gave no thread.
    jobs: OnceLock<Option<Sender<Job>>>,
}

impl std::fmt::Debug for WorkerPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WorkerPool({})", self.threads)
    }
}

impl Default for WorkerPool {
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(FEWEST, |cores| cores.get().clamp(FEWEST, MOST));
        Self { threads, queue: WorkQueue::new(threads), jobs: OnceLock::new() }
    }
}

impl WorkerPool {
    /// Does this work on so many bytes of a caller's: here where they are few, and otherwise when it is their turn.
    pub async fn run<T: Send + 'static>(
        &self,
        caller: Taker,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Trouble> {
        if bytes <= VALIDATED_IN_PLACE_BYTES {
            return Ok(work());
        }
        let lost = |why: &str| Trouble::new("working on a body", std::io::Error::other(why.to_owned()));
        // What waits stays with its request, and goes with it.
        let turn = self.queue.turn(caller, bytes > LARGE_WORK_BYTES).await.ok_or_else(|| lost("there was no turn"))?;
        let (answer, comes) = oneshot::channel();
        let job = move || {
            let _nobody_waits = answer.send(work());
            drop(turn);
        };
        let jobs = self.jobs.get_or_init(|| start(self.threads)).as_ref().ok_or_else(|| lost("there is no thread"))?;
        jobs.send(Box::new(job)).map_err(|_| lost("the threads have ended"))?;
        comes.await.map_err(|_| lost("the work was not finished"))
    }
}

/// Starts the threads. They end when nobody can send them anything.
fn start(threads: usize) -> Option<Sender<Job>> {
    let (jobs, received) = mpsc::channel();
    let received = Arc::new(Mutex::new(received));
    let begun = (0..threads).filter(|number| {
        let received = Arc::clone(&received);
        let name = format!("worker-{number}");
        match thread::Builder::new().name(name).spawn(move || work_through(&received)) {
            Ok(_) => true,
            Err(error) => {
                tracing::warn!(%error, "a thread for long work could not be started");
                false
            }
        }
    });
    (begun.count() > 0).then_some(jobs)
}

fn work_through(received: &Mutex<Receiver<Job>>) {
    // On Linux that is of this thread alone; elsewhere it may be of the process, and is left as it is.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "long work goes on beside the connections as if it were one of them");
    }
    loop {
        let next = received.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // Whoever waits hears of a panic by getting no answer; the thread is there for the next.
        let _panicked = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::ids::ClientId;

    const CALLER: Taker = Taker::Client(ClientId(1));

    fn thread_name() -> String {
        thread::current().name().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn little_work_is_done_in_place_and_more_of_it_on_a_thread_of_its_own() {
        let pool = WorkerPool::default();
        assert_eq!(pool.run(CALLER, VALIDATED_IN_PLACE_BYTES, thread_name).await.unwrap(), thread_name());
        assert!(pool.run(CALLER, VALIDATED_IN_PLACE_BYTES + 1, thread_name).await.unwrap().starts_with("worker-"));
    }

    #[tokio::test]
    async fn work_that_panics_is_trouble_for_its_caller_alone() {
        let pool = WorkerPool::default();
        for _ in 0..2 * MOST {
            assert!(pool.run(CALLER, usize::MAX, || -> usize { panic!("on purpose") }).await.is_err());
        }
        assert_eq!(pool.run(CALLER, usize::MAX, || 1).await.unwrap(), 1);
    }
}
