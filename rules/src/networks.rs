//! Which network an address is of: what somebody else has us connect to must be of the public internet, and not of our own.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is part of, as far as it matters to whoever is told to go there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    Public,
    Loopback,
    /// Of a network that somebody runs for themselves, or shares with others behind a provider's translator.
    Private,
    /// Where clouds tell a machine its secrets, among others.
    LinkLocal,
    /// Nobody's, everybody's, or a way into another network: multicast, documentation, benchmarks, tunnels, the future.
    Special,
}

use Network::{LinkLocal, Loopback, Private, Special};

/// What is not public of IPv4 (IANA's registry of special purposes): network, length of its prefix.
const IPV4: [([u8; 4], u32, Network); 18] = [
    ([0, 0, 0, 0], 8, Special),
    ([10, 0, 0, 0], 8, Private),
    ([100, 64, 0, 0], 10, Private),
    ([127, 0, 0, 0], 8, Loopback),
    ([168, 63, 129, 16], 32, LinkLocal),
    ([169, 254, 0, 0], 16, LinkLocal),
    ([172, 16, 0, 0], 12, Private),
    ([192, 0, 0, 0], 24, Special),
    ([192, 0, 2, 0], 24, Special),
    ([192, 31, 196, 0], 24, Special),
    ([192, 52, 193, 0], 24, Special),
    ([192, 88, 99, 0], 24, Special),
    ([192, 168, 0, 0], 16, Private),
    ([198, 18, 0, 0], 15, Special),
    ([198, 51, 100, 0], 24, Special),
    ([203, 0, 113, 0], 24, Special),
    ([224, 0, 0, 0], 4, Special),
    ([240, 0, 0, 0], 4, Special),
];

/// What is not public of IPv6's global unicast (2000::/3): protocols with Teredo and benchmarks, documentation, 6to4.
const IPV6: [([u16; 2], u32); 4] = [([0x2001, 0], 23), ([0x2001, 0x0db8], 32), ([0x2002, 0], 16), ([0x3fff, 0], 20)];

impl Network {
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => of_ipv4(address),
            IpAddr::V6(address) => of_ipv6(address),
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Loopback => "loopback",
            Private => "private",
            LinkLocal => "link-local",
            Special => "special-purpose",
        }
    }
}

fn of_ipv4(address: Ipv4Addr) -> Network {
    let is_in = |network: [u8; 4], length: u32| {
        let differing = u32::from(address) ^ u32::from_be_bytes(network);
        differing.leading_zeros() >= length
    };
    let found = IPV4.iter().find(|(network, length, _)| is_in(*network, *length));
    found.map_or(Network::Public, |(_, _, network)| *network)
}

fn of_ipv6(address: Ipv6Addr) -> Network {
    let segments = address.segments();
    // An IPv4 address in another dress is what it is without it.
    if let Some(inner) = address.to_ipv4_mapped() {
        return of_ipv4(inner);
    }
    if let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = segments {
        return of_ipv4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    }
    let [first, second, ..] = segments;
    let head = (u32::from(first) << 16) | u32::from(second);
    let is_in = |network: [u16; 2], length: u32| {
        let [first, second] = network.map(u32::from);
        (head ^ ((first << 16) | second)).leading_zeros() >= length
    };
    match first {
        0 if address == Ipv6Addr::LOCALHOST => Loopback,
        0x2000..=0x3fff if IPV6.iter().any(|(network, length)| is_in(*network, *length)) => Special,
        0x2000..=0x3fff => Network::Public,
        0xfc00..=0xfdff => Private,
        0xfe80..=0xfebf => LinkLocal,
        _ => Special,
    }
}
