//! What there is to measure of an embedded store: its writer's queue and groups, its files and the space around them.

use super::files::PARTS;
use crate::distribution::Distribution;
use crate::figures::Figures;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Sizes of groups, up to the most jobs of one.
const GROUPS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/// Times of jobs, in microseconds: from a refresh to more than anybody's may take.
const JOBS: &[u64] = &[50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];

/// The writer's work, counted from outside of it: a job says when it begins, and a commit that it was one.
#[derive(Debug)]
pub(super) struct WriterFigures {
    waiting: AtomicU64,
    /// Jobs begun since the last commit. Only the writer's thread changes it.
    begun: AtomicU64,
    groups: Distribution,
    /// How long jobs took, in microseconds.
    jobs: Distribution,
}

/// A job that waits for the writer, until this is dropped.
pub(super) struct QueuePlace(Arc<WriterFigures>);

impl WriterFigures {
    pub(super) fn new() -> Arc<Self> {
        let groups = Distribution::new(GROUPS);
        let jobs = Distribution::new(JOBS);
        Arc::new(Self { waiting: AtomicU64::new(0), begun: AtomicU64::new(0), groups, jobs })
    }

    pub(super) fn queue(self: &Arc<Self>) -> QueuePlace {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        QueuePlace(self.clone())
    }

    /// A job has taken so long, each time that it was run.
    pub(super) fn note_job(&self, took: Duration) {
        self.jobs.note(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    }

    /// A group has ended, committed or not.
    pub(super) fn end_group(&self) {
        self.groups.note(self.begun.swap(0, Ordering::Relaxed));
    }

    pub(super) fn tell(&self, figures: &mut Figures) {
        figures.writes_waiting = self.waiting.load(Ordering::Relaxed);
        figures.groups = Some(self.groups.spread());
        figures.writes = Some(self.jobs.spread());
    }
}

impl QueuePlace {
    /// The writer has come to the job.
    pub(super) fn begin(self) {
        self.0.begun.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The sizes of the files of a directory, each with its log, and the space that is left there.
pub(super) fn tell_files(directory: &Path, figures: &mut Figures) {
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    figures.sizes.extend(PARTS.iter().map(|part| {
        let name = part.file.trim_end_matches(".sqlite").to_owned();
        (name, bytes(&part.path(directory)) + bytes(&part.log(directory)))
    }));
    figures.free = rustix::fs::statvfs(directory).ok().map(|volume| volume.f_bavail.saturating_mul(volume.f_frsize));
}
