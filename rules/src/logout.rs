//! Signing out here because an app asks for it (OpenID Connect RP-Initiated Logout 1.0): what makes such a request wrong, and where it
//! leads.

use crate::params::{ParamFault, Params};
use alloc::{borrow::Cow, string::String};

/// What an id_token says that was issued here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdTokenHint {
    pub subject: String,
    /// The Client ID of the app that it was issued to.
    pub audience: String,
}

/// What is wrong with such a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogoutFault {
    Unreadable(ParamFault),
    UnknownClient,
    /// The id_token was issued to another app than client_id names.
    HintOfAnother,
    /// Nobody knows whose redirect URI it is.
    RedirectOfNobody,
    RedirectNotRegistered,
    MalformedState,
}

impl LogoutFault {
    /// What was wrong, for the person who sees the error page and the developer beside them.
    #[must_use]
    pub fn words(&self) -> Cow<'static, str> {
        match self {
            Self::Unreadable(fault) => fault.words().into(),
            Self::UnknownClient => "No app is registered under this client_id.".into(),
            Self::HintOfAnother => "The id_token_hint was issued to another app than client_id names.".into(),
            Self::RedirectOfNobody => {
                "The parameter post_logout_redirect_uri needs client_id beside it, or an id_token_hint that was issued here."
                    .into()
            }
            Self::RedirectNotRegistered => {
                "The post_logout_redirect_uri is not one that is registered for this app.".into()
            }
            Self::MalformedState => "The parameter state must not have control characters.".into(),
        }
    }
}

/// The Client ID of the app that asks, if it says which it is.
pub fn client_id<'p>(params: &'p Params<'_>, hint: Option<&'p IdTokenHint>) -> Result<Option<&'p str>, LogoutFault> {
    match (params.get("client_id"), hint) {
        (Some(named), Some(hint)) if named != hint.audience => Err(LogoutFault::HintOfAnother),
        (Some(named), _) => Ok(Some(named)),
        (None, hint) => Ok(hint.map(|hint| hint.audience.as_str())),
    }
}

/// Where the browser is led afterwards, held against what the app is registered for; `None`: it stays here.
pub fn redirect(params: &Params<'_>, registered: Option<&[String]>) -> Result<Option<String>, LogoutFault> {
    let Some(uri) = params.get("post_logout_redirect_uri") else { return Ok(None) };
    let registered = registered.ok_or(LogoutFault::RedirectOfNobody)?;
    if !registered.iter().any(|known| known == uri) {
        return Err(LogoutFault::RedirectNotRegistered);
    }
    match params.get("state") {
        Some(state) if state.chars().any(char::is_control) => Err(LogoutFault::MalformedState),
        _ => Ok(Some(uri.into())),
    }
}
