//! `POST /fhir/DocumentReference/$read-receipt-query`: which of an organisation's documents their patients have read.

use crate::callers::api::FhirSender;
use crate::fhir::operations::invocation::{Argument, Invocation};
use crate::fhir::operations::public_table::READ_RECEIPT_QUERY;
use crate::fhir::operations::sender;
use crate::fhir::read::answer;
use crate::fhir::search::query_string;
use crate::fhir::{body, media};
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::receipts;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::answers::Refusal;
use rules::moment::Moment;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub async fn query(caller: FhirSender, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let format = query_string::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    let text = body::text(&app, &head.headers, body).await?;
    let identifiers = app.workers.run(caller.taker(), text.len(), move || identifiers(&text)).await??;
    let known = receipts::find(&app, &caller, sender::organisations(&app, caller.reach()).await?, &identifiers).await?;
    let mut listed = BTreeSet::new();
    let in_order = identifiers.iter().filter(|identifier| listed.insert(identifier.as_str()));
    let parameters: Vec<Value> = in_order.filter_map(|id| known.get(id).map(|read_at| receipt(id, *read_at))).collect();
    Ok(answer::parameters(parameters))
}

/// The identifiers that the body asks about.
fn identifiers(json: &str) -> Result<Vec<String>, Refusal> {
    let asked = Invocation::of_query(&READ_RECEIPT_QUERY, None)?.and_body(json)?.checked()?;
    let identifier = |argument: &Argument| match argument {
        Argument::Text(text) if !text.is_empty() => Some(text.clone()),
        _ => None,
    };
    asked.all("documentIdentifier").map(identifier).collect::<Option<_>>().ok_or_else(|| {
        Refusal::Invalid("every parameter must have the name documentIdentifier and a valueString".into())
    })
}

fn receipt(identifier: &str, read_at: Option<Moment>) -> Value {
    let mut parts = vec![
        json!({ "name": "documentIdentifier", "valueString": identifier }),
        json!({ "name": "read", "valueBoolean": read_at.is_some() }),
    ];
    parts.extend(read_at.map(|at| json!({ "name": "readAt", "valueDateTime": when::rfc3339(at) })));
    json!({ "name": "readReceipt", "part": parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_query_asks_about_5000_documents_at_the_most() {
        let about = |documents: usize| {
            let one = json!({ "name": "documentIdentifier", "valueString": "x" });
            json!({ "resourceType": "Parameters", "parameter": vec![one; documents] }).to_string()
        };
        assert_eq!(identifiers(&about(5000)).unwrap().len(), 5000);
        assert!(matches!(identifiers(&about(5001)), Err(Refusal::Invalid(_))));
        assert!(matches!(identifiers(&about(0)), Err(Refusal::Invalid(_))));
    }

    proptest! {
        #[test]
        fn any_body_is_read_or_refused(text in ".{0,80}", inner in "[\\[\\]{}\",:a-z0-9]{0,40}") {
            let _either = identifiers(&text);
            let _either = identifiers(&format!(r#"{{"resourceType":"Parameters","parameter":{inner}}}"#));
        }
    }
}
