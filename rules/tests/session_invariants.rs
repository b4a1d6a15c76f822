//! Plays every short life of a session, request by request, and holds each step to what must be true of all of them.

mod played;

use played::{GRANTED, Played, RIGHT_CODE, TERMS, right_token, since_grant};
use rules::lifecycle::{self, Issue, Ruling, Terms};

/// How many steps a life has.
const STEPS: usize = 7;

/// One thing that can happen to a session.
#[derive(Clone, Copy, Debug)]
enum Step {
    Redeem,
    /// With the refresh token of this generation.
    Refresh(i64),
    /// By the patient, the coordinator or the operator.
    Revoke,
    /// This many milliseconds pass.
    Wait(i64),
}

/// To within a retry window; past the limit of a code and of an access token; past the end of a session.
const WAITS: [i64; 3] = [20_000, 600_000, 3_600_000];

/// A life so far: the session as the rules left it, and what an onlooker wrote down without asking the rules.
#[derive(Clone)]
struct Life {
    played: Played,
    session_seconds: Option<i64>,
    /// What was handed out, in order: number 1 first.
    issued: Vec<Issue>,
    /// When the newest was handed out.
    issued_at: i64,
    revoked: bool,
}

impl Life {
    fn over(&self) -> bool {
        let age = self.played.now.0 - GRANTED.0;
        self.revoked || self.session_seconds.is_some_and(|seconds| age >= seconds * 1000)
    }

    /// The refresh tokens that were ever handed out.
    fn refresh_tokens(&self) -> impl Iterator<Item = i64> {
        self.issued.iter().filter(|issue| issue.with_refresh_token).map(|issue| issue.generation)
    }

    fn next_steps(&self) -> Vec<Step> {
        let refreshes = self.refresh_tokens().map(Step::Refresh);
        [Step::Redeem, Step::Revoke].into_iter().chain(refreshes).chain(WAITS.map(Step::Wait)).collect()
    }

    /// Takes one step and holds it to the invariants.
    fn take(&mut self, step: Step) {
        let before = self.clone();
        match step {
            Step::Redeem => {
                let ruling = self.played.redeem(RIGHT_CODE);
                self.hold_ruling(&before, ruling, !before.issued.is_empty(), false);
            }
            Step::Refresh(generation) => {
                let newest = before.issued.len() as i64;
                let age = (before.played.now.0 - GRANTED.0) - before.issued_at;
                let lost_answer = generation == newest - 1 && age < before.played.terms.retry_seconds * 1000;
                let ruling = self.played.refresh(right_token(generation));
                self.hold_ruling(&before, ruling, generation < newest && !lost_answer, lost_answer);
            }
            Step::Revoke => {
                self.played.session.revoked_at.get_or_insert(self.played.now);
                self.revoked = true;
            }
            Step::Wait(milliseconds) => {
                self.played.at(self.played.now.0 - GRANTED.0 + milliseconds);
            }
        }
        self.hold_state(&before);
    }

    /// Of a ruling: `replay` and `retry` are the onlooker's words for what was presented.
    fn hold_ruling(&mut self, before: &Self, ruling: Ruling, replay: bool, retry: bool) {
        match ruling {
            Ruling::Issue(issue) => {
                assert!(!before.over() && !replay && !retry, "{ruling:?}");
                assert_eq!(issue.generation, before.issued.len() as i64 + 1, "generations count up by one");
                self.issued.push(issue);
                self.issued_at = self.played.now.0 - GRANTED.0;
            }
            Ruling::IssueAgain(issue) => {
                assert!(!before.over() && retry, "{ruling:?}");
                assert_eq!(Some(&issue), before.issued.last(), "a retry hands out the same successor");
                assert_eq!(self.played.session, before.played.session);
            }
            Ruling::Revoke(_) => {
                assert!(!before.over() && replay, "{ruling:?}");
                self.revoked = true;
            }
            Ruling::Refuse(_) => {
                let code_age = self.played.now.0 - GRANTED.0;
                assert!(before.over() || (before.issued.is_empty() && code_age >= 600_000), "{ruling:?}");
                assert_eq!(self.played.session, before.played.session, "a refusal changes nothing");
            }
        }
        assert!(!replay || self.over(), "a replay ends the session");
    }

    /// Of the session after any step.
    fn hold_state(&self, before: &Self) {
        let (session, now) = (&self.played.session, self.played.now);
        assert!(session.generation >= before.played.session.generation, "generations only grow");
        assert_eq!(lifecycle::over(session, now).is_some(), self.over());
        let live = self
            .refresh_tokens()
            .filter(|generation| matches!(self.played.clone().refresh(right_token(*generation)), Ruling::Issue(_)));
        assert!(
            live.count() <= usize::from(!self.over()),
            "at most one refresh token is live, and none of a dead session"
        );
        for token in &self.played.access_tokens {
            let stands = lifecycle::standing(session, token, now).is_ok();
            assert_eq!(stands, !self.over() && now < token.expires_at);
            if let Some(seconds) = self.session_seconds {
                assert!(token.expires_at <= since_grant(seconds * 1000), "an access token outlives its session");
            }
        }
    }
}

/// Plays on from `life` in every way and gives the number of steps taken.
fn play_on(life: &Life, steps_left: usize) -> u64 {
    if steps_left == 0 {
        return 0;
    }
    let mut taken = 0;
    for step in life.next_steps() {
        let mut next = life.clone();
        next.take(step);
        taken += 1 + play_on(&next, steps_left - 1);
    }
    taken
}

fn every_life(session_seconds: Option<i64>, terms: Terms) {
    let played = Played::granted(session_seconds, terms);
    let born = Life { played, session_seconds, issued: Vec::new(), issued_at: 0, revoked: false };
    let taken = play_on(&born, STEPS);
    assert!(taken > 5_u64.pow(STEPS as u32), "only {taken} steps were taken");
}

#[test]
fn every_life_of_a_strict_session_keeps_the_invariants() {
    for session_seconds in [None, Some(300), Some(3600)] {
        every_life(session_seconds, TERMS);
    }
}

#[test]
fn every_life_of_a_session_with_a_retry_window_keeps_the_invariants() {
    for session_seconds in [None, Some(300), Some(3600)] {
        every_life(session_seconds, Terms { retry_seconds: 30, ..TERMS });
    }
}

#[test]
fn every_life_of_a_session_without_refresh_tokens_keeps_the_invariants() {
    every_life(Some(3600), Terms { refresh_tokens: false, ..TERMS });
}

#[test]
fn a_redeemed_session_begins_with_one_live_refresh_token() {
    let played = Played::redeemed(None, TERMS);
    assert!(matches!(played.clone().refresh(right_token(1)), Ruling::Issue(_)));
    assert!(!matches!(played.clone().refresh(right_token(2)), Ruling::Issue(_)));
}
