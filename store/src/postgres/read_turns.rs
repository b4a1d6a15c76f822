//! Turns at the connections for long reads: as many at a time as there are connections, and callers take turns.

use crate::error::{Error, Result};
use crate::sql::budget::Budget;
use crate::sql::caller_key::{self, CallerKey};
use crate::sql::fair_queue::{Admission, FairQueue};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

pub(super) struct ReadTurns {
    state: Mutex<TurnState>,
    /// How long a turn is waited for.
    patience: Duration,
}

struct TurnState {
    waiting: FairQueue<oneshot::Sender<ReadTurn>>,
    /// Connections that nobody reads on.
    free: usize,
}

/// A connection's worth of reading, until this is dropped.
pub(super) struct ReadTurn {
    turns: Arc<ReadTurns>,
    caller: Option<CallerKey>,
}

impl ReadTurns {
    pub(super) fn new(budget: Budget) -> Arc<Self> {
        let state = TurnState { waiting: FairQueue::new(budget), free: budget.readers.max(1) };
        Arc::new(Self { state: Mutex::new(state), patience: budget.time })
    }

    /// Waits for the turn of whoever asks.
    pub(super) async fn turn(self: &Arc<Self>) -> Result<ReadTurn> {
        let caller = caller_key::current();
        let turn = match self.begin_or_join(caller)? {
            Ok(turn) => return Ok(turn),
            Err(turn) => turn,
        };
        match timeout(self.patience, turn).await {
            Ok(turn) => turn.map_err(|_| Error::CallerBusy),
            Err(_) => Err(Error::Unavailable("no reader was free in time".into())),
        }
    }

    /// A turn at once, or where it will come.
    fn begin_or_join(
        self: &Arc<Self>,
        caller: Option<CallerKey>,
    ) -> Result<std::result::Result<ReadTurn, oneshot::Receiver<ReadTurn>>> {
        let mut state = self.state();
        // While a connection is free, only those wait who have their share.
        if state.free > 0 && state.waiting.begin(caller) {
            state.free -= 1;
            return Ok(Ok(ReadTurn { turns: self.clone(), caller }));
        }
        let (sender, turn) = oneshot::channel();
        match state.waiting.join(caller, sender) {
            // Who is put out of the queue hears of it when this is dropped.
            Admission::Waiting | Admission::InPlaceOf(_) => Ok(Err(turn)),
            Admission::Refused(error) => Err(error),
        }
    }

    /// Gives what is free to those who wait.
    fn give(self: &Arc<Self>) {
        loop {
            let mut state = self.state();
            let next = if state.free == 0 { None } else { state.waiting.next() };
            let Some((caller, waits)) = next else { return };
            state.free -= 1;
            drop(state);
            // Who has gone away meanwhile gives it back.
            drop(waits.send(ReadTurn { turns: self.clone(), caller }));
        }
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ReadTurn {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        state.free += 1;
        state.waiting.end(self.caller);
        drop(state);
        self.turns.give();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    fn turns(readers: usize, waiting: usize) -> Arc<ReadTurns> {
        ReadTurns::new(Budget { time: Duration::from_secs(60), readers, waiting })
    }

    fn begin<T>(turn: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        match turn.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    /// A turn that this caller asks for.
    fn of(turns: &Arc<ReadTurns>, caller: u64) -> impl Future<Output = Result<ReadTurn>> + use<> {
        let turns = turns.clone();
        caller_key::scope(async move {
            caller_key::note(CallerKey(caller));
            turns.turn().await
        })
    }

    #[tokio::test]
    async fn one_caller_waits_for_its_own_while_another_has_the_other_connection() {
        let turns = turns(2, 64);
        let first = of(&turns, 1).await.unwrap();
        let mut second = pin!(of(&turns, 1));
        assert!(begin(second.as_mut()).is_none());
        let _other = of(&turns, 2).await.unwrap();
        drop(first);
        second.await.unwrap();
    }

    #[tokio::test]
    async fn who_goes_away_while_waiting_leaves_the_turn_to_the_next() {
        let turns = turns(1, 64);
        let first = of(&turns, 1).await.unwrap();
        let mut gone = Box::pin(of(&turns, 2));
        assert!(begin(gone.as_mut()).is_none());
        let mut next = pin!(of(&turns, 3));
        assert!(begin(next.as_mut()).is_none());
        drop(gone);
        drop(first);
        next.await.unwrap();
        of(&turns, 4).await.unwrap();
    }

    #[tokio::test]
    async fn who_has_too_many_waiting_is_refused_and_another_is_not() {
        let turns = turns(1, 2);
        let first = of(&turns, 1).await.unwrap();
        let mut second = pin!(of(&turns, 1));
        assert!(begin(second.as_mut()).is_none());
        let mut third = Box::pin(of(&turns, 1));
        assert!(begin(third.as_mut()).is_none());
        assert!(matches!(of(&turns, 1).await, Err(Error::CallerBusy)));
        let mut other = pin!(of(&turns, 2));
        assert!(begin(other.as_mut()).is_none());
        assert!(matches!(third.await, Err(Error::CallerBusy)), "the other has its place");
        drop(first);
        drop(second.await.unwrap());
        other.await.unwrap();
    }
}
