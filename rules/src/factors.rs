//! The second factor: of whom it is asked and when, which time steps its codes are good for, and what changing it takes.

use crate::limits::{FACTOR_DRIFT_STEPS, FACTOR_FRESH_SECONDS, FACTOR_STEP_SECONDS};
use crate::moment::Moment;
use alloc::format;
use alloc::string::String;
use core::ops::RangeInclusive;

/// Whether users of one type have a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorPolicy {
    /// Nobody is asked, whatever they set up before.
    Off,
    /// Whoever has one is asked.
    Optional,
    /// Nobody comes in without.
    Required,
}

/// What somebody must show after a right password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorDemand {
    Nothing,
    Proof,
    /// What they do not have: they come in by a link only, and set one up.
    NotEnrolled,
}

impl FactorPolicy {
    pub const ALL: [Self; 3] = [Self::Off, Self::Optional, Self::Required];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.word() == word)
    }

    /// What is asked after the password. A browser that is remembered counts where the factor is optional only.
    #[must_use]
    pub const fn demand(self, is_enrolled: bool, is_remembered: bool) -> FactorDemand {
        match (self, is_enrolled) {
            (Self::Off, _) | (Self::Optional, false) => FactorDemand::Nothing,
            (Self::Optional, true) if is_remembered => FactorDemand::Nothing,
            (Self::Optional | Self::Required, true) => FactorDemand::Proof,
            (Self::Required, false) => FactorDemand::NotEnrolled,
        }
    }

    /// Whether a browser may be remembered, so that it is not asked again for a while.
    #[must_use]
    pub const fn may_remember(self) -> bool {
        matches!(self, Self::Optional)
    }

    /// Whether somebody who is signed in may set a factor up. Where one is required, the first one is set up by a link
    /// alone: else whoever has stolen the password would be first.
    #[must_use]
    pub const fn may_enrol(self, is_enrolled: bool, came_by_link: bool) -> bool {
        match self {
            Self::Off => false,
            Self::Optional => true,
            Self::Required => is_enrolled || came_by_link,
        }
    }

    /// Whether a factor may be taken away that has so many others beside it.
    #[must_use]
    pub const fn may_remove(self, others: usize) -> bool {
        others > 0 || !matches!(self, Self::Required)
    }
}

/// By what somebody showed their second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorMeans {
    /// A code by time, or a recovery code in its place.
    Code,
    /// A passkey that stays in the device in which it was made.
    DevicePasskey,
    /// A passkey that its owner's devices share.
    SyncedPasskey,
}

impl FactorMeans {
    pub const ALL: [Self; 3] = [Self::Code, Self::DevicePasskey, Self::SyncedPasskey];

    /// As RFC 8176 calls it, and as it is stored.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Code => "otp",
            Self::DevicePasskey => "hwk",
            Self::SyncedPasskey => "swk",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|means| means.word() == word)
    }

    /// A passkey that may, or may not, leave the device in which it was made.
    #[must_use]
    pub const fn of_passkey(is_synced: bool) -> Self {
        if is_synced { Self::SyncedPasskey } else { Self::DevicePasskey }
    }
}

/// The step of time that a moment is in (RFC 6238, 4.2).
#[must_use]
pub const fn step(now: Moment) -> i64 {
    now.unix_seconds().div_euclid(FACTOR_STEP_SECONDS)
}

/// The steps whose codes are good at a moment: clocks differ, and people take their time to type.
#[must_use]
pub const fn steps(now: Moment) -> RangeInclusive<i64> {
    let present = step(now);
    present - FACTOR_DRIFT_STEPS..=present + FACTOR_DRIFT_STEPS
}

/// The digits of a code.
pub const DIGITS: usize = 6;

/// The six digits of a keyed digest (RFC 4226, 5.3).
#[must_use]
pub fn digits(digest: &[u8; 20]) -> String {
    let offset = usize::from(digest[19] & 0x0f);
    let four = digest.iter().skip(offset).take(4).fold(0_u32, |all, byte| all << 8 | u32::from(*byte));
    format!("{:06}", (four & 0x7fff_ffff) % 1_000_000)
}

/// Whether a proof is young enough for what can harm: granting, and changing how somebody proves who they are.
#[must_use]
pub fn is_fresh(proven_at: Option<Moment>, now: Moment) -> bool {
    proven_at.is_some_and(|at| !now.is_past(at.plus_seconds(FACTOR_FRESH_SECONDS)))
}

