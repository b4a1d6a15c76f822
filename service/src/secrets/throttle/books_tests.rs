//! Tests of the books together: who is counted where, and that a flood of one sort moves nothing of another.

use super::*;
use std::net::{Ipv4Addr, Ipv6Addr};

const NOW: Duration = Duration::ZERO;
const FLOOD: u32 = 120_000;

fn throttle() -> Throttle {
    Throttle::new(&Allowance::default()).unwrap()
}

/// Another address each time.
fn address(number: u32) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from_bits(0x0A00_0000 + number))
}

fn fails(throttle: &Throttle, user: UserId, times: u32) {
    for number in 0..times {
        throttle.login(Claimant::Known(user), address(number), NOW).unwrap().settle(false);
    }
}

fn is_locked(throttle: &Throttle, user: UserId) -> bool {
    throttle.login(Claimant::Known(user), address(u32::MAX >> 8), NOW).is_err()
}

#[test]
fn a_flood_of_invented_names_and_client_ids_frees_no_locked_account_and_locks_no_free_one() {
    let throttle = throttle();
    let (locked, free, lab) = (UserId(1), UserId(2), ClientId(1));
    fails(&throttle, locked, 10);
    fails(&throttle, free, 9);
    for number in 0..11 {
        let failed = throttle.client_failed(Claimant::Known(lab), address(number), NOW);
        assert_eq!(failed.is_err(), number == 10);
    }
    for number in 0..FLOOD {
        let name = format!("invented-{number}");
        throttle.login(Claimant::Invented(&name), address(number), NOW).unwrap().settle(false);
        throttle.client_failed(Claimant::Invented(&name), address(number), NOW).unwrap();
    }
    assert!(is_locked(&throttle, locked));
    assert!(throttle.client_failed(Claimant::Known(lab), address(99), NOW).is_err());
    assert!(!is_locked(&throttle, free), "nine failures are not ten");
    fails(&throttle, free, 1);
    assert!(is_locked(&throttle, free), "the nine were not forgotten");
    assert!(!is_locked(&throttle, UserId(3)));
}

#[test]
fn an_invented_name_locks_as_a_real_one_does_in_any_spelling() {
    let throttle = throttle();
    for number in 0..10 {
        throttle.login(Claimant::Invented("Nobody"), address(number), NOW).unwrap().settle(false);
    }
    assert_eq!(throttle.login(Claimant::Invented("nobody"), address(11), NOW).unwrap_err(), Wait(900));
}

#[test]
fn a_flood_from_many_networks_does_not_free_a_locked_address() {
    let throttle = throttle();
    let host = |network: u32| IpAddr::V6(Ipv6Addr::from_bits((0x2001_0DB8 << 96) | (u128::from(network) << 64) | 1));
    let fail = |address, name: &str| throttle.client_failed(Claimant::Invented(name), address, NOW);
    for number in 0..100 {
        fail(host(0), &format!("guess-{number}")).unwrap();
    }
    for number in 1..FLOOD {
        fail(host(number), &format!("flood-{number}")).unwrap();
    }
    assert_eq!(fail(host(0), "again").unwrap_err(), Wait(900));
}

#[test]
fn addresses_of_either_kind_are_never_taken_for_each_other() {
    let of = |text: &str| network(text.parse().unwrap());
    assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff::"));
    assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
    assert_ne!(of("::"), of("0.0.0.0"));
}

#[test]
fn a_browser_that_is_known_is_counted_by_itself() {
    let throttle = throttle();
    let user = UserId(1);
    fails(&throttle, user, 10);
    for _ in 0..10 {
        throttle.login_in_browser(user, 7, NOW).unwrap().unwrap().settle(false);
    }
    assert_eq!(throttle.login_in_browser(user, 7, NOW).unwrap_err(), Wait(900));
    assert!(throttle.login_in_browser(user, 8, NOW).unwrap().is_some(), "another browser");
    assert!(throttle.login_in_browser(UserId(2), 7, NOW).unwrap().is_some(), "another user");
}
