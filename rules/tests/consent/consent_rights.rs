//! The table `consent-rights`: who may create, widen, narrow, discharge and lock.

use crate::consent::fields::changed;
use crate::consent::world::{
    AMINA, CARER, CHENS_USER, DR_GREY, GENERAL, GRANTEES, LARKFIELD, NOW, SLEEP_CLINIC, TEAM, consent, every_labels,
    explicit, implied, organisation,
};
use crate::consent::{origins, read};
use rules::consent::actor::{Actor, GranteeFacts};
use rules::consent::basis::{Basis, BasisKind};
use rules::consent::change::{ConsentFacts, WantedConsent, change};
use rules::consent::record::{Consent, ConsentId, Grantee, Locker};
use rules::consent::state::PatientState;
use rules::consent::state_right::{StateChange, may_set, without_sharing};
use rules::labels::Labels;

const HEADER: [&str; 6] = ["who", "may create or widen", "may narrow", "may discharge", "may lock or unlock", "D/I"];
/// What a carer, or a team, of the table holds.
const HELD: Labels = Labels(3);
const NORMAL: PatientState = PatientState::normal(AMINA);

pub(crate) fn hold(document: &str) {
    let table = read(document, "consent-rights", &HEADER);
    for row in table.rows() {
        let who = row.first().means(actor);
        row.cell("may create or widen").means(|text| creates(who, text).then_some(()));
        row.cell("may narrow").means(|text| narrows(who, text).then_some(()));
        row.cell("may discharge").means(|text| discharges(who, text).then_some(()));
        row.cell("may lock or unlock").means(|text| locks(who, text).then_some(()));
    }
    origins(&table, &["D", "I", "I", "D, I (bounds)", "D, I (bounds)", "I", "D"]);
    table.was_held_in_every_cell();
}

fn actor(text: &str) -> Option<Actor> {
    Some(match text {
        "patient" => Actor::Patient,
        "carer with `manages`" => Actor::Carer { user: CHENS_USER, held: HELD, manages: true },
        "carer" => Actor::Carer { user: CHENS_USER, held: HELD, manages: false },
        "CLINICIAN, SITE (names the attesting user)" => {
            let nobody = Actor::Clinician { team: SLEEP_CLINIC, attesting: None, held: HELD };
            assert!(!gives(nobody, TEAM, GENERAL, explicit()), "nobody attests it");
            Actor::Clinician { team: SLEEP_CLINIC, attesting: Some(DR_GREY), held: HELD }
        }
        "TEAMCOORD" => Actor::Coordinator { team: SLEEP_CLINIC, held: HELD },
        "System Client" => Actor::SystemClient(LARKFIELD),
        "privacy officer" => Actor::PrivacyOfficer(LARKFIELD),
        _ => return None,
    })
}

/// Another carer than the one who acts.
const OTHER_CARER: Grantee = Grantee::Carer(rules::ids::UserId(36));
/// A sister team.
const SISTER: Grantee = Grantee::Team(crate::consent::world::DIABETES_TEAM);

fn grantees() -> impl Iterator<Item = Grantee> {
    GRANTEES.into_iter().chain([OTHER_CARER, SISTER])
}

fn gives(actor: Actor, grantee: Grantee, labels: Labels, basis: Basis) -> bool {
    let wanted = WantedConsent { labels: Some(labels), basis: Some(basis), ..WantedConsent::default() };
    let created = changed(actor, &wanted, (grantee, None), &NORMAL).is_ok();
    let before = consent(AMINA, grantee, Labels::NONE);
    let widened = changed(actor, &wanted, (grantee, Some(&before)), &NORMAL).is_ok();
    let over = Consent { discharged: true, ..consent(AMINA, grantee, labels) };
    let reopened = changed(actor, &wanted, (grantee, Some(&over)), &NORMAL).is_ok();
    // Nothing is opened by a consent that is there and has no label.
    assert!(created == widened || labels.is_none(), "{actor:?} {grantee:?} {labels:?}");
    assert!(created == reopened || labels.is_none(), "{actor:?} {grantee:?} {labels:?}");
    created
}

