//! The line in which a login waits for its password to be looked at: that of its address, or its browser's own.

use super::network::network;
use rules::ids::UserId;
use std::net::IpAddr;

/// A line. Whoever stands in one waits for those before them in it, and for nobody else in another for more than one turn.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Line {
    /// Everybody who comes from one network.
    Network(u128),
    /// A user in a browser that they have signed in with before.
    Browser(UserId, i64),
    /// A user who is signed in.
    Person(UserId),
}

impl Line {
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        Self::Network(network(address))
    }

    /// Whether it can only be had by somebody who was let in before.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Network(_))
    }
}
