//! `/coordinator/accounts`: which patients of a Team Coordinator's teams have made an account by invitation, and whose; where one is
//! ended, and where the further code is printed that some invitations ask for.

use super::team_access::teams;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::people::CoordinatorSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::team_patients;
use crate::secrets::invitation;
use crate::views::accounts::{AccountRow, AccountsPage, AwaitedRow, PaperPage, PatientText};
use crate::views::{GuardedText, TimeText};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::human_name;
use rules::ids::{PatientId, TeamId, UserId};
use rules::limits::LIST_LINES;
use rules::moment::Moment;
use rules::params::Params;
use serde_json::Value;
use store::invited_accounts::{self, Ender, InvitedAccount};
use store::papers::{self, AwaitedPatient};

const PATH: &str = "/coordinator/accounts";
const ENDED: &str = "The account was ended. Nobody can sign in with it any more.";
const NOT_ENDED: &str = "There is no such account of your teams’ patients to end.";
const NOT_PRINTED: &str = "There is nobody of your teams’ patients who needs this paper: the invitation may be over.";

/// A coordinator with the teams through which they look.
struct Coordinator<'a> {
    app: &'a App,
    person: &'a SignIn,
    teams: Vec<TeamId>,
}

pub async fn show(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let list = async {
        let notice = [("ended", ENDED), ("not_ended", NOT_ENDED), ("not_printed", NOT_PRINTED)];
        let notice = notice.into_iter().find(|(name, _)| params.get(name).is_some()).map(|(_, text)| text.to_owned());
        let page = Coordinator::new(&call.app, &person).await?.page(&params, notice).await?;
        Ok(page::html(StatusCode::OK, &page))
    };
    let answer = list.await;
    person.keep(&call.app, answer)
}

pub async fn end(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let ending = async {
        person.own_form(&app, &head.headers, body, &end_purpose(&id)).await?;
        let user = id.parse().map(UserId).map_err(|_| Problem::not_found())?;
        let by = Ender::Coordinator(person.user.id, Coordinator::new(&app, &person).await?.teams);
        let ended = invited_accounts::end(&app.store, user, by, person.now).await.during("ending an account")?;
        let told = if ended.is_some() { "ended" } else { "not_ended" };
        Ok(page::see_other(&format!("{PATH}?{told}=1")))
    };
    let answer = ending.await;
    person.keep(&app, answer)
}

/// The code is in this answer alone; whoever loads it anew prints another, which ends this one.
pub async fn print(CoordinatorSignIn(person): CoordinatorSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let printing = async {
        person.own_form(&app, &head.headers, body, &print_purpose(&id)).await?;
        let coordinator = Coordinator::new(&app, &person).await?;
        let (code, by) = (invitation::paper()?, (person.user.id, coordinator.teams.clone()));
        let printed = papers::print(&app.store, id, invitation::fingerprint(code.reveal()), by, person.now).await;
        let Some(awaited) = printed.during("printing a further code")? else {
            return Ok(page::see_other(&format!("{PATH}?not_printed=1")));
        };
        let page = PaperPage {
            frame: person.frame(&app, PATH),
            patient: coordinator.patient(&awaited.patient_id).await?,
            invited_by: awaited.organisation_name,
            code: GuardedText::new(code.reveal().to_owned()),
            until: coordinator.shown(awaited.paper_expires_at.unwrap_or(awaited.expires_at)),
            join: format!("{}/join", app.settings.base_url.as_str()),
        };
        Ok(page::html(StatusCode::OK, &page))
    };
    let answer = printing.await;
    person.keep(&app, answer)
}

/// A form ends the one account that it was made for.
fn end_purpose(user: &str) -> String {
    format!("end-account {user}")
}

fn print_purpose(patient: &str) -> String {
    format!("print-paper {patient}")
}

impl<'a> Coordinator<'a> {
    async fn new(app: &'a App, person: &'a SignIn) -> Result<Self, PageStop> {
        let teams: Vec<TeamId> = teams(app, person).await?.iter().map(|team| team.id).collect();
        Ok(Self { app, person, teams })
    }

    async fn page(&self, params: &Params<'_>, notice: Option<String>) -> Result<AccountsPage, PageStop> {
        let number = |name: &str| params.get(name).and_then(|id| id.parse().ok());
        let one_more = i64::try_from(LIST_LINES + 1).unwrap_or(i64::MAX);
        let before = number("before").map_or(invited_accounts::NEWEST, UserId);
        let found = invited_accounts::of_teams(&self.app.store, &self.teams, before, one_more).await;
        let found = found.during("listing accounts")?;
        let last = found.get(LIST_LINES - 1).filter(|_| found.len() > LIST_LINES);
        let older = last.map(|last| format!("{PATH}?before={}", last.user));
        let after = PatientId(number("after").unwrap_or_default());
        let waiting = papers::awaited(&self.app.store, &self.teams, after, one_more, self.person.now).await;
        let waiting = waiting.during("listing who needs a further code")?;
        let last = waiting.get(LIST_LINES - 1).filter(|_| waiting.len() > LIST_LINES);
        let more_awaited = last.map(|last| format!("{PATH}?after={}", last.patient));
        let (mut accounts, mut awaited) = (Vec::new(), Vec::new());
        for account in found.iter().take(LIST_LINES) {
            accounts.push(self.account(account).await?);
        }
        for one in waiting.iter().take(LIST_LINES) {
            awaited.push(self.awaited(one).await?);
        }
        Ok(AccountsPage { frame: self.person.frame(self.app, PATH), notice, accounts, older, awaited, more_awaited })
    }

    async fn account(&self, account: &InvitedAccount) -> Result<AccountRow, PageStop> {
        let id = account.user.to_string();
        Ok(AccountRow {
            patient: self.patient(&account.patient_id).await?,
            invited_by: account.organisation_name.clone(),
            made: self.shown(account.made_at),
            ended: account.ended_at.map(|at| self.shown(at)),
            form: self.person.form(self.app, &end_purpose(&id)),
            end_action: format!("{PATH}/end/{id}"),
        })
    }

    async fn awaited(&self, awaited: &AwaitedPatient) -> Result<AwaitedRow, PageStop> {
        Ok(AwaitedRow {
            patient: self.patient(&awaited.patient_id).await?,
            invited_by: awaited.organisation_name.clone(),
            until: self.shown(awaited.expires_at),
            printed_until: awaited.paper_expires_at.map(|at| self.shown(at)),
            form: self.person.form(self.app, &print_purpose(&awaited.patient_id)),
            print_action: format!("{PATH}/paper/{}", awaited.patient_id),
        })
    }

    /// The patient as the teams see them, which is a look at the Patient and is noted as one.
    async fn patient(&self, id: &str) -> Result<PatientText, PageStop> {
        let (app, now) = (self.app, self.person.now);
        let found = team_patients::find(app, (self.person.user.id, &self.teams), id, now).await?;
        let body: Value = found.and_then(|found| serde_json::from_str(&found.body).ok()).unwrap_or_default();
        Ok(PatientText {
            name: human_name::written(&body).unwrap_or_else(|| "A patient without a name".into()),
            id: id.to_owned(),
            born: body.get("birthDate").and_then(Value::as_str).map(String::from),
        })
    }

    fn shown(&self, moment: Moment) -> TimeText {
        TimeText::new(moment, &self.app.settings.time_zone)
    }
}
