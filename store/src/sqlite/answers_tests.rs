//! Callers on several runtimes whose writes are one group: each is woken where it waits, whatever became of the others.

use crate::error::Result;
use crate::sqlite::job::{JobRun, Rollback};
use crate::sqlite::transaction::SqliteTx;
use crate::sqlite::writer::Writer;
use rusqlite::Connection;
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::JoinHandle;
use tokio::runtime::{Builder, Runtime};

/// Tells the name of the thread on which it is woken.
struct Alarm(mpsc::Sender<String>);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        let thread = std::thread::current().name().unwrap_or_default().to_owned();
        self.0.send(thread).expect("somebody listens");
    }
}

/// A caller that waits for its write, and where it is woken.
struct Caller {
    answer: Pin<Box<dyn Future<Output = Result<()>>>>,
    woken: mpsc::Receiver<String>,
}

impl Caller {
    /// Orders a write from within this runtime, and begins to wait.
    fn of(runtime: &Runtime, writer: &Writer) -> Self {
        let _within = runtime.enter();
        let way = JobRun::Once(Rollback::WithItsGroup);
        let mut answer = Box::pin(writer.write(way, |_: &mut SqliteTx| Ok(())));
        let (alarm, woken) = mpsc::channel();
        let waker = Waker::from(Arc::new(Alarm(alarm)));
        assert!(answer.as_mut().poll(&mut Context::from_waker(&waker)).is_pending(), "the writer is held");
        Self { answer, woken }
    }

    /// The thread on which it is woken, and then has a good answer.
    fn woken_on(mut self) -> String {
        let thread = self.woken.recv().expect("it is woken");
        let answer = self.answer.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(answer, Poll::Ready(Ok(()))), "{answer:?}");
        thread
    }
}

fn runtime(name: &str) -> Runtime {
    Builder::new_multi_thread().worker_threads(1).thread_name(name).build().unwrap()
}

/// A writer that begins nothing before it is let go.
fn held() -> (Writer, JoinHandle<()>, mpsc::Sender<()>) {
    let (writer, thread) =
        Writer::start("writer", Connection::open_in_memory().unwrap(), Default::default(), Box::new(())).unwrap();
    let (let_go, wait) = mpsc::channel::<()>();
    writer.between(move |_| wait.recv().unwrap()).unwrap();
    (writer, thread, let_go)
}

#[test]
fn each_caller_of_a_group_is_woken_on_the_runtime_on_which_it_waits() {
    let (one, other) = (runtime("one"), runtime("other"));
    let (writer, thread, let_go) = held();
    let callers = [&one, &other, &one, &other].map(|runtime| Caller::of(runtime, &writer));
    let_go.send(()).unwrap();
    assert_eq!(callers.map(Caller::woken_on), ["one", "other", "one", "other"]);
    drop(writer);
    thread.join().unwrap();
}

#[test]
fn a_runtime_that_has_ended_keeps_nobody_from_hearing() {
    let (ended, other) = (runtime("ended"), runtime("other"));
    let (writer, thread, let_go) = held();
    let (of_ended, of_other) = (Caller::of(&ended, &writer), Caller::of(&other, &writer));
    drop(ended);
    let_go.send(()).unwrap();
    assert_eq!(of_other.woken_on(), "other");
    assert_ne!(of_ended.woken_on(), "ended");
    drop(writer);
    thread.join().unwrap();
}

#[test]
fn a_runtime_that_is_busy_delays_its_own_callers_alone() {
    let (busy, other) = (runtime("busy"), runtime("other"));
    let (writer, thread, let_go) = held();
    let (go_on, wait) = mpsc::channel::<()>();
    let (begun, is_busy) = mpsc::channel();
    busy.spawn(async move {
        begun.send(()).unwrap();
        wait.recv().unwrap();
    });
    is_busy.recv().unwrap();
    let callers = [&busy, &other].map(|runtime| Caller::of(runtime, &writer));
    let_go.send(()).unwrap();
    let [of_busy, of_other] = callers;
    assert_eq!(of_other.woken_on(), "other");
    assert!(of_busy.woken.try_recv().is_err(), "its runtime has something else to do");
    go_on.send(()).unwrap();
    assert_eq!(of_busy.woken_on(), "busy");
    drop(writer);
    thread.join().unwrap();
}
