//! The table `states`: what each kind of viewer gets in each state, and who sets it.

use crate::consent::world::{
    AMINA, CARER, CHENS_USER, DR_OSEI, LARKFIELD, NOW, PROFESSIONAL, SLEEP_CLINIC, TEAM, consent, rows_in,
};
use crate::consent::{read, reads_as_known};
use rules::calendar::Day;
use rules::consent::actor::Actor;
use rules::consent::eyes::Eyes;
use rules::consent::record::{Consent, Grantee};
use rules::consent::state::{AccountState, PatientState};
use rules::consent::state_right::{StateChange, may_set};
use rules::consent::view::{self, Tie, View};
use rules::labels::Labels;
use rules::moment::Moment;

const HEADER: [&str; 8] = ["state", "set by", "self", "carer", "team", "individual", "organisation", "D/I"];
const SUMS: [u32; 9] = [
    0x622a_6e83,
    0xb8da_2a25,
    0x080c_b649,
    0xdec5_c6f4,
    0x5755_617d,
    0x93cd_d63e,
    0x72a3_104c,
    0x6f33_5da9,
    0xe163_b13d,
];
const HELD: Labels = Labels(5);
const NORMAL: PatientState = PatientState::normal(AMINA);
const UNTIL: Moment = Moment(NOW.0 + 1);

/// What is so in a row of the table, beside what is usual.
#[derive(Clone)]
struct Circumstances {
    patient: PatientState,
    account: AccountState,
    /// What becomes of each consent; none where there is none.
    consent: fn(Consent) -> Option<Consent>,
    made: bool,
    glass: Option<Moment>,
}

pub(crate) fn hold(document: &str) {
    let table = read(document, "states", &HEADER);
    for (row, sum) in table.rows().zip(SUMS) {
        // A dash and a word may mean the same.
        reads_as_known(row, &HEADER, sum);
        let state = row.first().means(circumstances);
        let name = row.first().text().to_owned();
        row.cell("set by").means(|text| set_by(&name, text).then_some(()));
        row.cell("self").means(|text| is(text, view::own(&state.patient, state.account), View::All).then_some(()));
        for (column, eyes, grantee) in [
            ("carer", Eyes::Carer(CHENS_USER), Some(CARER)),
            ("team", Eyes::Team(SLEEP_CLINIC), Some(TEAM)),
            ("individual", Eyes::Individual(DR_OSEI), Some(PROFESSIONAL)),
            ("organisation", Eyes::Organisation(LARKFIELD), None),
        ] {
            row.cell(column).means(|text| {
                let usual = of(eyes, grantee, &normal(), Some(AccountState::default()));
                let found = of(eyes, grantee, &state, Some(state.account));
                let site = of(eyes, grantee, &state, None);
                match text.strip_suffix(" (not SITE)") {
                    // A team's grant hangs on nobody's account.
                    Some(text) => (is(text, found, usual) && site == usual).then_some(()),
                    None => is(text, found, usual).then_some(()),
                }
            });
        }
        row.cell("D/I").reads("D");
    }
    assert_eq!(table.rows().count(), SUMS.len());
    table.was_held_in_every_cell();
}

const fn normal() -> Circumstances {
    Circumstances {
        patient: NORMAL,
        account: AccountState { frozen: false, own_record_shuts_out: false },
        consent: Some,
        made: true,
        glass: None,
    }
}

fn circumstances(text: &str) -> Option<Circumstances> {
    let with = |patient: PatientState| Circumstances { patient, ..normal() };
    Some(match text {
        "normal" => normal(),
        "consent with no label" => {
            Circumstances { consent: |consent| Some(Consent { labels: Labels::NONE, ..consent }), ..normal() }
        }
        "consent discharged or ended" => {
            let ended =
                Circumstances { consent: |consent| Some(Consent { ends_at: Some(NOW), ..consent }), ..normal() };
            let over = Circumstances { consent: |consent| Some(Consent { discharged: true, ..consent }), ..normal() };
            for (eyes, grantee) in everybody() {
                let [ended, over] = [&ended, &over].map(|state| of(eyes, grantee, state, None));
                assert_eq!(ended, over, "{eyes:?}");
            }
            over
        }
        "no consent, never any item made" => Circumstances { consent: |_| None, made: false, ..normal() },
        "account frozen (any user)" => {
            let account = AccountState { frozen: true, ..AccountState::default() };
            Circumstances { account, ..normal() }
        }
        "record frozen" => with(PatientState { frozen: true, ..NORMAL }),
        "sharing disabled" => with(PatientState { sharing_disabled: true, ..NORMAL }),
        "deceased" => with(PatientState { deceased: true, ..NORMAL }),
        "broken glass, this patient" => Circumstances { glass: Some(UNTIL), ..normal() },
        _ => return None,
    })
}

fn everybody() -> [(Eyes, Option<Grantee>); 4] {
    [
        (Eyes::Carer(CHENS_USER), Some(CARER)),
        (Eyes::Team(SLEEP_CLINIC), Some(TEAM)),
        (Eyes::Individual(DR_OSEI), Some(PROFESSIONAL)),
        (Eyes::Organisation(LARKFIELD), None),
    ]
}

