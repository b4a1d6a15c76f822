//! The spans that wait to be exported. Whoever answers a request never waits for the collector: what there is no room for is lost.

use super::endpoint::TelemetrySettings;
use super::server_span::ServerSpan;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// About 2 MiB of them.
const MOST_WAITING: usize = 8192;

/// A queue with two ends, and what became of spans so far.
#[derive(Debug)]
pub struct SpanQueue {
    pub settings: TelemetrySettings,
    sender: Sender<ServerSpan>,
    /// There until the exporter takes it.
    receiver: Mutex<Option<Receiver<ServerSpan>>>,
    exported: AtomicU64,
    lost: AtomicU64,
}

impl SpanQueue {
    #[must_use]
    pub fn new(settings: TelemetrySettings) -> Self {
        let (sender, receiver) = channel(MOST_WAITING);
        let (exported, lost) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { settings, sender, receiver: Mutex::new(Some(receiver)), exported, lost }
    }

    /// Whether a trace that its caller has not decided about is to be kept.
    #[must_use]
    pub fn keeps(&self, number: u64) -> bool {
        number.is_multiple_of(self.settings.one_in.max(1))
    }

    pub fn push(&self, span: ServerSpan) {
        if self.sender.try_send(span).is_err() {
            self.note(0, 1);
        }
    }

    pub(super) fn receiver(&self) -> Option<Receiver<ServerSpan>> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn note(&self, exported: usize, lost: usize) {
        for (count, more) in [(&self.exported, exported), (&self.lost, lost)] {
            count.fetch_add(more as u64, Ordering::Relaxed);
        }
    }

    /// How many were exported, and how many lost.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.exported.load(Ordering::Relaxed), self.lost.load(Ordering::Relaxed))
    }
}
