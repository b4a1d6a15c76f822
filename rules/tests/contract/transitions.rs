//! The transition table: each row is played through the rules, its next state and effects are looked for in the outcome.

use super::outcomes::Outcome;
use super::{durations, markdown::Table};
use crate::played::{Played, RIGHT_CODE, TERMS, right_token, since_grant};
use rules::clients::ClientKind;
use rules::lifecycle::{self, CodePresentation, Lapse, Refused, Revoked, Ruling, Terms};
use rules::limits::CODE_SECONDS;

const HOUR: i64 = 3600;

/// What a row is about: its subject, trigger and condition together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Play {
    Approval,
    CodeExchange,
    CodeTimeout,
    TokenDuration,
    Refresh,
    Replay,
    SessionDuration,
    SessionWithoutEnd,
}

const PLAYS: [Play; 8] = [
    Play::Approval,
    Play::CodeExchange,
    Play::CodeTimeout,
    Play::TokenDuration,
    Play::Refresh,
    Play::Replay,
    Play::SessionDuration,
    Play::SessionWithoutEnd,
];

impl Play {
    /// Subject, trigger and condition as the contract writes them, durations taken out.
    const fn cells(self) -> [&'static str; 3] {
        const CODE: &str = "Authorization code";
        const CODE_REQUEST: &str = "Token request with grant_type=authorization_code";
        const REFRESH_REQUEST: &str = "Token request with grant_type=refresh_token";
        match self {
            Self::Approval => {
                ["Session", "User approves on the authorization page and authenticates", "Authentication succeeds"]
            }
            Self::CodeExchange => [CODE, CODE_REQUEST, "Within {}, same client ID and same redirect URI"],
            Self::CodeTimeout => [CODE, "{} pass", "Not yet exchanged"],
            Self::TokenDuration => [
                "Access token",
                "Token duration elapses",
                "{} for User Clients and Tethered-Token System Clients, {} for System Clients",
            ],
            Self::Refresh => ["Refresh token", REFRESH_REQUEST, "Token unused and session not expired"],
            Self::Replay => ["Refresh token", REFRESH_REQUEST, "Token was used before"],
            Self::SessionDuration => [
                "Session",
                "Session duration elapses",
                "Measured from the moment the user granted access, regardless of refreshes",
            ],
            Self::SessionWithoutEnd => ["Session", "Configuration", "Client ID configured for non-expiring sessions"],
        }
    }

    /// Plays the row; `seconds` are the durations that its cells name.
    fn outcome(self, seconds: &[i64]) -> Outcome {
        match (self, seconds) {
            (Self::Approval, []) => Outcome::of(Played::granted(Some(HOUR), TERMS), None),
            (Self::CodeExchange, [within]) => code_exchange(*within),
            (Self::CodeTimeout, [passed]) => code_timeout(*passed),
            (Self::TokenDuration, [with_session, system]) => token_duration(*with_session, *system),
            (Self::Refresh, []) => refresh(),
            (Self::Replay, []) => replay(),
            (Self::SessionDuration, []) => session_duration(),
            (Self::SessionWithoutEnd, []) => session_without_end(),
            _ => panic!("{self:?} does not name these durations: {seconds:?}"),
        }
    }
}

/// Holds the rules to every cell of the table.
pub(crate) fn hold(contract: &str) {
    let table = Table::headed(contract, &["Subject", "Trigger", "Condition", "Next state", "Other effects"]);
    let mut played = Vec::new();
    for row in table.rows() {
        let mut possible = PLAYS.to_vec();
        let mut seconds = Vec::new();
        for (nth, column) in ["Subject", "Trigger", "Condition"].into_iter().enumerate() {
            possible = row.cell(column).means(|text| {
                let (text, durations) = durations::taken_out(text);
                seconds.extend(durations);
                possible.retain(|play| play.cells()[nth] == text);
                (!possible.is_empty()).then_some(possible)
            });
        }
        let [play] = possible[..] else { panic!("{} may be any of {possible:?}", row.first().place()) };
        let outcome = play.outcome(&seconds);
        row.cell("Next state").means(|text| outcome.has_next_state(text));
        row.cell("Other effects").means(|text| outcome.has_effects(text));
        played.push(play);
    }
    for play in PLAYS {
        assert_eq!(played.iter().filter(|known| **known == play).count(), 1, "rows that say {play:?}");
    }
    table.was_held_in_every_cell();
}

