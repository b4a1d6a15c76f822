//! The network that an address counts as: whoever has one of its addresses has them all.

use std::net::IpAddr;

/// One IPv6 subscriber has a whole /64 to come from. The lower half stays zero there, and is never zero for IPv4.
#[must_use]
pub fn network(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(v4) => u128::from(v4.to_bits()) | 1 << 32,
        IpAddr::V6(v6) => v6.to_bits() >> 64 << 64,
    }
}
