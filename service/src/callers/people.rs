//! Signed-in people of one type.

use super::caller::Caller;
use super::requirement::{Requirement, Who};
use super::sign_in::SignIn;
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::app::trouble::During;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use axum::http::request::Parts;
use rules::clients::ClientKind;
use rules::ids::PatientId;
use rules::reach::Reach;
use rules::scope::{Scope, UserType};
use store::patients;

/// A signed-in patient.
#[derive(Debug)]
pub struct PatientSignIn {
    pub person: SignIn,
    /// The id of their Patient resource.
    pub patient: String,
}

/// A signed-in patient who looks at the own record on our pages: what an app that they approve would see, without an app.
#[derive(Debug)]
pub struct RecordSignIn {
    pub person: SignIn,
    pub caller: Caller,
}

/// Somebody who is signed in, with what they may see of their own record, if they have one.
#[derive(Debug)]
pub struct AccountSignIn {
    pub person: SignIn,
    pub caller: Option<Caller>,
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
                let wrong = "This page belongs to a patient’s account.";
                Err(not_this_account(wrong, "Sign in with a patient’s account."))
            }
        }
    }

    fn taker(&self) -> Option<Taker> {
        self.person.taker()
    }
}

impl Requirement for RecordSignIn {
    const WHO: Who = Who::Patient;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let PatientSignIn { person, patient } = PatientSignIn::of(app, head).await?;
        let number = patients::find(&app.store, &patient).await.during("finding the patient")?;
        let number = number.ok_or_else(|| {
            let wrong = "There is no record of this account yet.";
            Problem::new(404, "No record yet", wrong, "It begins when a care team writes into it.")
        })?;
        Ok(Self::of_record(person, number, patient))
    }

    fn taker(&self) -> Option<Taker> {
        self.person.taker()
    }
}

impl Requirement for AccountSignIn {
    const WHO: Who = Who::Person;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let person = SignIn::of(app, head).await?;
        let Some(patient) = person.user.patient_id.clone() else { return Ok(Self { person, caller: None }) };
        let number = patients::find(&app.store, &patient).await.during("finding the patient")?;
        let Some(number) = number else { return Ok(Self { person, caller: None }) };
        let RecordSignIn { person, caller } = RecordSignIn::of_record(person, number, patient);
        Ok(Self { person, caller: Some(caller) })
    }

    fn taker(&self) -> Option<Taker> {
        self.person.taker()
    }
}

impl RecordSignIn {
    fn of_record(person: SignIn, number: PatientId, patient: String) -> Self {
        let caller = Caller {
            kind: ClientKind::User,
            scope: Some(Scope::Patient),
            reach: Reach::of_patient(number),
            patient: Some(patient),
            context: None,
            session: None,
            sign_in: Some(person.id),
            user: Some(person.user.id),
            client: None,
            taker: Taker::User(person.user.id),
            client_ids: None,
            session_ends_at: None,
            salt: None,
            glass: None,
            now: person.now,
        };
        Self { person, caller }
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

pub(super) fn not_this_account(wrong: &str, what_to_do: &'static str) -> PageStop {
    Problem::new(403, "Not for this account", wrong, what_to_do).into()
}