/// What somebody is told of their factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorChange {
    Set,
    Removed,
    PasskeyMade,
    PasskeyRemoved,
    /// A passkey was shown whose counter had not risen: there may be two of it.
    PasskeyCopied,
    RecoveryCodeUsed,
    NewRecoveryCodes,
    /// An operator made a link that takes it away.
    LinkMade,
    LinkUsed,
}

impl FactorChange {
    /// What is told.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Set => "a second factor was set up for your account; the one before, if there was one, is gone",
            Self::Removed => "the second factor of your account was removed",
            Self::PasskeyMade => "a passkey was made for your account, as a second factor",
            Self::PasskeyRemoved => "a passkey of your account was removed",
            Self::PasskeyCopied => {
                "a passkey of your account was refused, because it looks as if somebody had copied it: remove it, and make a new one"
            }
            Self::RecoveryCodeUsed => "a recovery code of your account was used in place of its second factor",
            Self::NewRecoveryCodes => "new recovery codes were made for your account; those before are void",
            Self::LinkMade => {
                "the operator made a link that resets the second factor of your account, and signed you out everywhere"
            }
            Self::LinkUsed => "the second factor of your account was reset by the operator’s link and your password",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_required_factor_is_asked_for_in_every_browser_and_an_optional_one_where_there_is_one() {
        use FactorDemand::{NotEnrolled, Nothing, Proof};
        let demands = |policy: FactorPolicy| {
            [(false, false), (false, true), (true, false), (true, true)].map(|(has, known)| policy.demand(has, known))
        };
        assert_eq!(demands(FactorPolicy::Off), [Nothing; 4]);
        assert_eq!(demands(FactorPolicy::Optional), [Nothing, Nothing, Proof, Nothing]);
        assert_eq!(demands(FactorPolicy::Required), [NotEnrolled, NotEnrolled, Proof, Proof]);
    }

    #[test]
    fn a_code_is_good_in_its_own_step_and_in_those_beside_it() {
        let at = |seconds: i64| Moment(seconds * 1000);
        assert_eq!(steps(at(59)), 0..=2);
        assert_eq!(steps(at(60)), 1..=3);
        assert!(!steps(at(90 + 59)).contains(&1), "a clock that is 90 seconds off");
        assert_eq!(step(Moment(-1)), -1);
    }

    /// The example of RFC 4226, 5.4.
    #[test]
    fn digits_are_cut_out_as_the_rfc_has_it() {
        let digest = [
            0x1f, 0x86, 0x98, 0x69, 0x0e, 0x02, 0xca, 0x16, 0x61, 0x85, 0x50, 0xef, 0x7f, 0x19, 0xda, 0x8e, 0x94, 0x5b,
            0x55, 0x5a,
        ];
        assert_eq!(digits(&digest), "872921");
    }

    #[test]
    fn a_proof_is_fresh_for_five_minutes() {
        let proven = Moment(1_000_000);
        assert!(is_fresh(Some(proven), proven));
        assert!(is_fresh(Some(proven), Moment(1_000_000 + 299_999)));
        assert!(!is_fresh(Some(proven), Moment(1_000_000 + 300_000)));
        assert!(!is_fresh(None, proven));
    }

    #[test]
    fn the_first_factor_where_one_is_required_is_set_up_by_a_link_alone() {
        assert!(!FactorPolicy::Required.may_enrol(false, false));
        assert!(FactorPolicy::Required.may_enrol(false, true) && FactorPolicy::Required.may_enrol(true, false));
        assert!(!FactorPolicy::Required.may_remove(0) && FactorPolicy::Required.may_remove(1));
        assert!(FactorPolicy::Optional.may_remove(0));
        assert!(!FactorPolicy::Off.may_enrol(true, true) && FactorPolicy::Optional.may_enrol(false, false));
    }

    #[test]
    fn what_was_shown_is_known_by_its_word() {
        for means in FactorMeans::ALL {
            assert_eq!(FactorMeans::named(means.word()), Some(means));
        }
        assert_eq!(FactorMeans::named("pwd"), None);
    }

    #[test]
    fn a_policy_is_known_by_its_word() {
        for policy in FactorPolicy::ALL {
            assert_eq!(FactorPolicy::named(policy.word()), Some(policy));
        }
        assert_eq!(FactorPolicy::named("maybe"), None);
    }
}
