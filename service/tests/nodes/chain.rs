//! A client that refreshes as fast as it is answered, on every node in turn, and takes nothing but tokens or "try again".

use crate::fleet::TokenPair;
use crate::terminal::patience::PATIENCE;
use crate::terminal::program::Program;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What a client waits that was told to try again.
const PAUSE: Duration = Duration::from_millis(20);

/// How the clients get on, and whether they shall.
#[derive(Default)]
pub struct Course {
    pub answered: AtomicU32,
    pub put_off: AtomicU32,
    stop: AtomicBool,
}

impl Course {
    /// Waits until one of the counts has grown by so many.
    pub fn until(&self, count: &AtomicU32, more: u32) {
        let (wanted, deadline) = (count.load(Ordering::SeqCst) + more, Instant::now() + PATIENCE);
        while count.load(Ordering::SeqCst) < wanted {
            assert!(Instant::now() < deadline, "the clients do not get on");
            std::thread::park_timeout(PAUSE);
        }
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Follows one chain; the tokens that it ends with, and the longest that an answer took.
    pub fn follow(&self, nodes: &[Program], mut held: TokenPair) -> (TokenPair, Duration) {
        let mut longest = Duration::ZERO;
        for node in nodes.iter().cycle() {
            // Whoever is put off asks the same node again: it may be finding out what became of the first try.
            loop {
                let began = Instant::now();
                let answer = node.refresh(&held.refresh);
                longest = longest.max(began.elapsed());
                if answer.status == 503 {
                    assert!(answer.headers.contains_key("retry-after"), "{}", answer.body);
                    self.put_off.fetch_add(1, Ordering::SeqCst);
                    std::thread::park_timeout(PAUSE);
                    continue;
                }
                held = answer.tokens();
                self.answered.fetch_add(1, Ordering::SeqCst);
                break;
            }
            if self.stop.load(Ordering::SeqCst) {
                break;
            }
        }
        (held, longest)
    }
}
