//! Codes of a second factor by time (RFC 6238, SHA-1): their secret, how it is handed over, and which step a typed code is of.

use crate::secrets::dice::{self, NoRandomness};
use crate::secrets::keys::Keys;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use ring::hmac;
use rules::factors;
use rules::ids::UserId;
use rules::limits::FACTOR_SECRET_BYTES;
use rules::moment::Moment;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Before the sealed text of a secret in the database.
const PREFIX: &str = "rgo_";
/// RFC 4648, 6: what people type into an app, and what its link holds.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/// What an app calls those whose code it is.
const ISSUER: &str = "Recordgate";

/// What a user's codes are made of.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret(Zeroizing<[u8; FACTOR_SECRET_BYTES]>);

impl std::fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

impl TotpSecret {
    pub fn new() -> Result<Self, NoRandomness> {
        Ok(Self(Zeroizing::new(dice::bytes()?)))
    }

    /// As it is stored: sealed, and for this user alone. In another user's row it opens nothing.
    #[must_use]
    pub fn seal(&self, keys: &Keys, user: UserId) -> Option<String> {
        let content = Zeroizing::new([&user.0.to_be_bytes(), self.0.as_slice()].concat());
        keys.seal(PREFIX, &content)
    }

    /// Opens what `seal` made for this user.
    #[must_use]
    pub fn open(keys: &Keys, user: UserId, sealed: &str) -> Option<Self> {
        let content = Zeroizing::new(keys.open_sealed(PREFIX, sealed)?);
        let secret = content.strip_prefix(&user.0.to_be_bytes())?;
        Some(Self(Zeroizing::new(secret.try_into().ok()?)))
    }

    /// The same secret sealed by the key of the day, where the key of this id sealed it.
    #[must_use]
    pub fn seal_anew(keys: &Keys, user: UserId, sealed: &str, key: &str) -> Option<String> {
        let is_its_own = sealed.strip_prefix(PREFIX)?.split_once('_')?.0 == key;
        if is_its_own { Self::open(keys, user, sealed)?.seal(keys, user) } else { None }
    }

    /// In base 32, in groups of four.
    #[must_use]
    pub fn text(&self) -> String {
        let plain = self.base32();
        let groups: Vec<&str> =
            plain.as_bytes().chunks(4).filter_map(|group| std::str::from_utf8(group).ok()).collect();
        groups.join(" ")
    }

    fn base32(&self) -> String {
        // 160 bits are 32 signs, with nothing left over.
        let fives = self.0.chunks(5).flat_map(|five| {
            let all = five.iter().fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
            (0..8).rev().map(move |at| usize::try_from(all >> (5 * at) & 31).unwrap_or_default())
        });
        fives.filter_map(|five| BASE32.get(five).map(|sign| char::from(*sign))).collect()
    }

    /// The link that a QR code holds, as authenticator apps read it.
    #[must_use]
    pub fn link(&self, username: &str) -> String {
        let username = utf8_percent_encode(username, NON_ALPHANUMERIC);
        format!(
            "otpauth://totp/{ISSUER}:{username}?secret={}&issuer={ISSUER}&algorithm=SHA1&digits=6&period=30",
            self.base32()
        )
    }

    /// The code of a step.
    #[must_use]
    pub fn code(&self, step: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, self.0.as_slice());
        let digest = hmac::sign(&key, &step.to_be_bytes());
        digest.as_ref().try_into().map(factors::digits).unwrap_or_default()
    }

    /// The step whose code this is, of those that are good now. Looks at all of them, whichever it is.
    #[must_use]
    pub fn step_of(&self, typed: &str, now: Moment) -> Option<i64> {
        let matching = |step: &i64| bool::from(self.code(*step).as_bytes().ct_eq(typed.as_bytes()));
        let all: Vec<i64> = factors::steps(now).filter(matching).collect();
        all.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, for SHA-1, cut to six digits.
    #[test]
    fn the_codes_of_the_rfc() {
        let secret = TotpSecret(Zeroizing::new(*b"12345678901234567890"));
        let at = |seconds: i64| secret.code(factors::step(Moment(seconds * 1000)));
        let codes = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000].map(at);
        assert_eq!(codes, ["287082", "081804", "050471", "005924", "279037", "353130"]);
    }

    #[test]
    fn a_secret_is_handed_over_in_base_32() {
        let secret = TotpSecret(Zeroizing::new(*b"12345678901234567890"));
        assert_eq!(secret.text(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        let link = secret.link("amina@example.org");
        assert!(link.starts_with("otpauth://totp/Recordgate:amina%40example%2Eorg?secret=GEZDGNBVGY3TQOJQ"), "{link}");
    }

    #[test]
    fn a_code_is_known_by_its_step_and_thirty_seconds_beside_it() {
        let (secret, now) = (TotpSecret::new().unwrap(), Moment(1_800_000_000_000));
        let present = factors::step(now);
        for step in [present - 1, present, present + 1] {
            assert_eq!(secret.step_of(&secret.code(step), now), Some(step));
        }
        assert_eq!(secret.step_of(&secret.code(present), now.plus_seconds(90)), None);
        for typed in ["", "12345", "1234567", "abcdef"] {
            assert_eq!(secret.step_of(typed, now), None);
        }
    }

    #[test]
    fn a_sealed_secret_is_one_users_and_is_sealed_anew_when_its_key_goes() {
        let directory = tempfile::tempdir().unwrap();
        let keys = Keys::open(&directory.path().join("keys"), false, Some("store")).unwrap();
        let secret = TotpSecret::new().unwrap();
        let sealed = secret.seal(&keys, UserId(7)).unwrap();
        assert_eq!(TotpSecret::open(&keys, UserId(7), &sealed), Some(secret.clone()));
        assert_eq!(TotpSecret::open(&keys, UserId(8), &sealed), None);
        let old = keys.ids().pop().unwrap();
        let mut ring = keys.read().unwrap();
        ring.add().unwrap();
        keys.write(&ring).unwrap();
        let anew = TotpSecret::seal_anew(&keys, UserId(7), &sealed, &old).unwrap();
        assert_eq!(TotpSecret::seal_anew(&keys, UserId(7), &anew, &old), None, "it is of another key now");
        ring.remove(&[old]);
        keys.write(&ring).unwrap();
        assert_eq!(TotpSecret::open(&keys, UserId(7), &sealed), None);
        assert_eq!(TotpSecret::open(&keys, UserId(7), &anew), Some(secret));
    }
}
