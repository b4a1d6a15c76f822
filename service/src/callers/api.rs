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
use rules::reach;
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
pub struct FhirSystem {
    caller: Caller,
    organisation: OrganisationId,
}

/// A caller of the custom REST API.
#[derive(Debug)]
pub struct RestReader(Caller);

/// A caller of the custom REST API who may write.
#[derive(Debug)]
pub struct RestWriter(Caller);

/// What a route may demand of a caller: the API, whether a rule permits it, and what is made of a caller whom it permits.
macro_rules! demands {
    ($($caller:ident: $api:expr, $permits:expr;)+) => {$(
        impl Requirement for $caller {
            const WHO: Who = Who::$caller;
            type Stop = ApiStop;

            async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
                let caller = authorise(app, $api, &head.headers).await?;
                must_be_permitted(&caller, $permits)?;
                Ok(Self(caller))
            }

            fn taker(&self) -> Option<Taker> {
                Some(self.0.taker())
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
    FhirReader: Api::Fhir, |_| true;
    FhirWriter: Api::Fhir, reach::may_write;
    FhirSender: Api::Fhir, reach::may_query_read_receipts;
    RestReader: Api::CustomRest, |_| true;
    RestWriter: Api::CustomRest, reach::may_write;
}

impl Requirement for FhirSystem {
    const WHO: Who = Who::FhirSystem;
    type Stop = ApiStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, ApiStop> {
        let caller = authorise(app, Api::Fhir, &head.headers).await?;
        let organisation = caller.reach().organisation().filter(|_| reach::may_invite(caller.scope()));
        let organisation = organisation.ok_or(Refusal::SystemClientsOnly)?;
        Ok(Self { caller, organisation })
    }

    fn taker(&self) -> Option<Taker> {
        Some(self.caller.taker())
    }

    fn key(&self) -> Option<CallerKey> {
        Some(self.caller.key())
    }
}

impl Deref for FhirSystem {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl FhirSystem {
    /// The organisation that it names.
    #[must_use]
    pub const fn organisation(&self) -> OrganisationId {
        self.organisation
    }
}

/// Refuses a caller who may not write at all.
pub fn must_write(caller: &Caller) -> Result<(), Refusal> {
    must_be_permitted(caller, reach::may_write)
}

/// System Clients have no user type to be wrong.
fn must_be_permitted(caller: &Caller, rule: impl Fn(Option<Scope>) -> bool) -> Result<(), Refusal> {
    match caller.scope().filter(|_| !rule(caller.scope())) {
        Some(is) => Err(Refusal::UserTypeNotPermitted { is, needs: Scope::Clinician }),
        None => Ok(()),
    }
}
