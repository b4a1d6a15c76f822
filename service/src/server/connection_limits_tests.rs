//! Tests of the limits: who is let in, and that every place comes back.

use super::*;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::task::{Context, Poll, Waker};

const BOUNDS: ConnectionBounds = ConnectionBounds {
    in_all: 20,
    per_address: 3,
    delivery: std::time::Duration::ZERO,
    unread: 0,
    unread_per_caller: 0,
    other_files: 0,
};

fn v4(last: u8) -> IpAddr {
    Ipv4Addr::new(192, 0, 2, last).into()
}

async fn let_in(limits: &ConnectionLimits, address: IpAddr) -> Option<ConnectionSlot> {
    limits.take(limits.free().await, address)
}

#[tokio::test]
async fn one_address_has_so_many_places_and_others_have_theirs() {
    let limits = ConnectionLimits::new(&BOUNDS, usize::MAX, false);
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(let_in(&limits, v4(1)).await.unwrap());
    }
    assert!(let_in(&limits, v4(1)).await.is_none());
    assert!(let_in(&limits, v4(2)).await.is_some());
    held.pop();
    assert!(let_in(&limits, v4(1)).await.is_some(), "a place that was left is free");
    drop(held);
    assert_eq!((limits.free.available_permits(), limits.tally.lock().unwrap().len()), (20, 0));
}

#[tokio::test]
async fn an_ipv6_network_is_one_address_and_an_ipv4_address_is_itself_in_either_form() {
    let limits = ConnectionLimits::new(&ConnectionBounds { per_address: 1, ..BOUNDS }, usize::MAX, false);
    let host = |network: u16, host: u16| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, network, 0, 0, 0, host));
    let _held = let_in(&limits, host(1, 1)).await.unwrap();
    assert!(let_in(&limits, host(1, 2)).await.is_none());
    assert!(let_in(&limits, host(2, 1)).await.is_some());
    let _held = let_in(&limits, v4(1)).await.unwrap();
    assert!(let_in(&limits, Ipv4Addr::new(192, 0, 2, 1).to_ipv6_mapped().into()).await.is_none());
}

#[tokio::test]
async fn the_connections_of_a_trusted_proxy_are_not_counted_by_address() {
    let limits = ConnectionLimits::new(&BOUNDS, usize::MAX, true);
    let mut held = Vec::new();
    for _ in 0..20 {
        held.push(let_in(&limits, v4(1)).await.unwrap());
    }
}

#[tokio::test]
async fn when_all_places_are_taken_the_next_one_waits_for_one_that_is_left() {
    let limits = ConnectionLimits::new(&ConnectionBounds { per_address: 1000, ..BOUNDS }, 16, true);
    let mut held = Vec::new();
    for _ in 0..16 {
        held.push(let_in(&limits, v4(1)).await.unwrap());
    }
    let mut next = Box::pin(limits.free());
    let mut look = || next.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(look().is_pending());
    held.pop();
    assert!(matches!(look(), Poll::Ready(_)));
}

#[tokio::test]
async fn one_address_never_has_more_than_half_of_the_places() {
    let limits = ConnectionLimits::new(&ConnectionBounds { per_address: 1000, ..BOUNDS }, usize::MAX, false);
    let mut held = Vec::new();
    while let Some(place) = let_in(&limits, v4(1)).await {
        held.push(place);
    }
    assert_eq!(held.len(), 10);
}
