//! The table `examples`: the worked examples, as far as they are decided without a store.

use crate::consent::fields::changed;
use crate::consent::world::{
    AMINA, BRYN, BY_CLINIC, BY_FEED, CARER, CHEN, CHENS_USER, DR_GREY, DR_LUND, GENERAL, LARKFIELD, NOW, PRACTICE_TEAM,
    SESSION, SLEEP_CLINIC, TEAM, consent, implied, rows, rows_in,
};
use crate::consent::{effects, read, reads_as_known};
use rules::consent::actor::Actor;
use rules::consent::caller::CallerKind;
use rules::consent::change::WantedConsent;
use rules::consent::decision::sees;
use rules::consent::delay::Delay;
use rules::consent::denial::Denial;
use rules::consent::eyes::Eyes;
use rules::consent::glass::{GlassBreaker, GlassFacts, GlassUse, break_glass};
use rules::consent::identity::{self, Demographics, Identity};
use rules::consent::item::{Author, ItemFacts, Part};
use rules::consent::label_right::{Labeller, StoredLabel, on_update};
use rules::consent::record::{Consent, Grantee, Locker};
use rules::consent::record_view;
use rules::consent::standing::Standing;
use rules::consent::state::{AccountState, PatientState};
use rules::consent::view::{self, Tie, View};
use rules::consent::viewer::{OpenGlass, Viewer};
use rules::ids::PatientId;
use rules::labels::{Label, Labelling, Labels, Needs};
use rules::moment::Moment;
use rules::right::Right;
use rules::source::Source;

const HEADER: [&str; 5] = ["#", "who", "asks", "answer", "why"];
const GREY: Viewer<'static> = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_GREY), glass: None };
const CHEN_FOR_BRYN: Viewer<'static> = Viewer::Carer { user: CHENS_USER, patient: BRYN };
const NORMAL: PatientState = PatientState::normal(BRYN);

pub(crate) fn hold(document: &str) {
    let table = read(document, "examples", &HEADER);
    let examples: [(u32, fn()); 27] = [
        (0x5dd6_11b4, general_only),
        (0x35f2_cc5e, general_only),
        (0x985c_d757, general_only),
        (0xa96a_1d03, all_four),
        (0xa8f8_dee1, source_before_consent),
        (0x024b_2436, a_team_is_not_its_organisation),
        (0x7ccf_207b, an_organisation_sees_its_teams_items),
        (0x2a71_1034, through_a_team),
        (0xcb06_8092, team_data_only),
        (0x072a_4f23, no_label_no_create),
        (0x1d91_7ced, implied_does_not_reopen),
        (0x39a8_19be, a_broken_glass),
        (0x4e37_64f3, a_glass_that_is_over),
        (0xb058_0267, no_glass_where_sharing_is_disabled),
        (0xf9f7_91ee, one_session_one_record),
        (0x7290_bdf0, a_frozen_record),
        (0x71d3_b27a, a_deceased_patient),
        (0xebe5_2f00, the_patients_label_stays),
        (0xa16f_1429, effects::the_past_closes_with_the_present),
        (0x8a44_ee14, a_hidden_letter),
        (0x7984_bf9f, a_released_letter),
        (0xcf35_6b24, a_draft),
        (0x294d_983d, only_a_professional_ends_a_teams_care),
        (0x63e0_8b86, a_locked_consent),
        (0x9b89_1209, one_person_one_record),
        (0xd7d3_a5ab, only_self_counts_as_read),
        // Held in `fhir/tests`, where a Consent can be read.
        (0xc75f_4ad5, || {}),
    ];
    assert_eq!(table.rows().count(), examples.len());
    for (row, (at, (sum, holds))) in table.rows().zip(examples.into_iter().enumerate()) {
        assert_eq!(row.first().text(), (at + 1).to_string());
        reads_as_known(row, &HEADER, sum);
        holds();
    }
    table.was_held_in_every_cell();
}

fn condition(needs: i64, source: Source) -> ItemFacts<'static> {
    ItemFacts::new(&[AMINA], Needs(needs), source)
}

fn clinic(labels: Labels) -> Vec<Standing> {
    rows(AMINA, &[consent(AMINA, TEAM, labels)], &[])
}

fn grey(item: &ItemFacts<'_>, labels: Labels) -> Option<Right> {
    sees(&GREY, item, &clinic(labels), NOW).right()
}

