//! Whose work a task does: by this the store's queues give each caller its turn. Whoever answers a request notes it once, and all
//! reads and writes of the request are of that caller.

use std::cell::Cell;

/// A caller, by a number that no other caller has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallerKey(pub u64);

tokio::task_local! {
    static CURRENT: Cell<Option<CallerKey>>;
}

/// Runs `work` as a task of which it is yet to be noted whose it is.
pub fn scope<W: Future>(work: W) -> impl Future<Output = W::Output> {
    CURRENT.scope(Cell::new(None), work)
}

/// Notes whose work this task does from now on.
pub fn note(caller: CallerKey) {
    // Work outside of a scope is nobody's.
    let _nobody = CURRENT.try_with(|current| current.set(Some(caller)));
}

/// Whose work this task does; nobody's where it is the service's own.
pub(crate) fn current() -> Option<CallerKey> {
    CURRENT.try_with(Cell::get).ok().flatten()
}
