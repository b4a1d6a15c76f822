//! Client assertions (RFC 7523, 2.2): what a JWT that a client signed must say to stand for the client's own word.

use crate::clients::SigningAlgorithm;
use crate::limits::{ASSERTION_SECONDS, ASSERTION_SKEW_SECONDS};
use crate::moment::Moment;
use alloc::{borrow::Cow, format, string::String, vec::Vec};

/// The only `client_assertion_type` there is here.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// What a JWT says, once its signature has been found good. A time is a moment: whoever reads it turns seconds into one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    pub issuer: Option<String>,
    pub subject: Option<String>,
    pub audience: Vec<String>,
    pub expires_at: Option<Moment>,
    pub issued_at: Option<Moment>,
    pub not_before: Option<Moment>,
    pub id: Option<String>,
}

/// Why an assertion is not taken. All but the first two and the last are said only of an assertion whose signature is good: whoever
/// cannot sign learns nothing from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertionFault {
    UnknownType,
    /// No JWT, or signed in a way that is not admitted, or with demands (`crit`, `typ`) that are not for us.
    Unreadable,
    WrongIssuer,
    WrongAudience,
    NoExpiry,
    Expired,
    TooLong,
    TooEarly,
    NoId,
    /// An assertion with this `jti` came before.
    Spent,
    /// Its `jku` is not where the client's keys are.
    ForeignKeyUrl,
    /// Whether it is signed nobody knows: the keys are at the client's URL, and could not be fetched.
    KeysNotFetched,
}

/// Whether the claims are those of the client of this Client ID, meant for one of our `names`, and of this time. Where they
/// are, the moment is given until which its `jti` must not be taken again.
pub fn judge(claims: &Claims, client_id: &str, names: &[&str], now: Moment) -> Result<Moment, AssertionFault> {
    let is_client = |claim: &Option<String>| claim.as_deref() == Some(client_id);
    if !is_client(&claims.issuer) || !is_client(&claims.subject) {
        return Err(AssertionFault::WrongIssuer);
    }
    // All of them, not one of them: another service that an assertion is also meant for could hand it to us.
    let ours = |name: &String| names.contains(&name.as_str());
    if claims.audience.is_empty() || !claims.audience.iter().all(ours) {
        return Err(AssertionFault::WrongAudience);
    }
    let expires_at = claims.expires_at.ok_or(AssertionFault::NoExpiry)?;
    let over_at = expires_at.plus_seconds(ASSERTION_SKEW_SECONDS);
    if now.is_past(over_at) {
        return Err(AssertionFault::Expired);
    }
    let tolerated = now.plus_seconds(ASSERTION_SKEW_SECONDS);
    if [claims.issued_at, claims.not_before].into_iter().flatten().any(|from| from > tolerated) {
        return Err(AssertionFault::TooEarly);
    }
    if expires_at > tolerated.plus_seconds(ASSERTION_SECONDS) {
        return Err(AssertionFault::TooLong);
    }
    if claims.id.as_deref().is_none_or(str::is_empty) {
        return Err(AssertionFault::NoId);
    }
    Ok(over_at)
}

/// Whether a JWT of this `typ` may be a client assertion. One that says that it is something else was signed for something else.
#[must_use]
pub fn may_be_assertion(typ: Option<&str>) -> bool {
    typ.is_none_or(|typ| typ.eq_ignore_ascii_case("JWT") || typ.eq_ignore_ascii_case("client-authentication+jwt"))
}

impl AssertionFault {
    pub const ALL: [Self; 12] = [
        Self::UnknownType,
        Self::Unreadable,
        Self::WrongIssuer,
        Self::WrongAudience,
        Self::NoExpiry,
        Self::Expired,
        Self::TooLong,
        Self::TooEarly,
        Self::NoId,
        Self::Spent,
        Self::ForeignKeyUrl,
        Self::KeysNotFetched,
    ];

    /// What the client is told, in plain words.
    #[must_use]
    pub fn words(self) -> Cow<'static, str> {
        match self {
            Self::UnknownType => format!("client_assertion_type must be {ASSERTION_TYPE}").into(),
            Self::Unreadable => {
                format!("client_assertion must be a JWT signed with {}", SigningAlgorithm::list()).into()
            }
            Self::WrongIssuer => "iss and sub of the client_assertion must both be the Client ID".into(),
            Self::WrongAudience => {
                "aud of the client_assertion must be the issuer or the token endpoint of this service, and nobody else"
                    .into()
            }
            Self::NoExpiry => "the client_assertion has no exp".into(),
            Self::Expired => "the client_assertion has expired; sign a new one".into(),
            Self::TooLong => {
                format!("the client_assertion lasts too long; exp may be at most {ASSERTION_SECONDS} seconds ahead")
                    .into()
            }
            Self::TooEarly => "the client_assertion is from the future; set the clock of the client".into(),
            Self::NoId => "the client_assertion has no jti".into(),
            Self::Spent => "the jti of the client_assertion was used before; sign a new one for each request".into(),
            Self::ForeignKeyUrl => "jku of the client_assertion is not the jwks_url with which the client is registered".into(),
            Self::KeysNotFetched => {
                "the keys of the client could not be fetched from its jwks_url; see that it answers, and try again in a minute"
                    .into()
            }
        }
    }
}
