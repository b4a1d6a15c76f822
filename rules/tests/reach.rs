//! Reach: by which right a caller sees an item, the first that fits, and nothing else.

use rules::consent::standing::Standing;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::labels::{Labels, Needs};
use rules::moment::Moment;
use rules::reach::{Item, Reach, Right, Source, right, viewer};
use rules::sight::Sight;

const NOW: Moment = Moment(1_800_000_000_000);
const AMINA: PatientId = PatientId(1);
const BRYN: PatientId = PatientId(2);
const LARKFIELD: OrganisationId = OrganisationId(10);
const MARSH_LANE: OrganisationId = OrganisationId(20);
const SLEEP_CLINIC: TeamId = TeamId(11);
const DIABETES_TEAM: TeamId = TeamId(12);
const BY_CLINIC: Source = Source::Team(SLEEP_CLINIC, LARKFIELD);
const BY_LARKFIELD: Source = Source::Organisation(LARKFIELD);

fn item(patients: &[PatientId], needs: i64, source: Source) -> Item {
    let (patients, needs) = (patients.to_vec(), Needs(needs));
    Item {
        patients,
        needs,
        source,
        is_directory: false,
        draft: None,
        participants: vec![],
        of: "Observation",
        codes: vec![],
    }
}

fn team(team: TeamId) -> Reach {
    Reach::of_teams(vec![team])
}

fn organisation(organisation: OrganisationId) -> Reach {
    Reach::of_organisation(organisation)
}

fn sight(viewer: impl Into<ViewerId>, patient: PatientId, labels: i64) -> Standing {
    let sight = Sight { viewer: viewer.into(), patient, labels: Labels(labels), ends_at: None };
    Standing { sight, stays: true }
}

fn seen(reach: &Reach, item: &Item, sight: &[Standing]) -> Option<Right> {
    right(reach, item, sight, NOW)
}

#[test]
fn patients_see_all_of_their_own_record_and_nothing_of_another() {
    for needs in [0, 1, 15, 31] {
        let mine = item(&[AMINA], needs, BY_LARKFIELD);
        assert_eq!(seen(&Reach::of_patient(AMINA), &mine, &[]), Some(Right::Own), "{needs}");
        assert_eq!(seen(&Reach::of_patient(BRYN), &mine, &[sight(SLEEP_CLINIC, AMINA, 15)]), None, "{needs}");
    }
}

#[test]
fn an_item_of_two_records_is_each_patients_own() {
    let both = item(&[AMINA, BRYN], 15, BY_LARKFIELD);
    assert_eq!(seen(&Reach::of_patient(AMINA), &both, &[]), Some(Right::Own));
    assert_eq!(seen(&Reach::of_patient(BRYN), &both, &[]), Some(Right::Own));
    assert_eq!(seen(&Reach::of_patient(PatientId(3)), &both, &[]), None);
}

#[test]
fn what_patients_made_outside_every_record_is_theirs_as_its_source() {
    let note = item(&[], 15, Source::Patient(AMINA));
    assert_eq!(seen(&Reach::of_patient(AMINA), &note, &[]), Some(Right::Source));
    assert_eq!(seen(&Reach::of_patient(BRYN), &note, &[]), None);
}

#[test]
fn an_organisation_sees_what_its_teams_made_and_a_team_not_what_its_organisation_or_a_sister_made() {
    let of_clinic = item(&[AMINA], 2, BY_CLINIC);
    let of_feed = item(&[AMINA], 2, BY_LARKFIELD);
    for (reach, of_clinic_by, of_feed_by) in [
        (team(SLEEP_CLINIC), Some(Right::Source), None),
        (team(DIABETES_TEAM), None, None),
        (organisation(LARKFIELD), Some(Right::Source), Some(Right::Source)),
        (organisation(MARSH_LANE), None, None),
    ] {
        assert_eq!(seen(&reach, &of_clinic, &[]), of_clinic_by, "{reach:?}");
        assert_eq!(seen(&reach, &of_feed, &[]), of_feed_by, "{reach:?}");
    }
}

#[test]
fn a_person_who_made_it_is_a_viewer_by_number() {
    let by_person = item(&[AMINA], 15, Source::Person(UserId(77)));
    assert_eq!(seen(&team(TeamId(77)), &by_person, &[]), Some(Right::Source));
    assert_eq!(seen(&team(TeamId(78)), &by_person, &[]), None);
}

