//! Callers of the two APIs: building one *is* the authorisation.
//!
//! A handler that takes one of these types cannot be reached without a token that opens its API and permits what the
//! handler does; what the caller may see is in `reach`, which every record query demands.

use super::bearer::authorise;
use super::caller::Caller;
use super::requirement::{Requirement, Who};
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::clients::Api;
use rules::consent::caller::writing_team;
use rules::ids::OrganisationId;
use rules::reach;
use rules::rest_errors::RestError;
use rules::scope::Scope;
use std::ops::Deref;
use store::CallerKey;

/// A caller of the FHIR API.
#[derive(Debug)]
pub struct FhirReader(Caller);

/// A caller of the FHIR API who may write.
#[derive(Debug)]
pub struct FhirWriter(Caller);

/// A caller of the FHIR API who may ask whether documents were read.
#[derive(Debug)]
pub struct FhirSender(Caller);

/// A System Client that calls the FHIR API, and the organisation that it names.
#[derive(Debug)]
pub struct FhirSystem(Caller, OrganisationId);

/// A caller of the custom REST API.
#[derive(Debug)]
pub struct RestReader(Caller);

/// A caller of the custom REST API who may write.
#[derive(Debug)]
pub struct RestWriter(Caller);

/// A patient who calls the custom REST API.
#[derive(Debug)]
pub struct RestPatient(Caller);

/// A caller of the custom REST API on the side of a team: a clinician, a Team Coordinator, or the team itself.
#[derive(Debug)]
pub struct RestTeamReader(Caller);

/// The same, who may write.
#[derive(Debug)]
pub struct RestTeamWriter(Caller);

/// A Team Coordinator or a team that calls the custom REST API.
#[derive(Debug)]
pub struct RestCoordinator(Caller);

/// What a route may demand of a caller: the API, and what is made of a caller of it, or why nothing is.
macro_rules! demands {
    ($($caller:ident: $api:expr, $made:expr;)+) => {$(
        impl Requirement for $caller {
            const WHO: Who = Who::$caller;
            type Stop = ApiStop;

            async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
                let made: fn(Caller, &Parts) -> Result<Self, ApiStop> = $made;
                made(authorise(app, $api, head).await?, head)
            }

            fn taker(&self) -> Option<Taker> {
                Some(self.0.taker())
            }

            fn caller(&mut self) -> Option<&mut Caller> {
                Some(&mut self.0)
            }

            fn key(&self) -> Option<CallerKey> {
                Some(self.0.key())
            }
        }

        impl Deref for $caller {
            type Target = Caller;

            fn deref(&self) -> &Caller {
                &self.0
            }
        }
    )+};
}

demands! {
    FhirReader: Api::Fhir, |caller, _| Ok(Self(caller));
    FhirWriter: Api::Fhir, |caller, head| match is_about_consents(head) {
        true => Ok(Self(caller)),
        false => writing(permitted(caller, reach::may_write)?).map(Self),
    };
    FhirSender: Api::Fhir, |caller, _| permitted(caller, reach::may_query_read_receipts).map(Self);
    FhirSystem: Api::Fhir, |caller, _| {
        let organisation = caller.reach().organisation().filter(|_| reach::may_invite(caller.scope()));
        Ok(Self(caller, organisation.ok_or(Refusal::SystemClientsOnly)?))
    };
    RestReader: Api::CustomRest, |caller, _| Ok(Self(caller));
    RestWriter: Api::CustomRest, |caller, _| writing(scoped(caller, &[Scope::Patient, Scope::Clinician])?).map(Self);
    RestPatient: Api::CustomRest, |caller, _| scoped(caller, &[Scope::Patient]).map(Self);
    RestTeamReader: Api::CustomRest, |caller, _| scoped(caller, &[Scope::Clinician, Scope::TeamCoord]).map(Self);
    RestTeamWriter: Api::CustomRest, |caller, _| writing(scoped(caller, &[Scope::Clinician])?).map(Self);
    RestCoordinator: Api::CustomRest, |caller, _| writing(scoped(caller, &[Scope::TeamCoord])?).map(Self);
}

/// Whether a request writes Consents: who may change one is a question of its own, and a TEAMCOORD may.
fn is_about_consents(head: &Parts) -> bool {
    head.uri.path().split('/').nth(2) == Some(ResourceType::Consent.name())
}

impl FhirSystem {
    /// The organisation that it names.
    #[must_use]
    pub const fn organisation(&self) -> OrganisationId {
        self.1
    }
}

/// Refuses a caller who may not write at all.
pub fn must_write(caller: &Caller) -> Result<(), Refusal> {
    must_be_permitted(caller, reach::may_write)?;
    must_have_one_team(caller)
}

/// Refuses a session from before one team was chosen, of a user with several: it is not clear for which of them it would write.
fn must_have_one_team(caller: &Caller) -> Result<(), Refusal> {
    let reach = caller.reach();
    if reach.record().is_some() || reach.person().is_some() || reach.organisation().is_some() {
        return Ok(());
    }
    writing_team(reach.teams()).map(|_| ()).map_err(Refusal::Denied)
}

fn writing(caller: Caller) -> Result<Caller, ApiStop> {
    must_have_one_team(&caller)?;
    Ok(caller)
}

fn permitted(caller: Caller, rule: impl Fn(Option<Scope>) -> bool) -> Result<Caller, ApiStop> {
    must_be_permitted(&caller, rule)?;
    Ok(caller)
}

/// Refuses a session of the custom REST API whose scope is none of these. A team's session may what its members may.
fn scoped(caller: Caller, needs: &[Scope]) -> Result<Caller, ApiStop> {
    let is_for_team = needs.iter().any(|scope| *scope != Scope::Patient);
    match caller.scope() {
        Some(is) if !(needs.contains(&is) || is == Scope::Site && is_for_team) => {
            Err(RestError::UserTypeNotPermitted { is, needs: needs.to_vec() }.into())
        }
        _ => Ok(caller),
    }
}

/// System Clients have no user type to be wrong.
fn must_be_permitted(caller: &Caller, rule: impl Fn(Option<Scope>) -> bool) -> Result<(), Refusal> {
    match caller.scope().filter(|_| !rule(caller.scope())) {
        Some(is) => Err(Refusal::UserTypeNotPermitted { is, needs: Scope::Clinician }),
        None => Ok(()),
    }
}
