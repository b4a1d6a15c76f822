//! Large answers that have not been taken yet: how much memory they may hold, in all and of one caller.
//!
//! Who has less than the bound gets one more, however large it is: so any answer can be had, and a bound is passed by one
//! answer at the most.

use super::bounds::ConnectionBounds;
use rules::ids::{ClientId, SessionId, UserId};
use rules::limits::SMALL_ANSWER_BYTES;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::CallerKey;

/// Who takes an answer, as far as it can be known.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Taker {
    Session(SessionId),
    /// A System Client.
    Client(ClientId),
    /// A signed-in person.
    User(UserId),
    /// Anybody else, by the network that they come from.
    Network(u128),
}

impl Taker {
    /// As the store's queues know them.
    #[must_use]
    pub const fn key(self) -> CallerKey {
        // The last two bits tell the kinds apart; the numbers of one kind are all different.
        let (id, kind) = match self {
            Self::Session(session) => (session.0.cast_unsigned(), 0),
            Self::Client(client) => (client.0.cast_unsigned(), 1),
            Self::User(user) => (user.0.cast_unsigned(), 2),
            Self::Network(network) => ((network >> 64) as u64 ^ network as u64, 3),
        };
        CallerKey(id << 2 | kind)
    }
}

/// Why there is no room for another large answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// This caller has not taken what it asked for before.
    OfCaller,
    InAll,
}

#[derive(Debug)]
pub struct ResponseBudget {
    tallies: Arc<Mutex<Tallies>>,
    in_all: usize,
    per_caller: usize,
}

#[derive(Debug, Default)]
struct Tallies {
    in_all: usize,
    of: HashMap<Taker, usize>,
}

/// Room for a large answer, until it is dropped.
#[derive(Debug)]
pub struct Room {
    tallies: Arc<Mutex<Tallies>>,
    taker: Taker,
    bytes: usize,
}

impl ResponseBudget {
    #[must_use]
    pub fn new(bounds: &ConnectionBounds) -> Self {
        Self { tallies: Arc::default(), in_all: bounds.unread, per_caller: bounds.unread_per_caller }
    }

    /// Whether there is room for another large answer: asked before it is made.
    pub fn has_room(&self, taker: Taker) -> Result<(), Overload> {
        self.check(&lock(&self.tallies), taker)
    }

    /// Room for an answer of this length; a small one needs none.
    pub fn room(&self, taker: Taker, bytes: usize) -> Result<Option<Room>, Overload> {
        if bytes <= SMALL_ANSWER_BYTES {
            return Ok(None);
        }
        let mut tallies = lock(&self.tallies);
        self.check(&tallies, taker)?;
        tallies.in_all += bytes;
        *tallies.of.entry(taker).or_default() += bytes;
        Ok(Some(Room { tallies: Arc::clone(&self.tallies), taker, bytes }))
    }

    fn check(&self, tallies: &Tallies, taker: Taker) -> Result<(), Overload> {
        match tallies.of.get(&taker) {
            Some(own) if *own >= self.per_caller => Err(Overload::OfCaller),
            _ if tallies.in_all >= self.in_all => Err(Overload::InAll),
            _ => Ok(()),
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut tallies = lock(&self.tallies);
        tallies.in_all = tallies.in_all.saturating_sub(self.bytes);
        if let Entry::Occupied(mut own) = tallies.of.entry(self.taker) {
            *own.get_mut() = own.get().saturating_sub(self.bytes);
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

fn lock(tallies: &Mutex<Tallies>) -> MutexGuard<'_, Tallies> {
    tallies.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "response_budget_tests.rs"]
mod tests;