fn creates(actor: Actor, text: &str) -> bool {
    let expected = |grantee: Grantee, labels: Labels, kind: BasisKind| {
        let is_explicit = kind == BasisKind::Explicit;
        let (is_carer, is_person) = (grantee.is_carer(), !matches!(grantee, Grantee::Team(_)));
        Some(match text {
            "any grantee, any label; basis EXPLICIT" => is_explicit,
            "any other grantee, labels held" => grantee != CARER && labels.are_within(HELD) && is_explicit,
            "no" => false,
            "patients of the organisation. Own team: EXPLICIT any label, IMPLIED at most `default_access`; professionals and \
             carers: EXPLICIT, labels the team holds" => match grantee {
                TEAM => is_explicit || labels.are_within(GENERAL),
                _ => is_person && is_explicit && labels.are_within(HELD),
            },
            "patients of the organisation. Own team: IMPLIED at most `default_access`; carers: EXPLICIT, labels the team holds" => {
                match grantee {
                    TEAM => !is_explicit && labels.are_within(GENERAL),
                    _ => is_carer && is_explicit && labels.are_within(HELD),
                }
            }
            "teams of its organisation, IMPLIED, at most `default_access`" => {
                organisation(grantee) == Some(LARKFIELD) && !is_explicit && labels.are_within(GENERAL)
            }
            _ => return None,
        })
    };
    let all = grantees().flat_map(|grantee| every_labels().map(move |labels| (grantee, labels)));
    let mut all = all.flat_map(|(grantee, labels)| [explicit(), implied()].map(|basis| (grantee, labels, basis)));
    let of_organisation = !text.starts_with("patients of the organisation") || is_unknown_of_others(actor);
    of_organisation
        && all.all(|(grantee, labels, basis)| {
            expected(grantee, labels, basis.kind) == Some(gives(actor, grantee, labels, basis.clone()))
        })
}

/// Of a patient of another organisation it is as if there were none.
fn is_unknown_of_others(actor: Actor) -> bool {
    let to = GranteeFacts { grantee: TEAM, organisation: Some(LARKFIELD), default_access: GENERAL };
    let facts = ConsentFacts { patient: &NORMAL, to, before: None, is_associated: false, carers_end_at_age: 16 };
    let denied = change(actor, &WantedConsent::default(), &facts, ConsentId(1), NOW);
    denied.is_err_and(|denial| denial.status() == 404)
}

fn narrowed(actor: Actor, grantee: Grantee, locked: Option<Locker>, to: Labels) -> bool {
    let before = Consent { locked, ..consent(AMINA, grantee, HELD) };
    let wanted = WantedConsent { labels: Some(to), ..WantedConsent::default() };
    changed(actor, &wanted, (grantee, Some(&before)), &NORMAL).is_ok()
}

fn narrows(actor: Actor, text: &str) -> bool {
    let expected = |grantee: Grantee, is_locked: bool| {
        Some(match text {
            "any unlocked" if actor == Actor::Patient => !is_locked,
            // Every carer may give the own labels back.
            "others that are unlocked" if actor != Actor::Patient => !is_locked,
            "own" => grantee == CARER && !is_locked,
            "own team" => grantee == TEAM,
            "those teams" => organisation(grantee) == Some(LARKFIELD),
            "no" => false,
            _ => return None,
        })
    };
    let locks = [None, Some(Locker::Officer)];
    grantees().all(|grantee| {
        locks.iter().all(|locked| {
            [Labels::NONE, GENERAL]
                .iter()
                .all(|to| expected(grantee, locked.is_some()) == Some(narrowed(actor, grantee, *locked, *to)))
        })
    })
}

fn discharged(actor: Actor, grantee: Grantee, locked: Option<Locker>) -> bool {
    let before = Consent { locked, ..consent(AMINA, grantee, HELD) };
    let wanted = WantedConsent { discharged: Some(true), ..WantedConsent::default() };
    changed(actor, &wanted, (grantee, Some(&before)), &NORMAL).is_ok()
}

