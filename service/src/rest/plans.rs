//! Plans: those of a record, whole or in outline, and making one.

use super::body::{self, pairs};
use super::create;
use super::list::{self, ListAsker};
use super::list_entry::ListEntry;
use super::page_link::ListName;
use crate::callers::api::{RestPatient, RestTeamReader, RestWriter};
use crate::http::call::Call;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::list::ListPage;
use crate::interactions::items::record::{self, ItemRecord};
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::rest_errors::RestError;
use rules::rest_faults::ShapeFault;
use views::kinds::plan::{Plan, PlanOutline, PlanStatus};
use views::list::{ListQuery, OwnParameter};
use views::sent::{self, Sent, SentItems};
use views::view::{self, Shown, View};

const ALL: &str = "all";

/// `GET /json/treatmentPlans/mine`.
pub(crate) async fn own(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let query = asked(&call)?;
    let record = record::of_session(&call.app, &caller).await?;
    let is_wanted = |plan: &Plan| is_shown(&query, plan);
    list::answered::<Plan>(ListAsker::of(&caller, &call), &record, &query, Plan::criteria(), is_wanted).await
}

/// `GET /json/treatmentPlans/forPatient/{patientId}`.
pub(crate) async fn of_patient(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let query = asked(&call)?;
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    let is_wanted = |plan: &Plan| is_shown(&query, plan);
    list::answered::<Plan>(ListAsker::of(&caller, &call), &record, &query, Plan::criteria(), is_wanted).await
}

/// `GET /json/careplans/{patientId}`: the same without the words of their parts.
pub(crate) async fn outlines(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let query = asked(&call)?;
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    let (asker, is_wanted) = (ListAsker::of(&caller, &call), |plan: &Plan| is_shown(&query, plan));
    let page = list::page::<Plan>(asker, &record, &query, Plan::criteria(), is_wanted).await?;
    let ListPage { items, deleted, next } = page;
    let items = items.into_iter().map(|plan| Shown { item: plan.item, view: plan.view.outline() });
    let items = items.map(|plan| ListEntry::Item(Box::new(plan)));
    let entries: Vec<ListEntry<PlanOutline>> = items.chain(deleted.into_iter().map(ListEntry::Deleted)).collect();
    let of = ListName { kind: Plan::KIND, patient: &record.patient };
    list::linked(asker, of, &entries, next.as_ref())
}

/// `POST /json/treatmentPlans`: in the record of the session, or of the patient whom the plan names.
pub(crate) async fn create(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent: Sent<Plan> = sent::one(&text, Plan::demand)?;
    let record: ItemRecord = match (&sent.item.patient_id, caller.reach().record()) {
        (Some(named), _) => record::named(&app, &caller, named).await?,
        (None, Some(_)) => record::of_session(&app, &caller).await?,
        (None, None) => {
            return Err(RestError::BadRequest(ShapeFault::MissingMember("patientId").words()).into());
        }
    };
    create::made(&app, &caller, &record, &SentItems { items: vec![sent], is_array: false }).await
}

fn asked(call: &Call) -> Result<ListQuery, ApiStop> {
    Ok(view::list_query::<Plan>(&pairs(call)?, &[OwnParameter::Flag(ALL)])?)
}

/// What has ended is shown to who asks for all.
fn is_shown(query: &ListQuery, plan: &Plan) -> bool {
    query.flag(ALL) || plan.status != Some(PlanStatus::Ended)
}
