//! None is left out, whatever becomes of the writing, and whoever waits for it hears how it went.

use super::*;

const AMINA: PatientId = PatientId(1);
const BEN: PatientId = PatientId(2);

fn look(accesses: &Accesses, patient: PatientId, at: i64) {
    let reach = Reach::of_patient(patient);
    let viewer = Viewer { client: Some(ClientId(0)), user: None, reach: &reach, now: Moment(at) };
    accesses.note_one(&viewer, patient, "Patient", Right::Own, None);
}

#[test]
fn what_could_not_be_written_is_told_once_with_what_came_since() {
    let accesses = Accesses::default();
    look(&accesses, AMINA, 1);
    look(&accesses, BEN, 2);
    let refused = accesses.take();
    look(&accesses, AMINA, 3);
    assert_eq!(accesses.put_back(&refused), 0);
    let mut lines: Vec<_> = accesses.take().lines().map(|line| (line.about.patient, line.at.0, line.times)).collect();
    lines.sort();
    assert_eq!(lines, [(Some(AMINA), 1, 2), (Some(BEN), 2, 1)]);
}

#[test]
fn what_was_written_is_not_told_again_though_its_room_is_used_again() {
    let accesses = Accesses::default();
    for (patient, at) in [(AMINA, 1), (BEN, 2), (BEN, 3)] {
        look(&accesses, patient, at);
        let counting = accesses.take();
        let lines: Vec<_> = counting.lines().map(|line| (line.about.patient, line.at.0)).collect();
        assert_eq!(lines, [(Some(patient), at)]);
        accesses.empty(counting);
    }
    assert!(accesses.take().is_empty());
}

#[test]
fn a_disk_that_stays_full_does_not_fill_memory() {
    let accesses = Accesses::default();
    for number in 0..MOST_KEPT + 10 {
        look(&accesses, PatientId(i64::try_from(number).unwrap()), 0);
    }
    let counting = accesses.take();
    assert_eq!(accesses.put_back(&counting), 10);
    assert_eq!(accesses.take().lines().count(), MOST_KEPT);
}

#[tokio::test]
async fn whoever_waits_hears_when_their_line_is_written_and_when_it_cannot_be() {
    let accesses = Accesses::default();
    accesses.are_written().await.expect("nothing to write");
    look(&accesses, AMINA, 1);
    let waiting = accesses.are_written();
    let writing = async {
        accesses.wanted.notified().await;
        let counting = accesses.take();
        accesses.have_been_written(&counting);
    };
    tokio::join!(waiting, writing).0.expect("written");
    look(&accesses, BEN, 1);
    let waiting = accesses.are_written();
    let failing = async {
        accesses.wanted.notified().await;
        accesses.put_back(&accesses.take());
    };
    tokio::join!(waiting, failing).0.expect_err("not written");
    assert!(accesses.are_stuck(), "until they are written");
    accesses.have_been_written(&accesses.take());
    assert!(!accesses.are_stuck());
}
