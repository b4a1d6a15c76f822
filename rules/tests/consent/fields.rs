//! The table `consent-fields`: the fields of a consent, their types, defaults and meaning.

use crate::consent::world::{
    AMINA, CARER, CHENS_USER, GENERAL, GRANTEES, NOW, PROFESSIONAL, TEAM, consent, every_labels, organisation, rows,
};
use crate::consent::{read, reads_as_known};
use rules::calendar::Day;
use rules::consent::actor::{Actor, GranteeFacts};
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::change::{ConsentChange, ConsentFacts, End, WantedConsent, accept, change};
use rules::consent::denial::Denial;
use rules::consent::record::{Consent, ConsentId, ConsentState, Grantee};
use rules::consent::state::PatientState;
use rules::labels::{Label, Labels};
use rules::moment::Moment;

const HEADER: [&str; 5] = ["field", "type", "default", "meaning", "D/I"];
const ID: ConsentId = ConsentId(0x0190_0000_0000_7000_8000_0000_0000_0001);

pub(crate) fn hold(document: &str) {
    let table = read(document, "consent-fields", &HEADER);
    let rows: [(&str, u32, fn()); 10] = [
        ("id", 0xf855_64ea, id),
        ("patient, grantee", 0x9a50_8422, pair),
        ("general, mental, sexual, social", 0xbd1d_8971, labels),
        ("discharged", 0xcc76_9601, discharged),
        ("locked", 0x5dd2_9d58, locked),
        ("manages", 0xd20f_8541, manages),
        ("basis", 0xbe92_a49f, basis),
        ("withdrawn", 0xe008_8e84, withdrawn),
        ("endsAt", 0x2810_8140, ends_at),
        ("state", 0x2436_551c, state),
    ];
    assert_eq!(table.rows().count(), rows.len());
    for (name, sum, holds) in rows {
        reads_as_known(table.row(name), &HEADER, sum);
        holds();
    }
    table.was_held_in_every_cell();
}

/// What becomes of a consent of Amina's that a patient or somebody else wants so.
pub(crate) fn changed(
    actor: Actor,
    wanted: &WantedConsent,
    (grantee, before): (Grantee, Option<&Consent>),
    patient: &PatientState,
) -> Result<ConsentChange, Denial> {
    let to = GranteeFacts { grantee, organisation: organisation(grantee), default_access: GENERAL };
    let facts = ConsentFacts { patient, to, before, is_associated: true, carers_end_at_age: 16 };
    change(actor, wanted, &facts, ID, NOW)
}

fn made(grantee: Grantee, wanted: &WantedConsent) -> Consent {
    changed(Actor::Patient, wanted, (grantee, None), &PatientState::normal(AMINA)).expect("a patient may").after
}

fn id() {
    assert_eq!(made(TEAM, &WantedConsent::default()).id, ID);
    assert_eq!(ID.to_string(), "01900000-0000-7000-8000-000000000001");
    assert_eq!(ID.to_string().parse(), Ok(ID));
    for no_uuid in ["", "01900000", "01900000-0000-7000-8000-00000000000g", "0190000000007000800000000000000001--"] {
        assert!(no_uuid.parse::<ConsentId>().is_err(), "{no_uuid}");
    }
}

fn pair() {
    for grantee in GRANTEES {
        let made = made(grantee, &WantedConsent::default());
        assert_eq!((made.patient, made.grantee), (AMINA, grantee));
    }
    assert_eq!(GRANTEES.map(Grantee::word), ["TEAM", "TEAM", "PROFESSIONAL", "CARER"]);
    for grantee in GRANTEES {
        let number = rules::consent::eyes::Eyes::from(grantee).id().0;
        assert_eq!(Grantee::named(grantee.word(), number), Some(grantee), "as a row has it");
    }
    assert_eq!(Grantee::named("ORGANISATION", 1), None, "never an organisation");
}

fn labels() {
    for (grantee, default) in [(TEAM, GENERAL), (PROFESSIONAL, Labels::NONE), (CARER, Labels::NONE)] {
        assert_eq!(made(grantee, &WantedConsent::default()).labels, default, "{grantee:?}");
        for labels in every_labels() {
            assert_eq!(
                made(grantee, &WantedConsent { labels: Some(labels), ..WantedConsent::default() }).labels,
                labels
            );
        }
    }
    let names = ["general", "mental", "sexual", "social"];
    assert_eq!(
        Label::ALL.map(|label| label.code().to_lowercase().starts_with(names[label.bit().ilog2() as usize])),
        [true; 4]
    );
}

