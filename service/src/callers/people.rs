//! Signed-in people of one type.

use super::requirement::{Requirement, Who};
use super::sign_in::SignIn;
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use axum::http::request::Parts;
use rules::scope::UserType;

/// A signed-in patient.
#[derive(Debug)]
pub struct PatientSignIn {
    pub person: SignIn,
    /// The id of their Patient resource.
    pub patient: String,
}

/// A signed-in Team Coordinator.
#[derive(Debug)]
pub struct CoordinatorSignIn(pub SignIn);

impl Requirement for PatientSignIn {
    const WHO: Who = Who::Patient;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let person = SignIn::of(app, head).await?;
        match person.user.patient_id.clone() {
            Some(patient) => Ok(Self { person, patient }),
            None => {
                let wrong = "The access log belongs to a patient’s account.";
                Err(not_this_account(wrong, "Sign in with a patient’s account."))
            }
        }
    }

    fn taker(&self) -> Option<Taker> {
        self.person.taker()
    }
}

impl Requirement for CoordinatorSignIn {
    const WHO: Who = Who::Coordinator;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let person = SignIn::of(app, head).await?;
        if person.user.user_type == UserType::TeamCoord {
            return Ok(Self(person));
        }
        let wrong = "This page is for Team Coordinators.";
        Err(not_this_account(wrong, "Sign in with a Team Coordinator’s account."))
    }

    fn taker(&self) -> Option<Taker> {
        self.0.taker()
    }
}

fn not_this_account(wrong: &str, what_to_do: &'static str) -> PageStop {
    Problem::new(403, "Not for this account", wrong, what_to_do).into()
}
