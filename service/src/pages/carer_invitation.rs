//! `/sharing/carer`: a patient invites somebody who has an account here to care for the record.

use super::sharing::{PATH, own};
use super::sharing_words;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::callers::people::RecordSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::interactions::consents::label_counts::LabelCounts;
use crate::interactions::consents::shared;
use crate::views::password::FieldProblem;
use crate::views::sharing::CarerInvitationPage;
use crate::voices::page::{self, PageStop};
use axum::http::StatusCode;
use axum::response::Response;
use rules::labels::Label;
use rules::params::Params;
use rules::scope::UserType;
use store::people;
use views::kinds::consent::{ActorType, ConsentView, SentConsent};

const PURPOSE: &str = "invite-carer";
const EMAIL: &str = "email";
const MANAGES: &str = "manages";

/// What was filled in.
#[derive(Debug)]
struct InvitationFields {
    email: String,
    labels: Vec<Label>,
    manages: bool,
}

impl InvitationFields {
    fn of(params: &Params<'_>) -> Self {
        Self {
            email: params.get(EMAIL).unwrap_or_default().trim().to_owned(),
            labels: sharing_words::ticked(params),
            manages: params.get(MANAGES).is_some(),
        }
    }
}

/// `GET /sharing/carer`.
pub async fn show(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let fields = InvitationFields { email: String::new(), labels: vec![Label::GeneralHealth], manages: false };
    let answer = form(&call.app, (&person, &caller), fields, None).await;
    person.keep(&call.app, answer)
}

/// `POST /sharing/carer`.
pub async fn invite(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let inviting = async {
        let params = person.own_form(&app, &head.headers, body, PURPOSE).await?;
        let fields = InvitationFields::of(&params);
        match invited(&app, &caller, &fields).await? {
            Ok(()) => Ok(page::see_other(&format!("{PATH}?done=invited"))),
            Err(problem) => form(&app, (&person, &caller), fields, Some(problem)).await,
        }
    };
    let answer = inviting.await;
    person.keep(&app, answer)
}

async fn invited(app: &App, caller: &Caller, fields: &InvitationFields) -> Result<Result<(), FieldProblem>, PageStop> {
    let wrong = |field, text: &str| Ok(Err(FieldProblem { text: text.to_owned(), field }));
    if fields.labels.is_empty() {
        return wrong("label-0", "Choose what they may see: tick at least one label.");
    }
    let record = own(caller)?;
    let user = people::find(&app.store, &fields.email).await.during("looking an account up")?;
    let user = user.filter(|user| user.user_type == UserType::Patient);
    let carer = user.and_then(|user| user.patient_id).filter(|carer| *carer != record.patient);
    let Some(carer) = carer else {
        return wrong(EMAIL, "We know no other person’s account of this name. They need an account here of their own.");
    };
    let named = ConsentView {
        actor_type: ActorType::Carer,
        actor_id: Some(carer),
        manages: Some(fields.manages),
        ..ConsentView::default()
    };
    let consent = sharing_words::with_labels(named, &fields.labels);
    let sent = SentConsent { consent, ..SentConsent::default() };
    match shared::share(app, caller, &record.patient, &sent).await {
        Ok(_) => Ok(Ok(())),
        Err(stop) => Ok(Err(FieldProblem { text: sharing_words::refused(stop)?, field: EMAIL })),
    }
}

async fn form(
    app: &App,
    (person, caller): (&SignIn, &Caller),
    fields: InvitationFields,
    problem: Option<FieldProblem>,
) -> Result<Response, PageStop> {
    let counts = LabelCounts::of(app, caller, own(caller)?.number).await?;
    let page = CarerInvitationPage {
        frame: person.frame(app, PATH),
        email: fields.email,
        labels: sharing_words::choices(counts, &fields.labels),
        manages: fields.manages,
        form: person.form(app, PURPOSE),
        problem,
    };
    let status = if page.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page::html(status, &page))
}
