//! An address as the log tells it: where it is from, not whose it is.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The network of an address: the first 24 bits of IPv4, the first 48 of IPv6, which is what one customer has.
#[must_use]
pub fn prefix(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{}/24", Ipv4Addr::new(a, b, c, 0))
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{}/48", Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_by_its_network_and_an_ipv4_one_in_ipv6_as_itself() {
        for (address, told) in [
            ("192.0.2.77", "192.0.2.0/24"),
            ("::ffff:192.0.2.77", "192.0.2.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
            ("::1", "::/48"),
        ] {
            assert_eq!(prefix(address.parse().unwrap()), told);
        }
    }
}
