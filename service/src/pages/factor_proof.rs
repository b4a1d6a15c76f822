//! `/second-factor/prove`: a signed-in person shows their second factor anew, before what can harm.

use super::code_check::{self, WRONG};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::page_form::own_path;
use crate::callers::second_factor::{self, CodeSource};
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::http::origin;
use crate::views::second_factor::CodePage;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::response::Response;
use rules::params::Params;
use store::sign_ins;

const PATH: &str = "/second-factor/prove";
const PURPOSE: &str = "prove-second-factor";

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let answer = match person.is_proven() {
        true => Ok(page::see_other(next(&params))),
        false => ask(&call.app, &person, &params, None).await,
    };
    person.keep(&call.app, answer)
}

pub async fn prove(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let address = origin::address(&app, &head.headers, peer);
    let proof = async {
        let params = person.own_form(&app, &head.headers, body, PURPOSE).await?;
        let from = CodeSource { headers: &head.headers, address };
        let Some(factor) = second_factor::prove(&app, from, &person.user, &params).await? else {
            return ask(&app, &person, &params, Some(WRONG)).await;
        };
        sign_ins::note_factor(&app.store, person.id, factor, person.now).await.during("noting a second factor")?;
        Ok(page::see_other(next(&params)))
    };
    let answer = proof.await;
    person.keep(&app, answer)
}

fn next<'p>(params: &'p Params<'_>) -> &'p str {
    own_path(params.get("next").unwrap_or_default())
}

async fn ask(app: &App, person: &SignIn, params: &Params<'_>, problem: Option<&str>) -> Result<Response, PageStop> {
    let page = CodePage {
        frame: person.frame(app, PATH),
        action: PATH,
        form: person.form(app, PURPOSE),
        next: next(params).into(),
        why: "What you are about to do could harm you in the wrong hands. Show your second factor once more.",
        remember_days: None,
        question: second_factor::question(app, &person.user).await?,
        problem: problem.map(String::from),
    };
    Ok(code_check::answer(app, &page))
}
