//! Who a user is to a client (OpenID Connect): the claims of id_tokens, of userinfo and of introspection, each said in one place.

use crate::app::App;
use crate::app::subjects::{self, Sector};
use crate::app::trouble::Trouble;
use rules::smart::request::SmartScopes;
use rules::smart::word::SmartScope;
use store::attestation::Attestation;

/// Who somebody is, as far as a session's scopes tell it.
pub(super) struct Identity {
    pub(super) sub: String,
    pub(super) fhir_user: Option<String>,
    pub(super) name: Option<String>,
}

/// What a session tells its client of who its user is; `None` where `openid` was not granted.
pub(super) async fn of(app: &App, attested: &Attestation) -> Result<Option<Identity>, Trouble> {
    let scopes = SmartScopes::kept(&attested.scopes);
    if !scopes.has(&SmartScope::OpenId) {
        return Ok(None);
    }
    let sub = subject(app, attested).await?;
    let fhir_user = scopes.has(&SmartScope::FhirUser).then(|| fhir_path(attested.patient.as_deref())).flatten();
    Ok(Some(Identity {
        sub,
        fhir_user: fhir_user.map(|path| format!("{}{path}", app.settings.base_url)),
        name: scopes.has(&SmartScope::Profile).then(|| attested.name.clone()),
    }))
}

/// By which id the session's client knows its user.
pub(super) async fn subject(app: &App, attested: &Attestation) -> Result<String, Trouble> {
    let sector = attested.sector.as_deref().map_or(Sector::OfClient(&attested.client), Sector::Named);
    subjects::subject(app, sector, attested.user).await
}

/// Where a user with this Patient of their own is in FHIR; other users are nobody there.
pub(super) fn fhir_path(patient: Option<&str>) -> Option<String> {
    patient.map(|id| format!("/fhir/Patient/{id}"))
}