fn clinic_view(labels: Labels) -> View {
    let given = consent(AMINA, TEAM, labels);
    let tie = Tie { consent: Some(&given), made: true, glass: None };
    view::of(Eyes::Team(SLEEP_CLINIC), &PatientState::normal(AMINA), &tie, Some(AccountState::default()), NOW)
}

fn general_only() {
    let found = [1, 2, 15].map(|needs| grey(&condition(needs, BY_FEED), GENERAL));
    assert_eq!(found, [Some(Right::Consent), None, None]);
    let header = record_view::value(&[clinic_view(GENERAL)]);
    assert_eq!(header.as_deref(), Some("consent; labels=\"GENERAL_HEALTH\""));
}

fn all_four() {
    let found = [1, 2, 15].map(|needs| grey(&condition(needs, BY_FEED), Labels::ALL));
    assert_eq!(found, [Some(Right::Consent); 3]);
}

fn source_before_consent() {
    assert_eq!(grey(&condition(2, BY_CLINIC), GENERAL), Some(Right::Source));
    assert_eq!(grey(&condition(2, BY_CLINIC), Labels::ALL), Some(Right::Source));
}

fn a_team_is_not_its_organisation() {
    assert_eq!(grey(&condition(2, BY_FEED), GENERAL), None);
}

fn an_organisation_sees_its_teams_items() {
    let client = Viewer::Organisation { organisation: LARKFIELD, through: &[] };
    assert_eq!(sees(&client, &condition(2, BY_CLINIC), &clinic(GENERAL), NOW).right(), Some(Right::Source));
}

fn through_a_team() {
    let client = |through| Viewer::Organisation { organisation: LARKFIELD, through };
    let of_amina = condition(1, Source::Patient(AMINA));
    assert_eq!(sees(&client(&[]), &of_amina, &clinic(GENERAL), NOW).right(), None);
    assert_eq!(sees(&client(&[SLEEP_CLINIC]), &of_amina, &clinic(GENERAL), NOW).right(), Some(Right::Consent));
}

fn team_data_only() {
    assert_eq!(grey(&condition(0, BY_FEED), Labels::NONE), Some(Right::Consent), "the Patient");
    assert_eq!(grey(&condition(15, BY_CLINIC), Labels::NONE), Some(Right::Source));
    assert_eq!(grey(&condition(1, BY_FEED), Labels::NONE), None);
    assert_eq!(record_view::value(&[clinic_view(Labels::NONE)]).as_deref(), Some("own"));
}

fn no_label_no_create() {
    let denied = CallerKind::TeamClinician.may_create(clinic_view(Labels::NONE), false);
    assert_eq!(denied.expect_err("no label, no glass").code(), "NO_CONSENT");
}

fn narrowed_to(labels: Labels) -> Consent {
    let before = consent(AMINA, TEAM, GENERAL);
    let wanted = WantedConsent { labels: Some(labels), ..WantedConsent::default() };
    changed(Actor::Patient, &wanted, (TEAM, Some(&before)), &PatientState::normal(AMINA)).expect("a patient may").after
}

fn implied_does_not_reopen() {
    let pell = Actor::Coordinator { team: SLEEP_CLINIC, held: Labels::NONE };
    let wanted = WantedConsent { labels: Some(GENERAL), basis: Some(implied()), ..WantedConsent::default() };
    let withdrawn = narrowed_to(Labels::NONE);
    let denied = changed(pell, &wanted, (TEAM, Some(&withdrawn)), &PatientState::normal(AMINA));
    assert_eq!(denied.expect_err("withdrawn by the patient").code(), "NO_CONSENT");
}

fn lund(patient: &PatientState) -> Result<OpenGlass, Denial> {
    let who = GlassBreaker::Clinician { user: DR_LUND, team: PRACTICE_TEAM };
    let facts = GlassFacts {
        session: SESSION,
        session_ends_at: None,
        is_enabled: true,
        patient: Some(patient),
        reason: None,
        needs_reason: false,
    };
    opened(break_glass(who, &facts, NOW)?, BRYN, NOW)
}

fn opened(glass: rules::consent::glass::Glass, patient: PatientId, now: Moment) -> Result<OpenGlass, Denial> {
    let call = GlassUse { session: SESSION, team: PRACTICE_TEAM, user: Some(DR_LUND), patient: Some(patient) };
    glass.opened(&call, &NORMAL, now)
}

