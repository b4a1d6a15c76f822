//! A signed-in privacy officer, who looks after the patients and the teams of one organisation and sees no item of a record.

use super::people::not_this_account;
use super::requirement::{Requirement, Who};
use super::sign_in::SignIn;
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::app::trouble::During;
use crate::voices::page::PageStop;
use axum::http::request::Parts;
use rules::scope::UserType;
use store::organisations::{self, Organisation};

/// A privacy officer, and the organisation that they are of.
#[derive(Debug)]
pub struct OfficerSignIn {
    pub person: SignIn,
    pub organisation: Organisation,
}

impl Requirement for OfficerSignIn {
    const WHO: Who = Who::Officer;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let person = SignIn::of(app, head).await?;
        let own = person.user.organisation.clone().filter(|_| person.user.user_type == UserType::PrivacyOfficer);
        let found = match own {
            Some(own) => organisations::find(&app.store, &own).await.during("finding an organisation")?,
            None => None,
        };
        let wrong = "This page is for privacy officers.";
        let organisation = found.ok_or_else(|| not_this_account(wrong, "Sign in with a privacy officer’s account."))?;
        Ok(Self { person, organisation })
    }

    fn taker(&self) -> Option<Taker> {
        self.person.taker()
    }
}
