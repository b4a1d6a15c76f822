//! The answers to a group of writes: each is given on the runtime on which its caller waits.
//!
//! Waking a caller from outside its runtime costs microseconds, from inside next to nothing. So the writer hands each runtime
//! the answers of its callers together, and begins the next group.

use super::job::{Commit, Job};
use tokio::runtime::Handle;

/// A job with the runtime on which its caller waits, if it is one.
pub(super) struct JobOrder {
    pub(super) job: Box<dyn Job>,
    pub(super) runtime: Option<Handle>,
}

/// The answers for one runtime. They are given when this is dropped, so that one that has ended, and drops what it is handed,
/// keeps nobody from hearing.
struct Answers {
    jobs: Vec<Box<dyn Job>>,
    commit: Commit,
}

impl Drop for Answers {
    fn drop(&mut self) {
        for job in self.jobs.drain(..) {
            job.answer(&self.commit);
        }
    }
}

/// Tells everybody what became of the commit.
pub(super) fn give(orders: Vec<JobOrder>, commit: &Commit) {
    let mut runtimes: Vec<(Handle, Answers)> = Vec::new();
    let most = orders.len();
    for JobOrder { job, runtime } in orders {
        let Some(runtime) = runtime else {
            job.answer(commit);
            continue;
        };
        match runtimes.iter_mut().find(|(known, _)| known.id() == runtime.id()) {
            Some((_, answers)) => answers.jobs.push(job),
            None => {
                let mut jobs = Vec::with_capacity(most);
                jobs.push(job);
                runtimes.push((runtime, Answers { jobs, commit: commit.clone() }));
            }
        }
    }
    // Each by itself, and not all by way of one of them: that one may be busy with something long.
    for (runtime, answers) in runtimes {
        runtime.spawn(async move { drop(answers) });
    }
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