fn a_broken_glass() {
    let glass = lund(&NORMAL).expect("the team may");
    assert_eq!(glass.until, Moment(NOW.0 + 30 * 60_000));
    let viewer = Viewer::Teams { teams: &[PRACTICE_TEAM], user: Some(DR_LUND), glass: Some(glass) };
    let rows = rows(BRYN, &[consent(BRYN, Grantee::Team(PRACTICE_TEAM), GENERAL)], &[]);
    let of_bryn = |needs| ItemFacts::new(&[BRYN], Needs(needs), BY_FEED);
    let right = |item: &ItemFacts<'_>| sees(&viewer, item, &rows, NOW).right();
    assert_eq!(
        [1, 2, 15].map(|needs| right(&of_bryn(needs))),
        [Some(Right::Consent), Some(Right::Glass), Some(Right::Glass)]
    );
    assert_eq!(right(&ItemFacts { draft: Some(Author::Source), ..of_bryn(1) }), None);
}

fn a_glass_that_is_over() {
    let glass = rules::consent::glass::Glass {
        session: SESSION,
        team: PRACTICE_TEAM,
        user: DR_LUND,
        patient: BRYN,
        broken_at: NOW,
        session_ends_at: None,
        mended_at: None,
    };
    assert_eq!(opened(glass, BRYN, Moment(NOW.0 + 30 * 60_000)), Err(Denial::GlassInvalid));
    assert_eq!(opened(glass, CHEN, NOW), Err(Denial::GlassInvalid));
}

fn no_glass_where_sharing_is_disabled() {
    let disabled = PatientState { sharing_disabled: true, ..NORMAL };
    assert_eq!(lund(&disabled), Err(Denial::SharingDisabled));
    assert_eq!(view::own(&disabled, AccountState::default()), View::All);
}

fn chens_view(patient: &PatientState) -> View {
    let given = consent(BRYN, CARER, GENERAL);
    let tie = Tie { consent: Some(&given), made: false, glass: None };
    view::of(Eyes::Carer(CHENS_USER), patient, &tie, Some(AccountState::default()), NOW)
}

fn one_session_one_record() {
    let rows = rows(BRYN, &[consent(BRYN, CARER, GENERAL)], &[]);
    let right = |patients: &[PatientId], needs| {
        sees(&CHEN_FOR_BRYN, &ItemFacts::new(patients, Needs(needs), BY_FEED), &rows, NOW).right()
    };
    assert_eq!(right(&[BRYN], 0), Some(Right::Consent), "Bryn's Patient");
    assert_eq!(right(&[BRYN], 2), None);
    assert_eq!(right(&[CHEN], 0), None, "not the own record");
    assert_eq!(chens_view(&NORMAL), View::Labels(GENERAL));
}

fn a_frozen_record() {
    let frozen = PatientState { frozen: true, ..NORMAL };
    assert_eq!(chens_view(&frozen).denial(), Some(Denial::FrozenInward));
    assert_eq!(view::own(&frozen, AccountState::default()).denial(), Some(Denial::FrozenOutward));
    let team = Grantee::Team(PRACTICE_TEAM);
    let rows = rows_in(&frozen, &[consent(BRYN, team, GENERAL), consent(BRYN, CARER, GENERAL)], &[]);
    let lund = Viewer::Teams { teams: &[PRACTICE_TEAM], user: Some(DR_LUND), glass: None };
    let item = ItemFacts::new(&[BRYN], Needs(1), BY_FEED);
    assert_eq!(sees(&lund, &item, &rows, NOW).right(), Some(Right::Consent), "team professionals are exempt");
    assert_eq!(sees(&CHEN_FOR_BRYN, &item, &rows, NOW).right(), None);
}

fn a_deceased_patient() {
    let deceased = PatientState { deceased: true, ..NORMAL };
    assert_eq!(view::own(&deceased, AccountState::default()), View::Out);
    assert_eq!(chens_view(&deceased), View::Labels(GENERAL));
    assert_eq!(CallerKind::SystemClient.may_create(View::Own, false), Ok(()));
    let carers = [consent(BRYN, CARER, GENERAL)];
    assert_eq!(rules::consent::carers::told(&deceased, &carers, NOW), [], "no notice");
    assert_eq!(rules::consent::carers::told(&NORMAL, &carers, NOW), [CHENS_USER]);
}