fn discharges(actor: Actor, text: &str) -> bool {
    let own_lock = Some(Locker::Team(SLEEP_CLINIC));
    let expected = |grantee: Grantee, locked: Option<Locker>| {
        let (is_locked, is_team) = (locked.is_some(), matches!(grantee, Grantee::Team(_)));
        Some(match text {
            "professional, carer; never a team" if actor == Actor::Patient => !is_team && !is_locked,
            // Every carer may leave.
            "other carers, professionals" if actor != Actor::Patient => !is_team && !is_locked,
            "own (leave)" => grantee == CARER && !is_locked,
            "own team; others if locked by own team" => grantee == TEAM || locked == own_lock,
            "own team" => grantee == TEAM,
            "those teams" => organisation(grantee) == Some(LARKFIELD),
            "all at once, by disabling sharing" => {
                let all: Vec<Consent> = GRANTEES.map(|grantee| consent(AMINA, grantee, HELD)).to_vec();
                let grown = PatientState { born: rules::calendar::Day::read("1990-01-01"), ..NORMAL };
                assert_eq!(may_set(actor, StateChange::DisableSharing, &grown, NOW), Ok(()));
                assert!(without_sharing(&all).iter().all(|consent| consent.discharged && consent.labels == HELD));
                false
            }
            _ => return None,
        })
    };
    let locks = [None, own_lock, Some(Locker::Officer)];
    grantees().all(|grantee| {
        locks.iter().all(|locked| expected(grantee, *locked) == Some(discharged(actor, grantee, *locked)))
    })
}

fn locked(actor: Actor, from: Option<Locker>, reason: Option<&str>) -> bool {
    grantees().all(|grantee| {
        let before = Consent { locked: from, ..consent(AMINA, grantee, HELD) };
        let reason = reason.map(Into::into);
        let wanted = WantedConsent { locked: Some(from.is_none()), reason, ..WantedConsent::default() };
        let change = changed(actor, &wanted, (grantee, Some(&before)), &NORMAL);
        change.is_ok_and(|change| change.after.locked.is_some() == from.is_none())
    })
}

fn locks(actor: Actor, text: &str) -> bool {
    let both = |actor, reason| [None, Some(Locker::Officer)].map(|from| locked(actor, from, reason));
    match text {
        "no" => both(actor, Some("a reason")) == [false; 2],
        "yes" => both(actor, None) == [true; 2],
        "with reason, own team having at least one label" => {
            let without = Actor::Clinician { team: SLEEP_CLINIC, attesting: Some(DR_GREY), held: Labels::NONE };
            both(actor, Some("a child in danger")) == [true; 2]
                && both(actor, None) == [false; 2]
                && both(actor, Some("  ")) == [false; 2]
                && both(without, Some("a child in danger")) == [false; 2]
        }
        _ => false,
    }
}

#[test]
fn the_patient_a_carer_and_the_operator_need_no_organisation_that_knows_the_patient() {
    let to = GranteeFacts { grantee: TEAM, organisation: Some(LARKFIELD), default_access: GENERAL };
    let facts = ConsentFacts { patient: &NORMAL, to, before: None, is_associated: false, carers_end_at_age: 16 };
    let carer = Actor::Carer { user: CHENS_USER, held: HELD, manages: true };
    for actor in [Actor::Patient, carer, Actor::Operator] {
        assert!(change(actor, &WantedConsent::default(), &facts, ConsentId(1), NOW).is_ok(), "{actor:?}");
    }
    let closed = PatientState { sharing_disabled: true, ..NORMAL };
    for patient in [&NORMAL, &closed] {
        let facts = ConsentFacts { patient, ..facts };
        let other = change(Actor::Other, &WantedConsent::default(), &facts, ConsentId(1), NOW);
        assert_eq!(other.expect_err("no right").code(), "NO_CONSENT", "nothing is told of the patient");
    }
}

