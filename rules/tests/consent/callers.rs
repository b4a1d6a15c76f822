//! The table `callers`: what each kind of caller reads, creates, changes and learns, as far as it is decided without a store.

use crate::consent::world::{AMINA, BY_CLINIC, BY_FEED, DR_OSEI, GENERAL, NOW};
use crate::consent::{read, reads_as_known};
use rules::consent::caller::{CallerKind, Learning};
use rules::consent::denial::Denial;
use rules::consent::view::View;
use rules::labels::Labels;
use rules::moment::Moment;
use rules::source::Source;

const HEADER: [&str; 7] = [
    "caller",
    "viewers",
    "reads",
    "creates, as source",
    "changes, deletes",
    "Patient resource",
    "learns that a patient exists",
];
const VIEWS: [View; 7] =
    [View::All, View::Labels(GENERAL), View::Own, View::None, View::Out, View::In, View::Glass(Moment(NOW.0 + 1))];

pub(crate) fn hold(document: &str) {
    let table = read(document, "callers", &HEADER);
    let rows: [(&str, CallerKind, u32); 9] = [
        ("PATIENT, own record", CallerKind::OwnRecord, 0x798e_dd77),
        ("PATIENT, record cared for", CallerKind::RecordCaredFor, 0x8836_7156),
        ("CLINICIAN in a team", CallerKind::TeamClinician, 0x77b2_1e75),
        ("CLINICIAN without a team", CallerKind::LoneClinician, 0xe447_195f),
        ("TEAMCOORD", CallerKind::TeamCoord, 0x8ed2_4388),
        ("SITE", CallerKind::Site, 0x8ef7_b1b1),
        ("System Client", CallerKind::SystemClient, 0x1609_74c7),
        ("ADMIN", CallerKind::Admin, 0x3777_56c4),
        ("privacy officer", CallerKind::PrivacyOfficer, 0x2a51_75e5),
    ];
    assert_eq!(table.rows().count(), rows.len());
    assert_eq!(rows.map(|(_, caller, _)| caller), CallerKind::ALL);
    for (name, caller, sum) in rows {
        reads_as_known(table.row(name), &HEADER, sum);
        reads_and_learns(caller);
        creates(caller);
        changes(caller);
    }
    table.was_held_in_every_cell();
}

fn reads_and_learns(caller: CallerKind) {
    use CallerKind as C;
    let is_page_only = matches!(caller, C::Admin | C::PrivacyOfficer);
    assert_eq!(caller.reads_items(), !is_page_only, "{caller:?}");
    assert_eq!(caller.may_break_glass(), matches!(caller, C::TeamClinician | C::Site), "{caller:?}");
    let (without, with) = match caller {
        C::OwnRecord | C::RecordCaredFor | C::LoneClinician => (Learning::Nobody, Learning::Nobody),
        C::TeamClinician | C::Site => (Learning::Organisation, Learning::Everywhere),
        C::TeamCoord | C::SystemClient | C::PrivacyOfficer => (Learning::Organisation, Learning::Organisation),
        C::Admin => (Learning::Accounts, Learning::Accounts),
    };
    assert_eq!((caller.learns(false), caller.learns(true)), (without, with), "{caller:?}");
}

#[test]
fn a_session_from_before_with_several_teams_writes_nothing() {
    use rules::consent::caller::writing_team;
    use rules::ids::TeamId;
    assert_eq!(writing_team(&[TeamId(1)]), Ok(TeamId(1)));
    for teams in [&[TeamId(1), TeamId(2)][..], &[]] {
        let denial = writing_team(teams).expect_err("which one is not known");
        assert_eq!((denial.status(), denial.message().as_ref()), (400, "grant access again and choose a team"));
    }
}

/// The views with which each caller creates.
fn creates(caller: CallerKind) {
    use CallerKind as C;
    for view in VIEWS {
        let expected = match (caller, view) {
            (C::TeamCoord | C::Admin | C::PrivacyOfficer, _) => Some("USER_TYPE_NOT_PERM"),
            (_, View::None) => Some("NOT_FOUND"),
            (_, View::Out) => Some("ACCESS_FROZEN_OUTWARD"),
            (_, View::In) => Some("ACCESS_FROZEN_INWARD"),
            (C::OwnRecord | C::SystemClient, _) | (_, View::Labels(_)) => None,
            (C::TeamClinician | C::Site, View::Glass(_)) => None,
            _ => Some("NO_CONSENT"),
        };
        let found = caller.may_create(view, false).err();
        assert_eq!(found.as_ref().map(Denial::code), expected, "{caller:?} {view:?}");
    }
    let disabled = caller.may_create(View::Own, true).err();
    let expected = match caller {
        C::OwnRecord | C::SystemClient => None,
        C::TeamClinician | C::LoneClinician | C::Site => Some("SHARING_DISABLED"),
        C::RecordCaredFor => Some("NO_CONSENT"),
        C::TeamCoord | C::Admin | C::PrivacyOfficer => Some("USER_TYPE_NOT_PERM"),
    };
    assert_eq!(disabled.as_ref().map(Denial::code), expected, "{caller:?}");
}

/// Everybody changes what they made themselves, while they see the record, and nothing else.
fn changes(caller: CallerKind) {
    use CallerKind as C;
    let (acts_as, others): (Source, [Source; 2]) = match caller {
        C::OwnRecord => (Source::Patient(AMINA), [BY_CLINIC, BY_FEED]),
        C::RecordCaredFor | C::LoneClinician => (Source::Person(DR_OSEI), [BY_CLINIC, Source::Patient(AMINA)]),
        C::SystemClient => (BY_FEED, [BY_CLINIC, Source::Patient(AMINA)]),
        _ => (BY_CLINIC, [BY_FEED, Source::Patient(AMINA)]),
    };
    let is_clinical = !matches!(caller, C::TeamCoord | C::Admin | C::PrivacyOfficer);
    for view in [View::Labels(Labels::ALL), View::Own] {
        assert_eq!(caller.may_change(view, &acts_as, &acts_as).is_ok(), is_clinical, "{caller:?}");
        for made_by in others {
            let code = if is_clinical { "NOT_SOURCE" } else { "USER_TYPE_NOT_PERM" };
            assert_eq!(caller.may_change(view, &acts_as, &made_by).expect_err("refused").code(), code, "{caller:?}");
        }
    }
    let gone = caller.may_change(View::None, &acts_as, &acts_as).expect_err("nothing is seen");
    assert_eq!(gone.code(), if is_clinical { "NOT_FOUND" } else { "USER_TYPE_NOT_PERM" });
}
