//! Handmade histories, good and bad: "violations: 0" means something only if each sort of wrong is found.

use super::verdict::check;
use crate::chaos::history::record::{Answer, Call, History, Process, Request, Token};
use std::time::Duration;

/// A history of one session, written in milliseconds.
#[derive(Default)]
struct Story(History);

const FIRST: Token = Token(1);
const SECOND: Token = Token(2);
const THIRD: Token = Token(3);
const OTHER: Token = Token(9);
const NODE: Process = Process(0);

impl Story {
    fn strict() -> Self {
        Self(History { windows: vec![None], ..History::default() })
    }

    fn with_retry_window() -> Self {
        Self(History { windows: vec![Some(Duration::from_secs(60))], ..History::default() })
    }

    fn tell(mut self, (began, ended): (u64, u64), request: Request, answer: Answer) -> Self {
        let [began, ended] = [began, ended].map(Duration::from_millis);
        let process = (request != Request::Revoke).then_some(NODE);
        self.0.calls.push(Call { session: 0, process, request, answer, began, ended });
        self
    }

    fn refresh(self, when: (u64, u64), token: Token, answer: Answer) -> Self {
        self.tell(when, Request::Refresh(token), answer)
    }

    fn read(self, when: (u64, u64), answer: Answer) -> Self {
        self.tell(when, Request::Read, answer)
    }

    fn revoke(self, when: (u64, u64)) -> Self {
        self.tell(when, Request::Revoke, Answer::Revoked)
    }

    fn kill(mut self, at: u64) -> Self {
        self.0.kills.insert(NODE, Duration::from_millis(at));
        self
    }

    fn is_good(&self) {
        assert_eq!(check(&self.0).violations, []);
    }

    /// The history has this wrong, and no other.
    fn is_bad(&self, because: &str) {
        let found = check(&self.0).violations;
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].sentence.contains(because), "{found:?}");
    }
}

#[test]
fn a_chain_of_refreshes_and_reads_is_good() {
    let story = Story::strict()
        .refresh((0, 1), FIRST, Answer::Granted(SECOND))
        .read((2, 3), Answer::Shown)
        .refresh((4, 5), SECOND, Answer::TryAgain)
        .refresh((6, 7), SECOND, Answer::Granted(THIRD));
    story.is_good();
}

#[test]
fn two_winners_of_one_token_are_found() {
    let story =
        Story::strict().refresh((0, 5), FIRST, Answer::Granted(SECOND)).refresh((1, 6), FIRST, Answer::Granted(SECOND));
    story.is_bad("won twice");
}

#[test]
fn a_used_token_that_wins_again_is_found_also_after_a_crash_in_between() {
    let story = Story::strict().refresh((0, 1), FIRST, Answer::Granted(SECOND)).read((2, 3), Answer::TryAgain).refresh(
        (4, 5),
        FIRST,
        Answer::Granted(SECOND),
    );
    story.is_bad("won twice");
}

#[test]
fn within_a_retry_window_the_same_successor_is_good_and_another_one_is_a_fork() {
    let first = || Story::with_retry_window().refresh((0, 5), FIRST, Answer::Granted(SECOND));
    first().refresh((1, 6), FIRST, Answer::Granted(SECOND)).is_good();
    first().refresh((1, 6), FIRST, Answer::Granted(OTHER)).is_bad("forked");
}

#[test]
fn a_retry_window_that_stays_open_after_the_successor_was_used_is_found() {
    let story = Story::with_retry_window()
        .refresh((0, 1), FIRST, Answer::Granted(SECOND))
        .refresh((2, 3), SECOND, Answer::Granted(THIRD))
        .refresh((4, 5), FIRST, Answer::Granted(SECOND));
    story.is_bad("after its successor had been used");
}

#[test]
fn a_session_that_lives_after_its_acknowledged_revocation_is_found() {
    let revoked = || Story::strict().refresh((0, 1), FIRST, Answer::Granted(SECOND)).revoke((2, 5));
    revoked().refresh((3, 6), SECOND, Answer::Granted(THIRD)).is_good();
    revoked().refresh((6, 7), SECOND, Answer::Refused).is_good();
    revoked().refresh((6, 7), SECOND, Answer::Granted(THIRD)).is_bad("revocation had been acknowledged");
}