#[test]
fn consent_opens_exactly_the_items_whose_needs_are_within_the_labels() {
    for held in 0..16 {
        for needs in 0..16 {
            let expected = (held & needs == needs).then_some(Right::Consent);
            let letter = item(&[AMINA], needs, Source::Organisation(MARSH_LANE));
            let sight = [sight(SLEEP_CLINIC, AMINA, held)];
            assert_eq!(seen(&team(SLEEP_CLINIC), &letter, &sight), expected, "{held} {needs}");
        }
    }
}

#[test]
fn an_association_opens_the_patient_resource_and_nothing_else() {
    let association = [sight(SLEEP_CLINIC, AMINA, 0)];
    let (patient, letter) = (item(&[AMINA], 0, BY_LARKFIELD), item(&[AMINA], 1, BY_LARKFIELD));
    assert_eq!(seen(&team(SLEEP_CLINIC), &patient, &association), Some(Right::Consent));
    assert_eq!(seen(&team(SLEEP_CLINIC), &letter, &association), None);
}

#[test]
fn labels_of_another_patient_or_of_another_viewer_open_nothing() {
    let letter = item(&[AMINA], 1, Source::Organisation(MARSH_LANE));
    let rows = [sight(SLEEP_CLINIC, BRYN, 15), sight(DIABETES_TEAM, AMINA, 15)];
    assert_eq!(seen(&team(SLEEP_CLINIC), &letter, &rows), None);
}

#[test]
fn labels_of_several_viewers_do_not_add_up_but_one_of_them_is_enough() {
    let unlabelled = item(&[AMINA], 3, Source::Organisation(MARSH_LANE));
    let both = Reach::of_teams(vec![SLEEP_CLINIC, DIABETES_TEAM]);
    let halves = [sight(SLEEP_CLINIC, AMINA, 1), sight(DIABETES_TEAM, AMINA, 2)];
    assert_eq!(seen(&both, &unlabelled, &halves), None);
    let whole = [sight(SLEEP_CLINIC, AMINA, 1), sight(DIABETES_TEAM, AMINA, 3)];
    assert_eq!(seen(&both, &unlabelled, &whole), Some(Right::Consent));
}

#[test]
fn an_item_of_two_records_opens_by_the_consent_of_either_patient() {
    let both = item(&[AMINA, BRYN], 1, Source::Organisation(MARSH_LANE));
    for patient in [AMINA, BRYN] {
        assert_eq!(seen(&team(SLEEP_CLINIC), &both, &[sight(SLEEP_CLINIC, patient, 1)]), Some(Right::Consent));
    }
}

#[test]
fn a_consent_is_over_at_the_very_millisecond_of_its_end() {
    let letter = item(&[AMINA], 1, Source::Organisation(MARSH_LANE));
    for (ends_in, expected) in [(-1, None), (0, None), (1, Some(Right::Consent))] {
        let mut row = sight(SLEEP_CLINIC, AMINA, 15);
        row.sight.ends_at = Some(Moment(NOW.0 + ends_in));
        assert_eq!(seen(&team(SLEEP_CLINIC), &letter, &[row]), expected, "{ends_in}");
    }
}

#[test]
fn the_first_right_that_fits_is_the_one_that_is_told() {
    let opened = [sight(SLEEP_CLINIC, AMINA, 15)];
    let of_clinic = item(&[AMINA], 1, BY_CLINIC);
    assert_eq!(seen(&team(SLEEP_CLINIC), &of_clinic, &opened), Some(Right::Source), "source before consent");
    let mine = item(&[AMINA], 1, Source::Patient(AMINA));
    assert_eq!(seen(&Reach::of_patient(AMINA), &mine, &[]), Some(Right::Own), "self before source");
    let entry = Item { is_directory: true, ..item(&[], 15, BY_CLINIC) };
    assert_eq!(seen(&team(SLEEP_CLINIC), &entry, &[]), Some(Right::Source), "source before directory");
    assert!(Right::ALL.is_sorted_by_key(|right| right.number()), "the order of rights is that of their numbers");
}