/// What a viewer gets; and the rows of sight that follow say the same.
fn of(eyes: Eyes, grantee: Option<Grantee>, state: &Circumstances, account: Option<AccountState>) -> View {
    // An organisation's association comes from the consent of its team.
    let given = (state.consent)(consent(AMINA, grantee.unwrap_or(TEAM), HELD));
    let tie = Tie { consent: given.as_ref(), made: state.made, glass: state.glass };
    let found = view::of(eyes, &state.patient, &tie, account, NOW);
    let makers: &[Eyes] = if state.made { &[eyes] } else { &[] };
    let rows = rows_in(&state.patient, given.as_slice(), makers);
    let held = rows.iter().find(|row| row.sight.viewer == eyes.id()).and_then(|row| row.held(NOW));
    let expected = match found {
        View::Labels(labels) => Some(labels),
        View::Own => Some(Labels::NONE),
        View::None | View::In => None,
        // Whoever is out is refused before sight is asked; a glass changes no sight.
        View::Out | View::Glass(_) | View::All => return found,
    };
    assert_eq!(held, expected, "{eyes:?} {state:?}", state = state.patient);
    found
}

fn is(text: &str, found: View, usual: View) -> bool {
    match text {
        "all" => found == View::All,
        "labels" => found == View::Labels(HELD),
        "own" => found == View::Own,
        "none" => found == View::None,
        "out" => found == View::Out,
        "in" => found == View::In,
        "glass" => found == View::Glass(UNTIL),
        "–" => found == usual,
        _ => false,
    }
}

/// Whether exactly those may set a state whom the cell names.
fn set_by(state: &str, text: &str) -> bool {
    let clinician = |held| Actor::Clinician { team: SLEEP_CLINIC, attesting: None, held };
    let officer = Actor::PrivacyOfficer(LARKFIELD);
    let aged = |years: i64| PatientState { born: Some(Day::of(NOW).years_later(-years)), ..NORMAL };
    let may = |actor: Actor, change: StateChange, years: i64| may_set(actor, change, &aged(years), NOW).is_ok();
    let nobody_else = |change| {
        let others = [Actor::Patient, Actor::Other, Actor::SystemClient(LARKFIELD)];
        others.iter().all(|actor| !may(*actor, change, 17)) && may(Actor::Operator, change, 17)
    };
    match (state, text) {
        ("normal" | "no consent, never any item made", "–") => true,
        // Told by the tables `consent-rights` and `glass`.
        ("consent with no label", "patient, grantee") | ("consent discharged or ended", "section 4") => true,
        ("broken glass, this patient", "section 9") => true,
        ("account frozen (any user)", "operator") => {
            let change = StateChange::FreezeAccount;
            nobody_else(change) && !may(officer, change, 17) && !may(clinician(HELD), change, 17)
        }
        ("record frozen", "CLINICIAN of a team with a label (patient under 18), privacy officer") => {
            let change = StateChange::FreezeRecord;
            nobody_else(change)
                && may(officer, change, 40)
                && may(clinician(HELD), change, 17)
                && !may(clinician(HELD), change, 18)
                && !may(clinician(Labels::NONE), change, 17)
                && may_set(clinician(HELD), change, &NORMAL, NOW).is_err()
        }
        ("sharing disabled", "privacy officer (patient 16 or older)") => {
            let change = StateChange::DisableSharing;
            nobody_else(change)
                && may(officer, change, 16)
                && !may(officer, change, 15)
                && !may(clinician(HELD), change, 16)
        }
        ("deceased", "source of Patient, CLINICIAN") => {
            let change = |is_source| StateChange::Decease { is_source };
            nobody_else(change(false))
                && may(Actor::SystemClient(LARKFIELD), change(true), 80)
                && may(clinician(HELD), change(false), 80)
                && !may(officer, change(false), 80)
        }
        _ => false,
    }
}

#[test]
fn a_patient_whose_record_is_frozen_is_out_as_carer_too() {
    let own = PatientState { frozen: true, ..PatientState::normal(rules::ids::PatientId(3)) };
    let account = AccountState { own_record_shuts_out: own.shuts_out(), ..AccountState::default() };
    assert_eq!(of(Eyes::Carer(CHENS_USER), Some(CARER), &normal(), Some(account)), View::Out);
}

#[test]
fn a_professional_without_a_team_and_without_a_label_gets_the_patient_only_where_own_items_are() {
    let unlabelled = Circumstances { consent: |consent| Some(Consent { labels: Labels::NONE, ..consent }), ..normal() };
    let eyes = Eyes::Individual(DR_OSEI);
    assert_eq!(of(eyes, Some(PROFESSIONAL), &unlabelled, None), View::Own);
    let nothing_made = Circumstances { made: false, ..unlabelled };
    assert_eq!(of(eyes, Some(PROFESSIONAL), &nothing_made, None), View::None);
}

#[test]
fn a_carer_who_was_invited_and_has_not_accepted_gets_nothing() {
    let invited = Circumstances { consent: |consent| Some(Consent { accepted: false, ..consent }), ..normal() };
    assert_eq!(of(Eyes::Carer(CHENS_USER), Some(CARER), &invited, None), View::None);
}

#[test]
fn a_glass_opens_nothing_at_its_end_nor_where_sharing_is_disabled() {
    let eyes = Eyes::Team(SLEEP_CLINIC);
    let glass = |until, sharing_disabled| {
        let patient = PatientState { sharing_disabled, ..NORMAL };
        of(eyes, Some(TEAM), &Circumstances { patient, glass: Some(until), ..normal() }, None)
    };
    assert_eq!(glass(UNTIL, false), View::Glass(UNTIL));
    assert_eq!(glass(NOW, false), View::Labels(HELD));
    assert_eq!(glass(UNTIL, true), View::Own);
}