#[test]
fn an_access_token_that_is_accepted_after_the_acknowledged_revocation_is_found() {
    let revoked = || Story::strict().read((0, 1), Answer::Shown).revoke((2, 5));
    revoked().read((4, 6), Answer::Shown).is_good();
    revoked().read((6, 7), Answer::Rejected).is_good();
    revoked().read((6, 7), Answer::Shown).is_bad("an access token was accepted");
}

#[test]
fn any_token_that_is_accepted_after_an_acknowledged_replay_is_found() {
    let replayed =
        || Story::strict().refresh((0, 1), FIRST, Answer::Granted(SECOND)).refresh((2, 3), FIRST, Answer::Refused);
    replayed().refresh((4, 5), SECOND, Answer::Refused).read((6, 7), Answer::Rejected).is_good();
    replayed().refresh((4, 5), SECOND, Answer::Granted(THIRD)).is_bad("had been refused, which ends it");
    replayed().read((4, 5), Answer::Shown).is_bad("had been refused, which ends it");
}

#[test]
fn a_session_that_is_alive_again_after_a_node_called_it_revoked_is_found() {
    let story = Story::strict().revoke((0, 9)).read((1, 2), Answer::Rejected).read((3, 4), Answer::Shown);
    story.is_bad("rejected as revoked");
}

#[test]
fn a_client_that_was_told_to_try_again_and_is_taken_for_a_thief_is_found() {
    let story = Story::strict()
        .refresh((0, 1), FIRST, Answer::Granted(SECOND))
        .refresh((2, 3), SECOND, Answer::TryAgain)
        .refresh((4, 5), SECOND, Answer::Refused);
    story.is_bad("nobody had revoked the session or replayed a token");
}

#[test]
fn a_lost_answer_that_turns_into_a_revocation_is_found_where_the_client_has_a_retry_window() {
    let story = Story::with_retry_window().kill(3).refresh((2, 4), FIRST, Answer::Nothing).refresh(
        (5, 6),
        FIRST,
        Answer::Refused,
    );
    story.is_bad("nobody had revoked the session or replayed a token");
}

#[test]
fn without_a_retry_window_a_session_that_is_lost_with_its_node_is_counted_and_not_blamed() {
    let lost = |killed| {
        Story::strict().kill(killed).refresh((2, 4), FIRST, Answer::Nothing).refresh((5, 6), FIRST, Answer::Refused)
    };
    lost(3).is_good();
    assert_eq!(check(&lost(3).0).lost_with_their_node, 1);
    lost(1).is_bad("nobody had revoked the session or replayed a token");
}

#[test]
fn a_refresh_that_was_acknowledged_and_is_unknown_afterwards_is_found() {
    let story =
        Story::strict().refresh((0, 1), FIRST, Answer::Granted(SECOND)).refresh((2, 3), SECOND, Answer::Refused);
    story.is_bad("a refresh token that had been acknowledged was refused");
}

#[test]
fn a_session_that_was_never_granted_for_good_is_found() {
    Story::strict().refresh((0, 1), FIRST, Answer::Refused).is_bad("first refresh token was refused");
    Story::strict().read((0, 1), Answer::Rejected).is_bad("an access token was rejected");
}

#[test]
fn whoever_presents_one_token_twice_at_once_has_replayed_it() {
    let story = Story::strict()
        .refresh((0, 5), FIRST, Answer::Granted(SECOND))
        .refresh((1, 6), FIRST, Answer::Refused)
        .refresh((7, 8), SECOND, Answer::Refused);
    story.is_good();
}

#[test]
fn with_a_retry_window_presenting_one_token_twice_at_once_is_no_replay() {
    let story = Story::with_retry_window().refresh((0, 5), FIRST, Answer::Granted(SECOND)).refresh(
        (1, 6),
        FIRST,
        Answer::Refused,
    );
    story.is_bad("nobody had revoked the session or replayed a token");
}

#[test]
fn a_node_that_hangs_up_without_having_been_killed_is_found() {
    Story::strict().read((2, 4), Answer::Nothing).kill(3).is_good();
    Story::strict().read((2, 4), Answer::Nothing).kill(5).is_bad("hung up");
    Story::strict().read((2, 4), Answer::Nothing).is_bad("hung up");
}

#[test]
fn an_answer_that_is_unheard_of_and_one_that_comes_too_late_are_found() {
    Story::strict().read((0, 1), Answer::Wrong("500".to_owned())).is_bad("answered wrongly");
    Story::strict().read((0, 30_000), Answer::TryAgain).is_bad("hung for 30.000 s");
}
