//! `/account/close`: a patient closes their account. The record is not the account's, and stays.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::login::Login;
use crate::callers::people::PatientSignIn;
use crate::callers::sign_in::{self, SignIn};
use crate::http::call::Call;
use crate::http::origin;
use crate::secrets::secret::Secret;
use crate::views::account::AccountClosePage;
use crate::views::parting::Parting;
use crate::views::password::FieldProblem;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use store::accounts::closing;

const PURPOSE: &str = "close-account";

/// `GET /account/close`.
pub async fn show(PatientSignIn { person, .. }: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    let answer = form(&call.app, &person, None);
    person.keep(&call.app, Ok(answer))
}

/// `POST /account/close`.
pub async fn close(PatientSignIn { person, .. }: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let closing = async {
        let params = person.own_form(&app, &head.headers, body, PURPOSE).await?;
        let password = Secret::new(params.get("password").unwrap_or_default().to_owned());
        let address = origin::address(&app, &head.headers, peer);
        let login = Login::new(&head.headers, address, &person.user.username, password);
        let Some(user) = login.user(&app).await? else {
            let problem = FieldProblem { text: "That is not your password.".into(), field: "password" };
            return Ok(Err(form(&app, &person, Some(problem))));
        };
        let closed = closing::close(&app.store, user.id, user.password_hash, person.now).await;
        let ended = closed.during("closing an account")?.ok_or_else(Problem::stale_form)?;
        tracing::info!(user = person.user.id.0, ended, "a user closed their account");
        Ok(Ok(page::see_other(&format!("/sign-in?why={}", Parting::AccountClosed.word()))))
    };
    match closing.await {
        Ok(Ok(gone)) => Ok(sign_in::forget(&app, gone)),
        Ok(Err(anew)) => person.keep(&app, Ok(anew)),
        Err(stop) => person.keep(&app, Err(stop)),
    }
}

fn form(app: &App, person: &SignIn, problem: Option<FieldProblem>) -> Response {
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = AccountClosePage { frame: person.frame(app, "/account"), form: person.form(app, PURPOSE), problem };
    page::html(status, &page)
}