fn code_exchange(within: i64) -> Outcome {
    assert_eq!(within, CODE_SECONDS);
    let granted = Played::granted(Some(HOUR), TERMS);
    let other_client = CodePresentation { same_client: false, ..RIGHT_CODE };
    let other_uri = CodePresentation { same_redirect_uri: false, ..RIGHT_CODE };
    let too_late = granted.clone().at(within * 1000).redeem(RIGHT_CODE);
    assert_eq!(too_late, Ruling::Refuse(Refused::CodeExpired));
    assert_eq!(granted.clone().redeem(other_client), Ruling::Refuse(Refused::ForeignClient));
    assert_eq!(granted.clone().redeem(other_uri), Ruling::Refuse(Refused::WrongRedirectUri));
    Outcome::played(granted, within * 1000 - 1, |played| played.redeem(RIGHT_CODE))
}

fn code_timeout(passed: i64) -> Outcome {
    let granted = Played::granted(Some(HOUR), TERMS);
    let in_time = granted.clone().at(passed * 1000 - 1).redeem(RIGHT_CODE);
    assert!(matches!(in_time, Ruling::Issue(_)), "a code in time is exchanged, not {in_time:?}");
    let exchanged = Played::redeemed(Some(HOUR), TERMS).at(passed * 1000).redeem(RIGHT_CODE);
    assert_eq!(exchanged, Ruling::Revoke(Revoked::CodeReplayed), "a used code does not expire into harmlessness");
    Outcome::played(granted, passed * 1000, |played| played.redeem(RIGHT_CODE))
}

fn token_duration(with_session: i64, system: i64) -> Outcome {
    let mut outcome = Outcome::of(Played::granted(None, TERMS), None);
    for kind in ClientKind::ALL {
        let seconds = if kind.has_session() { with_session } else { system };
        assert_eq!(kind.access_seconds(), seconds, "token duration of {}", kind.contract_name());
        let played = Played::redeemed(None, Terms { access_seconds: kind.access_seconds(), ..TERMS });
        let token = played.access_tokens[0];
        assert_eq!(lifecycle::standing(&played.session, &token, since_grant(seconds * 1000 - 1)), Ok(()));
        let standing = lifecycle::standing(&played.session, &token, since_grant(seconds * 1000));
        outcome.standings.push((kind, standing));
    }
    outcome
}

fn refresh() -> Outcome {
    let redeemed = Played::redeemed(Some(HOUR), TERMS);
    let after_the_session = redeemed.clone().at(HOUR * 1000).refresh(right_token(1));
    assert_eq!(after_the_session, Ruling::Refuse(Refused::SessionExpired));
    Outcome::played(redeemed, 1000, |played| played.refresh(right_token(1)))
}

fn replay() -> Outcome {
    let mut redeemed = Played::redeemed(Some(HOUR), TERMS);
    redeemed.refresh(right_token(1));
    for token in &redeemed.access_tokens {
        assert_eq!(lifecycle::standing(&redeemed.session, token, redeemed.now), Ok(()), "active until the replay");
    }
    Outcome::played(redeemed, 1, |played| played.refresh(right_token(1)))
}

fn session_duration() -> Outcome {
    let mut played = Played::redeemed(Some(HOUR), TERMS);
    for generation in 1..HOUR {
        let ruling = played.at(generation * 1000).refresh(right_token(generation));
        assert!(matches!(ruling, Ruling::Issue(_)), "second {generation}: {ruling:?}");
    }
    assert_eq!(lifecycle::over(&played.session, since_grant(HOUR * 1000 - 1)), None);
    Outcome::played(played, HOUR * 1000, |played| played.refresh(right_token(HOUR)))
}

fn session_without_end() -> Outcome {
    let with_end = Played::redeemed(Some(HOUR), TERMS);
    let centuries = 400 * 366 * 86_400 * 1000;
    assert_eq!(lifecycle::over(&with_end.session, since_grant(centuries)), Some(Lapse::SessionExpired));
    let mut without = Played::redeemed(None, TERMS);
    without.at(centuries);
    Outcome::of(without, None)
}
