//! Invitations: who is invited, for how long, and by which address an account is known.

use rules::ids::UserId;
use rules::invitations::{
    Candidate, FurtherProof, Hindrance, ended_name, hindrance, is_email, is_ended_name, is_open, is_paper_open,
};
use rules::limits::{INVITATION_PATIENTS, INVITATION_SECONDS, INVITATION_TRIES, INVITED_AGE, PAPER_TRIES};
use rules::moment::Moment;

/// 2026-11-14T00:00:00Z.
const TODAY: Moment = Moment(1_794_614_400_000);

fn of_birth(birth_date: Option<&str>, now: Moment) -> Option<Hindrance> {
    hindrance(Candidate { is_ours: true, deceased: false, registered: false, birth_date }, now)
}

#[test]
fn the_numbers_are_those_of_the_public_record() {
    assert_eq!((INVITATION_PATIENTS, INVITATION_SECONDS, INVITED_AGE), (500, 30 * 86_400, 16));
}

#[test]
fn whoever_is_sixteen_today_is_invited_and_not_a_day_before() {
    assert_eq!(of_birth(Some("2010-11-14"), TODAY), None);
    assert_eq!(of_birth(Some("2010-11-15"), TODAY), Some(Hindrance::TooYoung));
    assert_eq!(of_birth(Some("2010-11-15"), TODAY.plus_seconds(86_399)), Some(Hindrance::TooYoung));
    assert_eq!(of_birth(Some("2010-11-15"), TODAY.plus_seconds(86_400)), None);
    assert_eq!(of_birth(Some("2030-01-01"), TODAY), Some(Hindrance::TooYoung), "not born yet");
}

#[test]
fn who_was_born_on_the_odd_day_of_a_leap_year_is_a_year_older_on_that_day_or_the_day_after_where_there_is_none() {
    let at = |seconds: i64| Moment(seconds * 1000);
    let (day_before, day) = (at(1_709_078_400), at(1_709_164_800));
    assert_eq!(of_birth(Some("2008-02-29"), day_before), Some(Hindrance::TooYoung), "28 February 2024");
    assert_eq!(of_birth(Some("2008-02-29"), day), None, "29 February 2024");
    let (last, first) = (at(4_107_456_000), at(4_107_542_400));
    assert_eq!(of_birth(Some("2084-02-29"), last), Some(Hindrance::TooYoung), "28 February 2100");
    assert_eq!(of_birth(Some("2084-02-29"), first), None, "1 March 2100");
}

#[test]
fn a_date_of_birth_must_be_whole() {
    for missing in [None, Some(""), Some("1984"), Some("1984-02"), Some("1984-2-9"), Some("1984-13-01"), Some("x")] {
        assert_eq!(of_birth(missing, TODAY), Some(Hindrance::NoBirthDate), "{missing:?}");
    }
    assert_eq!(of_birth(Some("1984-02-29"), TODAY), None);
}

#[test]
fn who_has_died_or_has_an_account_is_not_invited() {
    let born = Some("1984-02-29");
    let of =
        |deceased, registered| hindrance(Candidate { is_ours: true, deceased, registered, birth_date: born }, TODAY);
    assert_eq!(of(true, true), Some(Hindrance::Deceased));
    assert_eq!(of(false, true), Some(Hindrance::Registered));
    assert_eq!(of(false, false), None);
}

#[test]
fn a_pair_is_open_until_it_is_over_or_was_tried_too_often() {
    let ends = TODAY.plus_seconds(INVITATION_SECONDS);
    assert!(is_open(ends, INVITATION_TRIES - 1, Moment(ends.0 - 1)));
    assert!(!is_open(ends, 0, ends));
    assert!(!is_open(ends, INVITATION_TRIES, TODAY));
}

#[test]
fn an_address_has_somebody_and_somewhere_and_no_spaces() {
    for good in ["amina@example.org", "a@b", "ämina+post@beispiel.example"] {
        assert!(is_email(good), "{good}");
    }
    let long = format!("{}@example.org", "a".repeat(200));
    for wrong in ["", "amina", "@example.org", "amina@", "a@b@c", "a b@c", "a@b\n", long.as_str()] {
        assert!(!is_email(wrong), "{wrong:?}");
    }
}

#[test]
fn only_a_patient_of_a_team_of_the_organisation_is_invited_whatever_else_is_so() {
    let born = Some("1985-02-01");
    let of = |is_ours, deceased| hindrance(Candidate { is_ours, deceased, registered: false, birth_date: born }, TODAY);
    assert_eq!((of(true, false), of(false, false)), (None, Some(Hindrance::NotOurs)));
    assert_eq!(of(false, true), Some(Hindrance::NotOurs), "that somebody has died is not told either");
}

#[test]
fn a_further_proof_is_asked_for_by_its_word_and_none_is_unless_it_is_said() {
    for proof in FurtherProof::ALL {
        assert_eq!(FurtherProof::named(proof.word()), Some(proof));
    }
    assert_eq!((FurtherProof::named("Paper"), FurtherProof::default()), (None, FurtherProof::None));
}

#[test]
fn a_paper_is_good_until_it_is_over_or_tried_too_often() {
    assert!(is_paper_open(TODAY.plus_seconds(1), PAPER_TRIES - 1, TODAY));
    assert!(!is_paper_open(TODAY.plus_seconds(1), PAPER_TRIES, TODAY));
    assert!(!is_paper_open(TODAY, 0, TODAY));
}

#[test]
fn the_name_of_an_ended_account_is_no_e_mail_address() {
    let name = ended_name(UserId(7));
    assert!(
        is_ended_name(&name)
            && is_ended_name(&name.to_uppercase())
            && !is_email(&name)
            && !is_ended_name("ended@mail.example"),
        "{name}"
    );
}