#[test]
fn what_is_for_the_patient_alone_shows_neither_to_its_source_nor_by_any_consent() {
    // What waits to be read anew (-1) shows to nobody: it may be a draft, or held back.
    for (needs, own) in [(Needs::SELF_ONLY.0, Some(Right::Own)), (-1, None)] {
        let event = item(&[AMINA], needs, BY_CLINIC);
        let opened = [sight(SLEEP_CLINIC, AMINA, 15), sight(LARKFIELD, AMINA, 15)];
        for reach in [team(SLEEP_CLINIC), organisation(LARKFIELD)] {
            assert_eq!(seen(&reach, &event, &opened), None, "{reach:?} {needs}");
        }
        assert_eq!(seen(&Reach::of_patient(AMINA), &event, &[]), own, "{needs}");
    }
}

#[test]
fn a_directory_is_there_for_every_caller_unless_it_is_in_a_record() {
    let entry = Item { is_directory: true, ..item(&[], 15, BY_LARKFIELD) };
    let nobody = Reach::of_teams(vec![]);
    for reach in [Reach::of_patient(BRYN), team(DIABETES_TEAM), organisation(MARSH_LANE), nobody] {
        assert_eq!(seen(&reach, &entry, &[]), Some(Right::Directory), "{reach:?}");
        let in_a_record = Item { patients: vec![AMINA], ..entry.clone() };
        assert_eq!(seen(&reach, &in_a_record, &[]), None, "{reach:?}");
        let no_directory = Item { is_directory: false, ..entry.clone() };
        assert_eq!(seen(&reach, &no_directory, &[]), None, "{reach:?}");
    }
}

#[test]
fn a_team_stays_the_same_source_wherever_it_moves_and_no_two_others_are_the_same() {
    let moved = Source::Team(SLEEP_CLINIC, MARSH_LANE);
    assert!(BY_CLINIC.is(&moved) && moved.is(&BY_CLINIC));
    let all = [BY_CLINIC, BY_LARKFIELD, Source::Patient(AMINA), Source::Person(UserId(1)), Source::Patient(BRYN)];
    for (at, one) in all.iter().enumerate() {
        for (other_at, other) in all.iter().enumerate() {
            assert_eq!(one.is(other), at == other_at, "{one:?} {other:?}");
        }
    }
}

#[test]
fn every_right_has_a_word_and_a_number_of_its_own() {
    assert_eq!(Right::ALL.map(Right::word), ["self", "source", "participant", "consent", "glass", "directory"]);
    for right in Right::ALL {
        assert_eq!(Right::numbered(right.number()), Some(right));
        assert_eq!(Right::named(right.word()), Some(right));
    }
    assert_eq!([0, 7, -1].map(Right::numbered), [None; 3]);
}

#[test]
fn an_item_is_seen_through_the_eyes_of_who_made_it_or_else_of_whom_the_sight_names() {
    let both = Reach::of_teams(vec![SLEEP_CLINIC, DIABETES_TEAM]);
    let of_clinic = item(&[AMINA], 1, BY_CLINIC);
    let of_feed = item(&[AMINA], 1, BY_LARKFIELD);
    let through = |reach: &Reach, item: &Item, sight: &[Standing]| viewer(reach, item, sight, NOW);
    let diabetes = [sight(DIABETES_TEAM, AMINA, 15), sight(SLEEP_CLINIC, AMINA, 0)];
    assert_eq!(through(&both, &of_clinic, &diabetes), Some(SLEEP_CLINIC.into()), "its source comes first");
    assert_eq!(through(&both, &of_feed, &diabetes), Some(DIABETES_TEAM.into()), "the other holds too few labels");
    let each = [sight(DIABETES_TEAM, AMINA, 15), sight(SLEEP_CLINIC, AMINA, 15)];
    assert_eq!(through(&both, &of_feed, &each), Some(SLEEP_CLINIC.into()), "the first by number");
    assert_eq!(through(&both, &of_feed, &[]), None, "out of reach");
    assert_eq!(through(&Reach::of_patient(AMINA), &of_feed, &each), None, "patients look through nobody's");
    assert_eq!(through(&organisation(LARKFIELD), &of_clinic, &[]), Some(LARKFIELD.into()));
}
