//! Passkeys (WebAuthn level 3), by the library: what a browser is asked, and whether what it answers is right. Residence in the
//! authenticator and verification of its user are required, attestation is not asked for.

use passki::{
    AttestationConveyancePreference, AuthenticationCredential, AuthenticationOptions, AuthenticationState, Passki,
    RegistrationCredential, RegistrationOptions, RegistrationState, ResidentKeyRequirement, StoredPasskey,
    UserVerificationRequirement,
};
use rules::ids::UserId;
use rules::limits::{CREDENTIAL_ID_BYTES, FACTOR_FORM_SECONDS, PASSKEY_KEY_BYTES};
use rules::passkeys::RelyingParty;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::factors::passkeys::{Passkey, PasskeyKey};

/// What authenticators call us.
const NAME: &str = "Recordgate";
/// How long a browser waits for its user.
const TIMEOUT_MILLIS: u64 = FACTOR_FORM_SECONDS.unsigned_abs() * 1000;

/// What the library asks for: EdDSA, ES256, ES384, RS256, RS384 (RFC 9053, RFC 8812).
const ALGORITHMS: [i32; 5] = [-8, -7, -35, -257, -258];

/// Those for whom passkeys are made.
pub struct PasskeyParty(Passki);

impl std::fmt::Debug for PasskeyParty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PasskeyParty({})", self.0.rp_id)
    }
}

/// What a browser is asked to make, as its script reads it, and what the answer is held against.
#[derive(Debug)]
pub struct PasskeyCreation {
    pub options: String,
    pub state: CreationState,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CreationState(RegistrationState);

/// What a browser is asked to show.
#[derive(Debug)]
pub struct PasskeyRequest {
    pub options: String,
    pub state: RequestState,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct RequestState(AuthenticationState);

/// A passkey that signed an answer, and its counter then.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown<'p> {
    pub passkey: &'p Passkey,
    pub counter: i64,
}

impl PasskeyParty {
    /// Those at a base URL; `None` where there are no passkeys.
    #[must_use]
    pub fn of(base_url: &str) -> Option<Self> {
        if !can_check_signatures() {
            return None;
        }
        let RelyingParty { id, origin } = RelyingParty::of(base_url)?;
        Some(Self(Passki::new(&id, &[origin], NAME)))
    }

    /// Asks for a new passkey of a user who has these.
    #[must_use]
    pub fn creation(&self, user: UserId, (username, name): (&str, &str), known: &[Passkey]) -> Option<PasskeyCreation> {
        let known: Vec<StoredPasskey> = known.iter().map(stored).collect();
        let mut options = RegistrationOptions::default();
        options.timeout = TIMEOUT_MILLIS;
        options.attestation = AttestationConveyancePreference::None;
        options.resident_key = ResidentKeyRequirement::Required;
        options.user_verification = UserVerificationRequirement::Required;
        options.exclude_credentials = Some(&known);
        let (asked, state) = self.0.start_passkey_registration(&handle(user), username, name, options).ok()?;
        Some(PasskeyCreation { options: serde_json::to_string(&asked).ok()?, state: CreationState(state) })
    }

    /// The passkey that a browser says it has made, with its counter, if that is true.
    #[must_use]
    pub fn made(&self, answer: &str, CreationState(state): &CreationState) -> Option<(PasskeyKey, i64)> {
        let answer: RegistrationCredential = serde_json::from_str(answer).ok()?;
        let made = self.0.finish_passkey_registration(&answer, state).ok()?;
        // A key by which nothing can be checked would be a passkey that never opens anything.
        let fits = ALGORITHMS.contains(&made.algorithm)
            && !made.credential_id.is_empty()
            && made.credential_id.len() <= CREDENTIAL_ID_BYTES
            && made.public_key.len() <= PASSKEY_KEY_BYTES;
        let key = PasskeyKey {
            transports: serde_json::to_string(&made.transports).ok()?,
            credential: made.credential_id,
            public_key: made.public_key,
            algorithm: made.algorithm.into(),
            is_synced: made.be,
        };
        fits.then_some((key, made.counter.into()))
    }

    /// Asks for one of these passkeys.
    #[must_use]
    pub fn request(&self, known: &[Passkey]) -> Option<PasskeyRequest> {
        let known: Vec<StoredPasskey> = known.iter().map(stored).collect();
        let mut options = AuthenticationOptions::default();
        options.timeout = TIMEOUT_MILLIS;
        options.user_verification = UserVerificationRequirement::Required;
        let (asked, mut state) = self.0.start_passkey_authentication(&known, options).ok()?;
        // Whose passkeys will do is looked up when the answer comes: a form is no place for ids that can be long.
        state.allowed_credentials.clear();
        Some(PasskeyRequest { options: serde_json::to_string(&asked).ok()?, state: RequestState(state) })
    }

    /// Which of a user's passkeys a browser shows; `None` where the answer is wrong in any way. Whether the counter has risen is for
    /// the store to say, which counts it: here anybody could send a low one, and there it is known that the passkey has signed.
    #[must_use]
    pub fn shown<'p>(
        &self,
        answer: &str,
        RequestState(state): &RequestState,
        (user, known): (UserId, &'p [Passkey]),
    ) -> Option<Shown<'p>> {
        let answer: AuthenticationCredential = serde_json::from_str(answer).ok()?;
        let id = Passki::base64_decode(&answer.raw_id).ok()?;
        let passkey = known.iter().find(|passkey| passkey.key.credential == id)?;
        let mut uncounted = stored(passkey);
        uncounted.counter = 0;
        let result = self.0.finish_passkey_authentication(&answer, state, &uncounted).ok()?;
        // An authenticator that says whose passkey it is must mean the same user.
        let is_theirs = result.user_handle.is_none_or(|theirs| theirs == handle(user));
        is_theirs.then_some(Shown { passkey, counter: result.counter.into() })
    }
}

/// Whether this processor can do what the library's arithmetic is written for: others have no passkeys.
#[cfg(target_arch = "x86_64")]
fn can_check_signatures() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("aes") && has!("pclmulqdq") && has!("bmi1") && has!("bmi2") && has!("adx") && has!("avx") && has!("avx2")
}

/// The same of the other one.
#[cfg(target_arch = "aarch64")]
fn can_check_signatures() -> bool {
    use std::arch::is_aarch64_feature_detected as has;
    has!("neon") && has!("aes") && has!("pmull") && has!("sha2")
}

/// A user as authenticators know them: nothing that says who it is.
fn handle(user: UserId) -> [u8; 32] {
    Sha256::new().chain_update("recordgate passkey").chain_update(user.0.to_be_bytes()).finalize().into()
}

/// A passkey as the library wants it. What was stored was the library's own, so that what does not fit into it fits no answer.
fn stored(passkey: &Passkey) -> StoredPasskey {
    let mut stored = StoredPasskey::default();
    stored.credential_id.clone_from(&passkey.key.credential);
    stored.public_key.clone_from(&passkey.key.public_key);
    stored.algorithm = i32::try_from(passkey.key.algorithm).unwrap_or_default();
    stored.counter = u32::try_from(passkey.counter).unwrap_or(u32::MAX);
    stored.transports = serde_json::from_str(&passkey.key.transports).unwrap_or_default();
    stored
}
