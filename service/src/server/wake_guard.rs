//! A future that is asked again only when it has rung.
//!
//! A connection is looked at with every packet. The end of its client's patience and that of the service come once at most,
//! and to ask for both each time costs about as much as finding a route.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

pub(crate) struct WakeGuard<F> {
    future: Pin<Box<F>>,
    state: Arc<WakeState>,
    /// What the future is given to ring with.
    rings: Waker,
    /// Who hears it.
    task: Option<Waker>,
}

struct WakeState {
    has_rung: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl Wake for WakeState {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_rung.store(true, Ordering::Release);
        let task = self.task().clone();
        if let Some(task) = task {
            task.wake();
        }
    }
}

impl WakeState {
    fn task(&self) -> MutexGuard<'_, Option<Waker>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: Future> WakeGuard<F> {
    pub(crate) fn new(future: F) -> Self {
        // It is asked a first time, so that it knows whom to wake.
        let state = Arc::new(WakeState { has_rung: AtomicBool::new(true), task: Mutex::new(None) });
        Self { future: Box::pin(future), rings: Waker::from(state.clone()), state, task: None }
    }
}

impl<F: Future> Future for WakeGuard<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        if !this.task.as_ref().is_some_and(|task| task.will_wake(context.waker())) {
            *this.state.task() = Some(context.waker().clone());
            this.task = Some(context.waker().clone());
        }
        // Not even written to while it is silent: every look would take the state from the thread that rings it.
        if !this.state.has_rung.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        this.state.has_rung.store(false, Ordering::Release);
        this.future.as_mut().poll(&mut Context::from_waker(&this.rings))
    }
}

#[cfg(test)]
#[path = "wake_guard_tests.rs"]
mod tests;
