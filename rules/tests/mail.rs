//! Mail that could not be sent is tried again after growing waits, within the time for which it is kept.

use rules::limits::{MAIL_KEPT_SECONDS, MAIL_LONGEST_WAIT_SECONDS, MAIL_TRIES};
use rules::mail::{LinkPurpose, MailKind, wait_after};

#[test]
fn waits_grow_up_to_the_longest_and_all_tries_are_within_the_time_that_a_mail_is_kept() {
    let waits: Vec<i64> = (1..=MAIL_TRIES).map(wait_after).collect();
    assert_eq!(waits[..4], [60, 120, 240, 480]);
    assert!(waits.is_sorted() && waits.last() == Some(&MAIL_LONGEST_WAIT_SECONDS), "{waits:?}");
    assert!(waits.iter().sum::<i64>() <= MAIL_KEPT_SECONDS, "{waits:?}");
    assert_eq!((wait_after(i64::MIN), wait_after(i64::MAX)), (60, MAIL_LONGEST_WAIT_SECONDS));
}

#[test]
fn every_kind_and_every_purpose_has_a_word_of_its_own() {
    for kind in MailKind::ALL {
        assert_eq!(MailKind::named(kind.word()), Some(kind));
        assert!(kind.link().is_none_or(|purpose| LinkPurpose::named(purpose.word()) == Some(purpose)));
    }
    assert_eq!((MailKind::named("LETTER"), LinkPurpose::named("")), (None, None));
}
