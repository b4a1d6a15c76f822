//! The books of the throttle: people, clients and addresses apart, and apart from those that do not exist.
//!
//! An account or client that exists is in its book by its number, so that no invented name can take its place or be taken
//! for it. Invented names lock as real ones do, in books of their own, so that locking tells nobody which names exist.

use super::allowance::{Allowance, Wait};
use super::attempt::Attempt;
use super::book::{Book, Name, NoTry, Reservation};
use super::line::Line;
use super::network::network;
use crate::secrets::dice::{self, NoRandomness};
use rules::ids::{ClientId, PatientId, UserId};
use rules::limits::{
    FACTOR_FAILURES, FACTOR_WINDOW_SECONDS, RESET_WINDOW_SECONDS, RESETS_PER_ADDRESS, RESETS_PER_NAME,
};
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::time::Duration;

/// Whom somebody says to be.
#[derive(Clone, Copy, Debug)]
pub enum Claimant<'a, Id> {
    Known(Id),
    /// There is nobody of this name.
    Invented(&'a str),
}

/// All books. They are this process's own, and begin empty.
pub struct Throttle {
    /// Names of nobody are kept as digests under this key.
    key: [u8; 16],
    users: Book,
    invented_users: Book,
    /// Users in browsers that they have signed in with before.
    browsers: Book,
    /// Codes of second factors, each by its user, and in a browser that the user has signed in with before apart.
    second_factors: Book,
    /// Invitations, each by its patient.
    invitations: Book,
    invented_codes: Book,
    /// What people typed who have forgotten their password, and where they ask from. Each time counts: nobody is to know which of
    /// them are anybody's.
    resets: Book,
    reset_addresses: Book,
    /// Where logins come from, and those who were invited.
    login_addresses: Book,
    clients: Book,
    invented_clients: Book,
    /// Where client authentications come from. A client with a wrong secret does not lock the people beside it out.
    client_addresses: Book,
}

impl std::fmt::Debug for Throttle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Throttle(…)")
    }
}

impl Throttle {
    pub fn new(allowance: &Allowance) -> Result<Self, NoRandomness> {
        let of_account = || Book::new(allowance.per_account, allowance.window);
        let of_address = || Book::new(allowance.per_address, allowance.window);
        Ok(Self {
            key: dice::bytes()?,
            users: of_account(),
            invented_users: of_account(),
            browsers: of_account(),
            second_factors: Book::new(
                allowance.per_account.min(FACTOR_FAILURES),
                allowance.window.max(Duration::from_secs(FACTOR_WINDOW_SECONDS.unsigned_abs())),
            ),
            invitations: of_account(),
            invented_codes: of_account(),
            resets: Book::new(RESETS_PER_NAME, Duration::from_secs(RESET_WINDOW_SECONDS)),
            reset_addresses: Book::new(RESETS_PER_ADDRESS, Duration::from_secs(RESET_WINDOW_SECONDS)),
            login_addresses: of_address(),
            clients: of_account(),
            invented_clients: of_account(),
            client_addresses: of_address(),
        })
    }

    /// Reserves a login from anywhere: of the address, then of the account.
    pub fn login(&self, who: Claimant<'_, UserId>, address: IpAddr, now: Duration) -> Result<Attempt, Wait> {
        let from = of_address(&self.login_addresses, address, now)?;
        let account = match who {
            Claimant::Known(user) => self.users.reserve(of_id(user.0), now),
            Claimant::Invented(name) => self.invented_users.reserve(self.digest(&name.to_lowercase()), now),
        };
        Ok(Attempt::of(Line::of(address), from.into_iter().chain([account.map_err(NoTry::wait)?])))
    }

    /// Reserves a login of a user in a browser that they have signed in with before: neither strangers elsewhere nor
    /// neighbours at the same address can lock it. `None` if there is no room to count it apart.
    pub fn login_in_browser(&self, user: UserId, browser: i64, now: Duration) -> Result<Option<Attempt>, Wait> {
        match self.browsers.reserve(of_id(user.0) << 64 | of_id(browser), now) {
            Ok(reservation) => Ok(Some(Attempt::of(Line::Browser(user, browser), [reservation]))),
            Err(NoTry::Locked(wait)) => Err(wait),
            Err(NoTry::NoRoom(_)) => Ok(None),
        }
    }

    /// Reserves a try at a code of a user's second factor, in a browser that they have signed in with before or anywhere else.
    /// Only whoever knows the password comes to try one.
    pub fn second_factor(
        &self,
        user: UserId,
        browser: Option<i64>,
        address: IpAddr,
        now: Duration,
    ) -> Result<Attempt, Wait> {
        let (name, line, from) = match browser {
            Some(number) => (of_id(user.0) << 64 | of_id(number), Line::Browser(user, number), None),
            None => (of_id(user.0), Line::of(address), of_address(&self.login_addresses, address, now)?),
        };
        let code = self.second_factors.reserve(name, now).map_err(NoTry::wait)?;
        Ok(Attempt::of(line, from.into_iter().chain([code])))
    }

    /// Reserves a try at an invitation: of the address, then of the invitation or of a code that is none's.
    pub fn joining(&self, who: Claimant<'_, PatientId>, address: IpAddr, now: Duration) -> Result<Attempt, Wait> {
        let from = of_address(&self.login_addresses, address, now)?;
        let invitation = match who {
            Claimant::Known(patient) => self.invitations.reserve(of_id(patient.0), now),
            Claimant::Invented(code) => self.invented_codes.reserve(self.digest(code), now),
        };
        Ok(Attempt::of(Line::of(address), from.into_iter().chain([invitation.map_err(NoTry::wait)?])))
    }

    /// Counts a failed client authentication; `Err` if the client or the address has had too many before.
    pub fn client_failed(&self, who: Claimant<'_, ClientId>, address: IpAddr, now: Duration) -> Result<(), Wait> {
        let from = of_address(&self.client_addresses, address, now)?;
        let client = match who {
            Claimant::Known(client) => self.clients.reserve(of_id(client.0), now),
            Claimant::Invented(name) => self.invented_clients.reserve(self.digest(name), now),
        };
        let client = client.map_err(NoTry::wait)?;
        from.into_iter().chain([client]).for_each(Reservation::fail);
        Ok(())
    }

    /// Counts that somebody asks for a new password of the account that they call so; `Err` if that was asked too often.
    pub fn reset(&self, typed: &str, address: IpAddr, now: Duration) -> Result<(), Wait> {
        let from = of_address(&self.reset_addresses, address, now)?;
        let name = self.resets.reserve(self.digest(&typed.to_lowercase()), now).map_err(NoTry::wait)?;
        from.into_iter().chain([name]).for_each(Reservation::fail);
        Ok(())
    }

    fn digest(&self, name: &str) -> Name {
        let digest = Sha256::new().chain_update(self.key).chain_update(name).finalize();
        digest.first_chunk().map_or(0, |chunk| Name::from_le_bytes(*chunk))
    }
}

/// Where so many addresses are locked that there is no room for another, the others go uncounted: they cannot all be
/// shut out. Their accounts and clients are still counted.
fn of_address(book: &Book, address: IpAddr, now: Duration) -> Result<Option<Reservation>, Wait> {
    match book.reserve(network(address), now) {
        Ok(reservation) => Ok(Some(reservation)),
        Err(NoTry::Locked(wait)) => Err(wait),
        Err(NoTry::NoRoom(_)) => Ok(None),
    }
}

fn of_id(id: i64) -> Name {
    Name::from(id.cast_unsigned())
}

#[cfg(test)]
#[path = "books_tests.rs"]
mod tests;
