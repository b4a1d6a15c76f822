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
use rules::answers::Refusal;
use rules::clients::Api;
use rules::ids::OrganisationId;
use rules::reach::{self, Reach};
use rules::scope::Scope;
use store::CallerKey;

/// A caller of the FHIR API.
#[derive(Debug)]
pub struct FhirReader(pub Caller);

/// A caller of the FHIR API who may write.
#[derive(Debug)]
pub struct FhirWriter(pub Caller);

/// A caller of the FHIR API who may ask whether documents were read.
#[derive(Debug)]
pub struct FhirSender(pub Caller);

/// A System Client that calls the FHIR API, and the organisation that it names.
#[derive(Debug)]
pub struct FhirSystem {
    pub caller: Caller,
    pub organisation: OrganisationId,
}

/// A caller of the custom REST API.
#[derive(Debug)]
pub struct RestReader(pub Caller);

impl Requirement for FhirReader {
    const WHO: Who = Who::FhirReader;
    type Stop = ApiStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
        authorise(app, Api::Fhir, &head.headers).await.map(Self)
    }

    fn taker(&self) -> Option<Taker> {
        Some(self.0.taker())
    }

    fn key(&self) -> Option<CallerKey> {
        Some(self.0.key())
    }
}

impl Requirement for FhirWriter {
    const WHO: Who = Who::FhirWriter;
    type Stop = ApiStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
        let caller = authorise(app, Api::Fhir, &head.headers).await?;
        permitted(caller, reach::may_write).map(Self)
    }

    fn taker(&self) -> Option<Taker> {
        Some(self.0.taker())
    }

    fn key(&self) -> Option<CallerKey> {
        Some(self.0.key())
    }
}

impl Requirement for FhirSender {
    const WHO: Who = Who::FhirSender;
    type Stop = ApiStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
        let caller = authorise(app, Api::Fhir, &head.headers).await?;
        permitted(caller, reach::may_query_read_receipts).map(Self)
    }

    fn taker(&self) -> Option<Taker> {
        Some(self.0.taker())
    }

    fn key(&self) -> Option<CallerKey> {
        Some(self.0.key())
    }
}

impl Requirement for FhirSystem {
    const WHO: Who = Who::FhirSystem;
    type Stop = ApiStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
        let caller = authorise(app, Api::Fhir, &head.headers).await?;
        match caller.reach {
            Reach::Viewers { organisation: Some(organisation), .. } if reach::may_invite(caller.scope) => {
                Ok(Self { caller, organisation })
            }
            _ => Err(Refusal::SystemClientsOnly.into()),
        }
    }

    fn taker(&self) -> Option<Taker> {
        Some(self.caller.taker())
    }

    fn key(&self) -> Option<CallerKey> {
        Some(self.caller.key())
    }
}

impl Requirement for RestReader {
    const WHO: Who = Who::RestReader;
    type Stop = ApiStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
        authorise(app, Api::CustomRest, &head.headers).await.map(Self)
    }

    fn taker(&self) -> Option<Taker> {
        Some(self.0.taker())
    }

    fn key(&self) -> Option<CallerKey> {
        Some(self.0.key())
    }
}

/// Refuses a caller who may not write at all.
pub fn must_write(caller: &Caller) -> Result<(), Refusal> {
    must_be_permitted(caller, reach::may_write)
}

/// The caller, if a rule permits its scope.
fn permitted(caller: Caller, rule: impl Fn(Option<Scope>) -> bool) -> Result<Caller, ApiStop> {
    must_be_permitted(&caller, rule)?;
    Ok(caller)
}

/// System Clients have no user type to be wrong.
fn must_be_permitted(caller: &Caller, rule: impl Fn(Option<Scope>) -> bool) -> Result<(), Refusal> {
    match caller.scope.filter(|_| !rule(caller.scope)) {
        Some(is) => Err(Refusal::UserTypeNotPermitted { is, needs: Scope::Clinician }),
        None => Ok(()),
    }
}
