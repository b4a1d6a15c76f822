//! `/teams/{id}/patients/{patientId}/letters/{letter}`: a clinician sees what is known of a letter and opens its files, by the same
//! pages as the patient does. That a clinician opens one is no receipt.

use super::{letters, team_record, teams};
use crate::callers::staff::ClinicianSignIn;
use crate::documents::content::ContentRecipient;
use crate::http::call::Call;
use crate::views::letter::LetterPage;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;

/// `GET /teams/{id}/patients/{patientId}/letters/{letter}`.
pub async fn show(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let (app, named) = (&call.app, team_record::named(&call));
    let letter = call.part("letter").unwrap_or_default();
    let showing = async {
        let found = team_record::find(app, &clinician, &named).await?;
        let page = letters::letter(app, &found.look.caller, found.place(), &letter).await?;
        let frame = clinician.person.frame(app, teams::PATH);
        Ok(page::html(StatusCode::OK, &LetterPage { frame, whose: Some(found.banner), ..page }))
    };
    let answer = showing.await;
    clinician.person.keep(app, answer)
}

/// `GET /teams/{id}/patients/{patientId}/letters/{letter}/files/{file}`: a file of this letter, and of no other.
pub async fn give(clinician: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let named = team_record::named(&call);
    let letter = call.part("letter").unwrap_or_default().into_owned();
    let file = call.part("file").unwrap_or_default().into_owned();
    let Call { app, head, .. } = call;
    let giving = async {
        let found = team_record::find(&app, &clinician, &named).await?;
        let caller = &found.look.caller;
        let shown = letters::found(&app, caller, found.place(), &letter).await?;
        if !shown.view.attachments.iter().any(|one| one.id() == file) {
            return Err(Problem::not_found().into());
        }
        letters::file(ContentRecipient { app: &app, taker: caller.taker(), head: &head }, caller, &file).await
    };
    let answer = giving.await;
    clinician.person.keep(&app, answer)
}
