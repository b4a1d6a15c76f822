//! What is written down is read back as it was, and what was never written down is an error and no panic.

use super::*;
use proptest::prelude::*;
use rules::ids::{ClientId, OrganisationId, PatientId, SessionId, TeamId, UserId};

fn lines() -> impl Strategy<Value = Line> {
    let events: Vec<Event> = Event::all().collect();
    let numbers = proptest::array::uniform7(proptest::option::of(any::<i64>()));
    let right = proptest::option::of(proptest::sample::select(Right::ALL.to_vec()));
    let texts = (proptest::option::of(".{0,40}"), proptest::option::of("[a-z]{1,8}"));
    (any::<i64>(), proptest::sample::select(events), numbers, right, texts).prop_map(
        |(at, event, [session, client, user, team, organisation, patient, times], right, (detail, operator))| Line {
            at: Moment(at),
            event,
            session: session.map(SessionId),
            about: About {
                client: client.map(ClientId),
                user: user.map(UserId),
                team: team.map(TeamId),
                organisation: organisation.map(OrganisationId),
                patient: patient.map(PatientId),
            },
            times: times.unwrap_or(1),
            right,
            detail: detail.map(Into::into),
            operator,
        },
    )
}

proptest! {
    #[test]
    fn lines_are_read_back_as_they_were_written(lines in proptest::collection::vec(lines(), 0..20)) {
        let mut written = Vec::new();
        lines.iter().for_each(|line| write(line, &mut written));
        let back: Vec<Line> = each(&written).map(|line| read(line.unwrap()).unwrap()).collect();
        prop_assert_eq!(back, lines);
    }

    #[test]
    fn whatever_bytes_there_are_they_are_lines_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for line in each(&bytes) {
            let Ok(line) = line else { break };
            let Ok(read) = read(line) else { continue };
            let mut again = Vec::new();
            write(&read, &mut again);
            prop_assert_eq!(super::read(&again).unwrap(), read);
        }
    }

    #[test]
    fn a_line_that_lost_its_end_is_an_error(line in lines(), cut in any::<prop::sample::Index>()) {
        let mut written = Vec::new();
        write(&line, &mut written);
        let shorter = &written[..LENGTH + cut.index(written.len() - LENGTH)];
        prop_assert!(read(shorter).is_err());
        prop_assert!(each(shorter).any(|line| line.is_err()));
    }
}

#[test]
fn a_text_that_is_too_long_is_cut_between_two_characters() {
    let mut line = Line::new(Moment(1), Event::Accessed, None, About::default());
    line.detail = Some("é".repeat(LONGEST_TEXT).into());
    let mut written = Vec::new();
    write(&line, &mut written);
    assert_eq!(read(&written).unwrap().detail.as_deref(), Some("é".repeat(LONGEST_TEXT / 2).as_str()));
}

#[test]
fn a_rotation_takes_no_more_than_fifty_bytes() {
    let about = About { client: Some(ClientId(i64::MAX)), user: Some(UserId(i64::MAX)), ..About::default() };
    let line = Line::new(Moment(i64::MAX), Event::Refreshed, Some(SessionId(i64::MAX)), about);
    let mut written = Vec::new();
    write(&line, &mut written);
    assert!(written.len() <= 50, "{} bytes", written.len());
}
