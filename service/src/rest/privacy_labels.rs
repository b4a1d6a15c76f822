//! `PUT /json/privacyLabels/{resourceType}/{id}`: the label of an item of any type.

use super::answer;
use super::body;
use crate::callers::api::RestWriter;
use crate::http::call::Call;
use crate::interactions::absence;
use crate::interactions::relabelling;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use fhir::types;
use rules::answers::Refusal;
use rules::labels::Label;
use views::item::PrivacyLabel;
use views::kinds::labelling::{LabelSent, LabelledItem};
use views::sent;

pub(crate) async fn set(caller: RestWriter, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let name = call.part("resourceType").unwrap_or_default().into_owned();
    let of = types::named(&name).ok_or_else(|| absence::no_such_type(&name))?;
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent: LabelSent = sent::body(&text)?;
    if !reference::is_id(&id) {
        return Err(absence::not_there(of).into());
    }
    let label = Label::named(sent.privacy_label.word()).ok_or(Refusal::Trouble)?;
    let now = relabelling::relabel(&app, &caller, (of, &id), label).await?;
    let shown = LabelledItem {
        fhir_reference: format!("{}/{id}", of.name()),
        privacy_label: now.label.and_then(|label| PrivacyLabel::named(label.code())),
        version: now.stored.version,
    };
    answer::json(StatusCode::OK, &shown)
}
