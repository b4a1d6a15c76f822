//! What a patient types to write a message, and the message that comes of it: sent by the interaction that the custom REST API asks,
//! once for one form with the same in it.

use super::refusals;
use super::typed_form::{self, JsonBody, MemberFault, TypedForm, field};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::items::record::ItemRecord;
use crate::interactions::messages;
use crate::views::password::FieldProblem;
use crate::views::record_form::{FieldKind, FormField};
use crate::voices::api::ApiStop;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use rules::limits::TEXT_CHARACTERS;
use rules::params::{Params, TEXT_FIELD};
use serde_json::{Value, json};
use views::elements::party::Party;
use views::kinds::message::Message;
use views::sent;
use views::view::View;

pub(super) const TO: &str = "to";
pub(super) const SUBJECT: &str = "subject";
pub(super) const PRIVATE: &str = "private";
pub(super) const FIELDS: [&str; 4] = [TEXT_FIELD, TO, SUBJECT, PRIVATE];
const FAULTS: [MemberFault; 3] = [
    ("content", TEXT_FIELD, "Write something, in plain text."),
    ("subject", SUBJECT, "Write the subject in plain text."),
    ("recipients", TO, "Choose to whom you write."),
];

pub(super) fn text(typed: &TypedForm, label: &str) -> FormField {
    FormField { is_required: true, ..field(typed, TEXT_FIELD, label, FieldKind::Text(TEXT_CHARACTERS)) }
}

pub(super) fn private(typed: &TypedForm) -> FormField {
    let label = "Only I and those to whom I write can read it";
    let hint = "Otherwise everybody can with whom you share items of its privacy label.".into();
    FormField { hint: Some(hint), ..field(typed, PRIVATE, label, FieldKind::Tick) }
}

/// The message of a form, as an app would send it.
pub(super) fn body_of(typed: &TypedForm, recipients: &[Party]) -> JsonBody {
    let recipients: Vec<Value> = recipients
        .iter()
        .map(|party| json!({ "type": party.party_type.word(), "id": party.id, "name": party.name }))
        .collect();
    JsonBody::default()
        .text("subject", typed.get(SUBJECT))
        .text("content", typed.get(TEXT_FIELD))
        .value("private", &Value::from(!typed.get(PRIVATE).is_empty()))
        .value("recipients", &recipients.into())
}

/// Sends a message, once for one form with the same in it.
pub(super) async fn sent_once(
    (app, caller): (&App, &Caller),
    own: &ItemRecord,
    sealed: &str,
    body: JsonBody,
) -> Result<(), ApiStop> {
    let once = typed_form::once(sealed, &body);
    let sent = sent::one::<Message>(&body.text("externalId", &once).print(), Message::demand)?;
    messages::send(app, caller, own, sent).await?;
    Ok(())
}

/// What stands in the way of a message, at the fields where it can be mended; at this one where none is named.
pub(super) fn problems(stop: ApiStop, otherwise: &'static str) -> Result<Vec<FieldProblem>, PageStop> {
    let told = match &stop {
        ApiStop::Rest(error) => typed_form::problems(error, &FAULTS),
        _ => Vec::new(),
    };
    if told.is_empty() {
        return Ok(vec![FieldProblem { text: refusals::unwritten(stop)?, field: otherwise }]);
    }
    Ok(told)
}

/// What an address asks for.
pub(super) fn params(call: &Call) -> Result<Params<'_>, Problem> {
    forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())
}
