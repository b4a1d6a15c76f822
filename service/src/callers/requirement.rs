//! What a route demands of its caller: a type that the handler takes. A row of the list of routes cannot say anything else.

use super::caller::Caller;
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::voices::stop::Stop;
use axum::http::request::Parts;
use std::convert::Infallible;
use store::CallerKey;

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Anyone,
    /// A caller of the FHIR API.
    FhirReader,
    /// A caller of the FHIR API who may write.
    FhirWriter,
    /// A caller of the FHIR API on the side of those who send documents: not a patient.
    FhirSender,
    /// A System Client that calls the FHIR API for the organisation that it names.
    FhirSystem,
    /// A caller of the custom REST API.
    RestReader,
    /// A caller of the custom REST API who may write.
    RestWriter,
    /// A patient who calls the custom REST API.
    RestPatient,
    /// A clinician, a Team Coordinator or a team that calls the custom REST API.
    RestTeamReader,
    /// The same who may write: not a Team Coordinator.
    RestTeamWriter,
    /// A Team Coordinator or a team that calls the custom REST API.
    RestCoordinator,
    /// A signed-in person.
    Person,
    /// A signed-in patient.
    Patient,
    /// A signed-in Team Coordinator.
    Coordinator,
    /// A signed-in clinician.
    Clinician,
    /// A signed-in privacy officer.
    Officer,
    /// A signed-in administrator.
    Admin,
}

impl Who {
    /// Whether it is a caller of the custom REST API.
    #[must_use]
    pub const fn is_of_rest(self) -> bool {
        matches!(
            self,
            Self::RestReader
                | Self::RestWriter
                | Self::RestPatient
                | Self::RestTeamReader
                | Self::RestTeamWriter
                | Self::RestCoordinator
        )
    }
}

/// A caller that fulfils what a route demands. Building one is the authorisation: a handler that takes one cannot be
/// reached without it.
pub trait Requirement: Sized + Send {
    const WHO: Who;
    type Stop: Stop + 'static;

    fn of(app: &App, head: &Parts) -> impl Future<Output = Result<Self, Self::Stop>> + Send;

    /// Who takes the answer; `None` where nobody has said who they are.
    fn taker(&self) -> Option<Taker>;

    /// The caller of one of the two APIs.
    fn caller(&mut self) -> Option<&mut Caller> {
        None
    }

    /// Whose work it is to answer, as the store's queues know them.
    fn key(&self) -> Option<CallerKey> {
        self.taker().map(Taker::key)
    }
}

/// Whoever calls.
#[derive(Clone, Copy, Debug)]
pub struct Anyone;

impl Requirement for Anyone {
    const WHO: Who = Who::Anyone;
    type Stop = Infallible;

    async fn of(_: &App, _: &Parts) -> Result<Self, Infallible> {
        Ok(Self)
    }

    fn taker(&self) -> Option<Taker> {
        None
    }
}