fn discharged() {
    assert!(!made(TEAM, &WantedConsent::default()).discharged);
    let over = Consent { discharged: true, ..consent(AMINA, TEAM, Labels::ALL) };
    assert_eq!((over.labels, over.in_force(NOW)), (Labels::ALL, Labels::NONE), "kept but without effect");
    let set = |discharged, before: &Consent| {
        let wanted = WantedConsent { labels: Some(GENERAL), discharged: Some(discharged), ..WantedConsent::default() };
        let changed = changed(Actor::Operator, &wanted, (TEAM, Some(before)), &PatientState::normal(AMINA));
        let after = changed.expect("an operator may").after;
        (after.labels, after.in_force(NOW))
    };
    assert_eq!(set(true, &consent(AMINA, TEAM, Labels::ALL)), (Labels::ALL, Labels::NONE), "whatever else is sent");
    assert_eq!(set(false, &over), (GENERAL, GENERAL));
}

fn locked() {
    assert_eq!(made(TEAM, &WantedConsent::default()).locked, None);
    let locked =
        Consent { locked: Some(rules::consent::record::Locker::Officer), ..consent(AMINA, CARER, Labels::ALL) };
    let less = WantedConsent { labels: Some(GENERAL), ..WantedConsent::default() };
    let carer = Actor::Carer { user: CHENS_USER, held: Labels::ALL, manages: true };
    for actor in [Actor::Patient, carer] {
        let denied = changed(actor, &less, (CARER, Some(&locked)), &PatientState::normal(AMINA));
        assert_eq!(denied, Err(Denial::ConsentLocked), "{actor:?}");
    }
}

fn manages() {
    assert!(!made(CARER, &WantedConsent::default()).manages);
    let wanted = WantedConsent { manages: Some(true), ..WantedConsent::default() };
    assert!(made(CARER, &wanted).manages);
    for grantee in [TEAM, PROFESSIONAL] {
        let denied = changed(Actor::Patient, &wanted, (grantee, None), &PatientState::normal(AMINA));
        assert_eq!(denied.expect_err("carers only").status(), 422);
    }
    let carer = Actor::Carer { user: CHENS_USER, held: GENERAL, manages: true };
    let give = |labels, grantee| {
        let wanted = WantedConsent { labels: Some(labels), ..WantedConsent::default() };
        changed(carer, &wanted, (grantee, None), &PatientState::normal(AMINA)).is_ok()
    };
    assert!(
        give(GENERAL, TEAM) && !give(Labels(2), TEAM) && !give(GENERAL, CARER),
        "within the labels held, never the own"
    );
}

fn basis() {
    assert_eq!(BasisKind::ALL.map(BasisKind::code), ["EXPLICIT", "IMPLIED"]);
    assert_eq!(
        ["EXPLICIT", "IMPLIED", "explicit"].map(BasisKind::named),
        [Some(BasisKind::Explicit), Some(BasisKind::Implied), None]
    );
    let reasons = ["PATIENT_CONSENTED", "REFERRAL", "IN_TREATMENT", "COURT_ORDER", "PARENT", "OTHER"];
    assert_eq!(Reason::ALL.map(Reason::code), reasons);
    for reason in Reason::ALL {
        assert_eq!(Reason::named(reason.code()), Some(reason));
        let wanted = |text: Option<&str>| WantedConsent {
            basis: Some(Basis { kind: BasisKind::Explicit, reason, text: text.map(Into::into) }),
            ..WantedConsent::default()
        };
        let is_refused = |text| {
            let denied = changed(Actor::Patient, &wanted(text), (TEAM, None), &PatientState::normal(AMINA));
            denied.is_err_and(|denial| denial.status() == 422)
        };
        assert_eq!(is_refused(None), reason == Reason::Other, "{reason:?}");
        assert_eq!(is_refused(Some(" ")), reason == Reason::Other, "{reason:?}");
        assert!(!is_refused(Some("a court said so")));
    }
}