fn the_patients_label_stays() {
    let general = StoredLabel { label: Some(Label::GeneralHealth), is_patients_choice: false };
    let relabelled =
        on_update(Labeller::Patient, general, Labelling::Label(Label::MentalHealth)).expect("a patient may");
    let feed = Labeller::Organisation(Some(Label::GeneralHealth));
    let put = on_update(feed, relabelled, Labelling::Label(Label::GeneralHealth)).expect("the PUT is 200");
    assert_eq!(put.label, Some(Label::MentalHealth));
    assert_eq!(grey(&condition(Needs::of(put.label).0, BY_FEED), GENERAL), None);
}

fn letter(days: Option<i64>) -> ItemFacts<'static> {
    let delay = days.map(|days| Delay::of("DocumentReference", Moment(NOW.0 + days * 86_400_000)));
    ItemFacts { delay, part: Part::Content, ..condition(1, BY_FEED) }
}

fn a_hidden_letter() {
    let amina = |item: &ItemFacts<'_>| sees(&Viewer::Patient(AMINA), item, &[], NOW).right();
    assert_eq!(amina(&ItemFacts { part: Part::Resource, ..letter(Some(14)) }), Some(Right::Own));
    assert_eq!(amina(&letter(Some(14))), None);
    assert_eq!(grey(&letter(Some(14)), GENERAL), Some(Right::Consent));
    assert!(!Right::Consent.marks_read(), "the receipt stays unread");
}

fn a_released_letter() {
    let fortnight = Delay::of("DocumentReference", Moment(NOW.0 + 14 * 86_400_000));
    assert!(fortnight.is_due(Moment(NOW.0 + 14 * 86_400_000)));
    let opened = sees(&Viewer::Patient(AMINA), &letter(None), &[], NOW).right();
    assert_eq!(opened.map(Right::marks_read), Some(true));
}

fn a_draft() {
    let draft = ItemFacts { draft: Some(Author::Person(DR_GREY)), ..condition(1, BY_CLINIC) };
    let glass = OpenGlass { patient: AMINA, team: SLEEP_CLINIC, until: Moment(NOW.0 + 1) };
    let colleague = Viewer::Teams { teams: &[SLEEP_CLINIC], user: Some(DR_LUND), glass: Some(glass) };
    for other in [colleague, Viewer::Patient(AMINA)] {
        assert_eq!(sees(&other, &draft, &clinic(Labels::ALL), NOW).right(), None, "{other:?}");
    }
    assert_eq!(grey(&draft, GENERAL), Some(Right::Participant));
}

fn only_a_professional_ends_a_teams_care() {
    let before = consent(AMINA, TEAM, GENERAL);
    let wanted = WantedConsent { discharged: Some(true), ..WantedConsent::default() };
    let denied = changed(Actor::Patient, &wanted, (TEAM, Some(&before)), &PatientState::normal(AMINA));
    let denied = denied.expect_err("never a team");
    assert_eq!((denied.status(), denied.code()), (403, "USER_TYPE_NOT_PERM"));
    assert_eq!(narrowed_to(Labels::NONE).labels, Labels::NONE);
}

fn a_locked_consent() {
    let locked = Consent { locked: Some(Locker::Team(SLEEP_CLINIC)), ..consent(AMINA, TEAM, GENERAL) };
    let wanted = WantedConsent { labels: Some(Labels::NONE), ..WantedConsent::default() };
    let denied = changed(Actor::Patient, &wanted, (TEAM, Some(&locked)), &PatientState::normal(AMINA));
    assert_eq!(denied, Err(Denial::ConsentLocked));
}

fn one_person_one_record() {
    let same = Demographics { same_birth_date: true, same_family_name: true };
    assert_eq!(identity::of(Some(same)), Ok(Identity::Known));
    assert_eq!(identity::of(None), Ok(Identity::New));
    for other in [Demographics { same_birth_date: false, ..same }, Demographics { same_family_name: false, ..same }] {
        assert_eq!(identity::of(Some(other)), Err(Denial::IdentityConflict));
    }
}

fn only_self_counts_as_read() {
    let rows = rows(BRYN, &[consent(BRYN, CARER, GENERAL)], &[]);
    let item = ItemFacts { part: Part::Content, ..ItemFacts::new(&[BRYN], Needs(1), BY_FEED) };
    let opened = sees(&CHEN_FOR_BRYN, &item, &rows, NOW).right();
    assert_eq!((opened, opened.map(Right::marks_read)), (Some(Right::Consent), Some(false)));
}
