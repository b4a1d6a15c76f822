//! Tests of passwords that are looked at: an attempt is settled whatever becomes of who made it.

use super::*;
use crate::secrets::throttle::{Allowance, Claimant, Throttle, Wait};
use rules::ids::UserId;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

fn reserve(throttle: &Throttle) -> Result<Attempt, Wait> {
    throttle.login(Claimant::Known(UserId(1)), IpAddr::V4(Ipv4Addr::LOCALHOST), Duration::ZERO)
}

#[tokio::test]
async fn a_guess_whose_maker_hangs_up_while_it_is_looked_at_is_a_failure_like_any_other() {
    let throttle = Throttle::new(&Allowance { per_account: 1, ..Allowance::default() }).unwrap();
    let passwords = Passwords::new().unwrap();
    {
        let mut guess = pin!(passwords.verify(Secret::new("guess".into()), None, reserve(&throttle).unwrap()));
        assert!(guess.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending(), "it is looked at");
    }
    let soon = Wait(1);
    while reserve(&throttle).err() == Some(soon) {
        tokio::task::yield_now().await;
    }
    assert_eq!(reserve(&throttle).err(), Some(Wait(900)));
}

#[tokio::test]
async fn a_guess_that_is_given_up_before_it_was_looked_at_is_none() {
    let throttle = Throttle::new(&Allowance { per_account: 1, ..Allowance::default() }).unwrap();
    let passwords = Passwords::new().unwrap();
    drop(passwords.verify(Secret::new("guess".into()), None, reserve(&throttle).unwrap()));
    assert!(reserve(&throttle).is_ok());
}