fn withdrawn() {
    assert!(!made(TEAM, &WantedConsent::default()).withdrawn);
    let before = consent(AMINA, TEAM, Labels::ALL);
    let set = |actor, labels, basis, before: &Consent| {
        let wanted = WantedConsent { labels: Some(labels), basis, ..WantedConsent::default() };
        changed(actor, &wanted, (TEAM, Some(before)), &PatientState::normal(AMINA)).map(|change| change.after)
    };
    let narrowed = set(Actor::Patient, GENERAL, None, &before).expect("a patient may");
    assert!(narrowed.withdrawn, "the patient took labels away");
    let clinician =
        Actor::Clinician { team: crate::consent::world::SLEEP_CLINIC, attesting: Some(CHENS_USER), held: GENERAL };
    let by_team = set(clinician, GENERAL, None, &before).expect("its own team");
    assert!(!by_team.withdrawn, "the team took them away");
    let between = set(clinician, Labels::NONE, None, &narrowed).expect("its own team");
    assert!(between.withdrawn, "it holds whoever changes in between");
    let implied = set(clinician, GENERAL, Some(crate::consent::world::implied()), &between);
    assert_eq!(implied.expect_err("withdrawn").code(), "NO_CONSENT");
    let explicit = set(clinician, Labels::ALL, Some(crate::consent::world::explicit()), &between).expect("attested");
    assert!(!explicit.withdrawn);
    let over = Consent { discharged: true, ..consent(AMINA, TEAM, Labels::ALL) };
    let emptied = set(Actor::Patient, Labels::NONE, None, &over).expect("a patient may");
    assert!(emptied.withdrawn && emptied.discharged, "nothing is left that an implied consent could open again");
    let twice =
        set(Actor::Patient, Labels::NONE, None, &Consent { withdrawn: true, ..emptied }).expect("nothing is done");
    assert!(twice.withdrawn);
    let given = set(Actor::Patient, GENERAL, None, &over).expect("a patient may");
    assert!(!given.withdrawn && !given.discharged, "the patient gives less than there was, and gives it");
}

fn ends_at() {
    assert_eq!(made(CARER, &WantedConsent::default()).ends_at, None);
    let born = Day::of(NOW).years_later(-15);
    let child = PatientState { born: Some(born), ..PatientState::normal(AMINA) };
    let end = |grantee, wanted: Option<End>, patient: &PatientState| {
        let wanted = WantedConsent { ends_at: wanted, ..WantedConsent::default() };
        changed(Actor::Patient, &wanted, (grantee, None), patient).expect("a patient may").after.ends_at
    };
    let birthday = born.years_later(16).begins();
    assert_eq!(end(CARER, None, &child), Some(birthday));
    assert_eq!(end(TEAM, None, &child), None, "a team's does not end by itself");
    assert_eq!(end(CARER, Some(End::At(Moment(NOW.0 + 5))), &child), Some(Moment(NOW.0 + 5)));
    assert_eq!(end(CARER, Some(End::Never), &child), None);
    let grown = PatientState { born: Some(born.years_later(-1)), ..child };
    assert_eq!(end(CARER, None, &grown), None, "sixteen already");
    let carers = Consent { ends_at: Some(birthday), ..consent(AMINA, CARER, GENERAL) };
    assert_eq!(carers.in_force(Moment(birthday.0 - 1)), GENERAL);
    assert_eq!(carers.in_force(birthday), Labels::NONE, "at that moment it is over");
    let [row] = rows(AMINA, &[carers], &[])[..] else { panic!("one row") };
    assert_eq!((row.held(Moment(birthday.0 - 1)), row.held(birthday)), (Some(GENERAL), None));
}

fn state() {
    assert_eq!(ConsentState::ALL.map(ConsentState::code), ["PENDING", "ACTIVE", "DISCHARGED", "ENDED"]);
    let invited = made(CARER, &WantedConsent { labels: Some(GENERAL), ..WantedConsent::default() });
    assert_eq!((invited.state(NOW), invited.in_force(NOW)), (ConsentState::Pending, Labels::NONE));
    assert!(accept(&invited, Some(rules::ids::UserId(99)), NOW).is_err(), "somebody else accepts");
    let accepted = accept(&invited, Some(CHENS_USER), NOW).expect("the invited accepts");
    assert_eq!((accepted.state(NOW), accepted.in_force(NOW)), (ConsentState::Active, GENERAL));
    assert!(accept(&accepted, Some(CHENS_USER), NOW).is_err(), "once");
    assert_eq!(made(TEAM, &WantedConsent::default()).state(NOW), ConsentState::Active);
    let ended = Consent { ends_at: Some(NOW), ..accepted.clone() };
    assert_eq!(ended.state(NOW), ConsentState::Ended);
    assert_eq!(Consent { discharged: true, ..accepted }.state(NOW), ConsentState::Discharged);
}
