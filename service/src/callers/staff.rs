//! Signed-in professionals on our own pages: a clinician, who looks through one of their teams at a time.

use super::caller::{Caller, CallerGlass};
use super::people::not_this_account;
use super::requirement::{Requirement, Who};
use super::sign_in::SignIn;
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::app::trouble::{During, Trouble};
use crate::voices::page::PageStop;
use axum::http::request::Parts;
use rules::clients::ClientKind;
use rules::consent::glass::GlassUse;
use rules::ids::SessionId;
use rules::reach::Reach;
use rules::scope::{Scope, UserType};
use store::organisations::{self, Team};
use store::sharing::glass;

/// A signed-in clinician, with the teams that they are in.
#[derive(Debug)]
pub struct ClinicianSignIn {
    pub person: SignIn,
    pub teams: Vec<Team>,
}

/// A clinician who looks through one team: what an app that they approve for it would see, without an app.
#[derive(Debug)]
pub struct TeamLook<'s> {
    pub team: &'s Team,
    pub caller: Caller,
}

impl Requirement for ClinicianSignIn {
    const WHO: Who = Who::Clinician;
    type Stop = PageStop;

    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let person = SignIn::of(app, head).await?;
        if person.user.user_type != UserType::Clinician {
            let wrong = "This page is for clinicians.";
            return Err(not_this_account(wrong, "Sign in with a clinician’s account."));
        }
        let teams = organisations::teams_of_user(&app.store, person.user.id).await.during("listing a user's teams")?;
        Ok(Self { person, teams })
    }

    fn taker(&self) -> Option<Taker> {
        self.person.taker()
    }
}

impl ClinicianSignIn {
    /// The look through the team of this public id, if they are in it.
    #[must_use]
    pub fn look(&self, team: &str) -> Option<TeamLook<'_>> {
        let team = self.teams.iter().find(|own| own.public_id == team)?;
        let caller = Caller {
            kind: ClientKind::User,
            scope: Some(Scope::Clinician),
            reach: Reach::of_member(self.person.user.id, vec![team.id]),
            patient: None,
            context: None,
            session: None,
            sign_in: Some(self.person.id),
            user: Some(self.person.user.id),
            client: None,
            taker: Taker::User(self.person.user.id),
            client_ids: None,
            session_ends_at: None,
            salt: None,
            glass: None,
            now: self.person.now,
        };
        Some(TeamLook { team, caller })
    }
}

impl TeamLook<'_> {
    /// The same through the glass that was broken in this browser for a patient, where one is open. Without a token: the cookie says
    /// whose browser it is, and the glass is bound to its sign-in.
    pub async fn of_patient(mut self, app: &App, patient: &str) -> Result<Self, Trouble> {
        let Caller { sign_in: Some(sign_in), user: Some(user), now, .. } = self.caller else { return Ok(self) };
        let call = GlassUse { session: SessionId(sign_in.0), team: self.team.id, user: Some(user), patient: None };
        let found = glass::newest(&app.store, &call, patient, now).await.during("looking for a broken glass")?;
        if let Some((id, glass, state)) = found
            && let Ok(open) = glass.opened(&call, &state, now)
        {
            self.caller.reach = self.caller.reach.through_glass(open);
            self.caller.glass = Some(CallerGlass { id, glass, patient: patient.to_owned() });
        }
        Ok(self)
    }
}