#[test]
fn while_sharing_is_disabled_nobody_makes_or_widens_a_consent_and_narrowing_goes_on() {
    let closed = PatientState { sharing_disabled: true, ..NORMAL };
    let before = consent(AMINA, TEAM, GENERAL);
    let set = |labels, before| {
        let wanted = WantedConsent { labels: Some(labels), ..WantedConsent::default() };
        changed(Actor::Patient, &wanted, (TEAM, before), &closed).map(|change| change.after.labels)
    };
    for before in [None, Some(&before)] {
        assert_eq!(set(Labels::ALL, before).expect_err("disabled").code(), "SHARING_DISABLED");
    }
    assert_eq!(set(Labels::NONE, Some(&before)), Ok(Labels::NONE));
}

#[test]
fn a_change_that_widens_and_narrows_needs_both_rights_and_what_changes_nothing_needs_none() {
    let before = consent(AMINA, TEAM, Labels(2));
    let coordinator = Actor::Coordinator { team: SLEEP_CLINIC, held: HELD };
    let swap = |basis| WantedConsent { labels: Some(GENERAL), basis, ..WantedConsent::default() };
    assert!(changed(coordinator, &swap(Some(implied())), (TEAM, Some(&before)), &NORMAL).is_ok());
    assert!(changed(coordinator, &swap(Some(explicit())), (TEAM, Some(&before)), &NORMAL).is_err());
    assert_eq!(changed(coordinator, &swap(None), (TEAM, Some(&before)), &NORMAL).expect_err("no basis").status(), 422);
    let same = WantedConsent { labels: Some(Labels(2)), locked: Some(false), ..WantedConsent::default() };
    let unchanged = changed(Actor::Other, &same, (TEAM, Some(&before)), &NORMAL).expect("nothing is done");
    assert_eq!((unchanged.after, unchanged.acts.len()), (before, 0));
}

#[test]
fn to_give_a_consent_a_later_end_is_to_widen_it_and_an_earlier_one_to_narrow_it() {
    use rules::consent::change::End;
    use rules::moment::Moment;
    let before = Consent { ends_at: Some(Moment(NOW.0 + 1000)), ..consent(AMINA, TEAM, Labels(2)) };
    let client = Actor::SystemClient(LARKFIELD);
    let end = |ends_at, actor| {
        let wanted = WantedConsent { ends_at: Some(ends_at), basis: Some(implied()), ..WantedConsent::default() };
        changed(actor, &wanted, (TEAM, Some(&before)), &NORMAL).is_ok()
    };
    assert!(end(End::At(Moment(NOW.0 + 500)), client), "those teams it may narrow");
    assert!(!end(End::At(Moment(NOW.0 + 2000)), client), "mental health is beyond default_access");
    assert!(!end(End::Never, client));
    let carer = Actor::Carer { user: CHENS_USER, held: GENERAL, manages: true };
    assert!(!end(End::At(Moment(NOW.0 + 500)), carer), "a label that the carer does not hold would end earlier");
}

#[test]
fn an_earlier_end_that_the_patient_sets_takes_nothing_away_yet_and_one_that_has_passed_does() {
    use rules::consent::change::End;
    use rules::moment::Moment;
    let before = consent(AMINA, TEAM, GENERAL);
    let end = |at| {
        let wanted = WantedConsent { ends_at: Some(End::At(Moment(at))), ..WantedConsent::default() };
        changed(Actor::Patient, &wanted, (TEAM, Some(&before)), &NORMAL).expect("a patient may").after.withdrawn
    };
    assert_eq!([end(NOW.0 + 1), end(NOW.0)], [false, true]);
}

#[test]
fn to_a_carer_without_a_label_it_is_as_if_there_were_no_patient() {
    let carer = Actor::Carer { user: CHENS_USER, held: Labels::NONE, manages: true };
    let wanted = WantedConsent { labels: Some(Labels::NONE), ..WantedConsent::default() };
    for patient in [NORMAL, PatientState { sharing_disabled: true, ..NORMAL }] {
        let denied = changed(carer, &wanted, (TEAM, None), &patient);
        assert_eq!(denied.expect_err("sees none").status(), 404);
    }
    let own = consent(AMINA, CARER, Labels::NONE);
    let leave = WantedConsent { discharged: Some(true), ..WantedConsent::default() };
    assert!(changed(carer, &leave, (CARER, Some(&own)), &NORMAL).is_ok(), "their own they may leave");
}
