//! A signed-in ADMIN: looks after organisations, teams, accounts and clients, and sees nothing of any record.

use super::people::not_this_account;
use super::requirement::{Requirement, Who};
use super::sign_in::SignIn;
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::voices::page::PageStop;
use axum::http::request::Parts;
use rules::scope::UserType;

#[derive(Debug)]
pub struct AdminSignIn(pub SignIn);

impl Requirement for AdminSignIn {
    const WHO: Who = Who::Admin;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let person = SignIn::of(app, head).await?;
        if person.user.user_type == UserType::Admin {
            return Ok(Self(person));
        }
        let wrong = "This page is for administrators.";
        Err(not_this_account(wrong, "Sign in with an administrator’s account."))
    }

    fn taker(&self) -> Option<Taker> {
        self.0.taker()
    }
}
