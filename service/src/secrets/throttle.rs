//! The throttle: failed logins and client authentications are counted per account and per address.
//!
//! Only failures count. An account with too many must wait. An address with too many hears 429 for its further
//! failures, but the right secret of an innocent client behind the same address still gets through. The tables have
//! a fixed size: nobody can fill memory by failing.

use crate::secrets::dice::{self, NoRandomness};
use rules::limits::{FAILURE_WINDOW_SECONDS, FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS};
use rules::moment::Moment;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

const SLOTS: usize = 4096;

/// Must wait this many seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub i64);

/// What is tried: a login or a client authentication. One name may be both, and is counted apart.
#[derive(Clone, Copy, Debug)]
pub enum Account<'a> {
    User(&'a str),
    Client(&'a str),
}

/// Counts of failures in a window each, in a table of fixed size.
pub struct Throttle {
    /// Makes slots unpredictable, so that nobody can aim at another's.
    key: [u8; 16],
    accounts: Mutex<Vec<Slot>>,
    addresses: Mutex<Vec<Slot>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    tag: u64,
    failures: u32,
    window_ends: i64,
}

impl std::fmt::Debug for Throttle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Throttle(…)")
    }
}

impl Throttle {
    pub fn new() -> Result<Self, NoRandomness> {
        let table = || Mutex::new(vec![Slot::default(); SLOTS]);
        Ok(Self { key: dice::bytes()?, accounts: table(), addresses: table() })
    }

    /// Before a password is looked at: whether its account must wait.
    pub fn may_try(&self, account: Account<'_>, now: Moment) -> Result<(), Wait> {
        look(&self.accounts, self.hash(&account_name(account)), now, FAILURES_PER_ACCOUNT)
    }

    /// Counts a failure; `Err` if the account or the address has now had too many.
    pub fn failed(&self, account: Account<'_>, address: IpAddr, now: Moment) -> Result<(), Wait> {
        let of_account = count(&self.accounts, self.hash(&account_name(account)), now, FAILURES_PER_ACCOUNT);
        let of_address = count(&self.addresses, self.hash(&network(address)), now, FAILURES_PER_ADDRESS);
        of_account.and(of_address)
    }

    fn hash(&self, name: &[u8]) -> u64 {
        let digest = Sha256::new().chain_update(self.key).chain_update(name).finalize();
        digest.first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
    }
}

fn account_name(account: Account<'_>) -> Vec<u8> {
    match account {
        Account::User(name) => [b"u", name.to_lowercase().as_bytes()].concat(),
        Account::Client(name) => [b"c", name.as_bytes()].concat(),
    }
}

/// One IPv6 subscriber has a whole /64 to come from.
fn network(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().into_iter().take(8).collect(),
    }
}

fn with_slot<T>(table: &Mutex<Vec<Slot>>, hash: u64, act: impl FnOnce(&mut Slot) -> T) -> Option<T> {
    let mut slots = table.lock().unwrap_or_else(PoisonError::into_inner);
    slots.get_mut(hash as usize % SLOTS).map(act)
}

fn look(table: &Mutex<Vec<Slot>>, hash: u64, now: Moment, most: u32) -> Result<(), Wait> {
    with_slot(table, hash, |slot| {
        let counts = slot.tag == hash && !now.is_past(Moment(slot.window_ends));
        if counts && slot.failures >= most { Err(wait(slot, now)) } else { Ok(()) }
    })
    .unwrap_or(Ok(()))
}

/// Counts one failure in its slot. A slot whose window is over, or that a newcomer hashes to, starts afresh.
fn count(table: &Mutex<Vec<Slot>>, hash: u64, now: Moment, most: u32) -> Result<(), Wait> {
    with_slot(table, hash, |slot| {
        if slot.tag != hash || now.is_past(Moment(slot.window_ends)) {
            *slot = Slot { tag: hash, failures: 0, window_ends: now.plus_seconds(FAILURE_WINDOW_SECONDS).0 };
        }
        slot.failures = slot.failures.saturating_add(1);
        if slot.failures > most { Err(wait(slot, now)) } else { Ok(()) }
    })
    .unwrap_or(Ok(()))
}

fn wait(slot: &Slot, now: Moment) -> Wait {
    Wait(now.seconds_until(Moment(slot.window_ends)).max(1))
}
