//! `GET /json/accessLog`: who looked at the own record and who changed it, as JSON or as a table.

use super::body::pairs;
use super::list::{self, ListAsker};
use super::page_link::{self, ListName};
use crate::callers::api::RestPatient;
use crate::formats::csv;
use crate::http::call::Call;
use crate::interactions::access_lines::{self, LogRequest};
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use rules::moment::Moment;
use rules::rest_faults::LOG_LINES;
use store::ledger::LedgerPosition;
use views::kinds::log_line::LogLine;
use views::list::{ListQuery, OwnParameter};
use views::order::ListKey;
use views::section::Section;

const PARAMETERS: &[&str] = &["from", "to", "limit", "after"];
const SECTION: &str = "section";
const OWN: &str = "own";
const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8");
const COLUMNS: [&str; 15] = [
    "when",
    "action",
    "section",
    "count",
    "fhirReferences",
    "right",
    "whoType",
    "whoId",
    "whoName",
    "team",
    "organisation",
    "product",
    "owner",
    "grantedBy",
    "reason",
];

pub(crate) async fn show(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let own = [OwnParameter::Word(SECTION, Section::WORDS), OwnParameter::Flag(OWN)];
    let query = ListQuery::read_only(&pairs(&call)?, PARAMETERS, &own)?;
    let (_, _, patient) = access_lines::owner(&caller)?;
    let of = ListName { kind: "accessLog", patient };
    let after = query.after.as_deref().map(|after| page_link::open(&call.app.keys, &caller, of, after)).transpose()?;
    let request = LogRequest {
        section: query.own(SECTION).and_then(Section::named),
        is_own_wanted: query.flag(OWN),
        limit: query.limit.unwrap_or(LOG_LINES),
        before: after.and_then(|key| place(&key)).unwrap_or(LedgerPosition::NEWEST),
        query: &query,
    };
    let (lines, next) = access_lines::list(&call.app, &caller, &request).await?;
    let next = next.map(|next| ListKey { date: Some(next.at.0), id: next.id.to_string() });
    let mut answer = list::linked(ListAsker::of(&caller, &call), of, &lines, next.as_ref())?;
    if wants_table(&call.head.headers) {
        *answer.body_mut() = Body::from(table(&lines));
        answer.headers_mut().insert(header::CONTENT_TYPE, CSV);
    }
    Ok(answer)
}

fn place(key: &ListKey) -> Option<LedgerPosition> {
    Some(LedgerPosition { at: Moment(key.date?), id: key.id.parse().ok()? })
}

fn wants_table(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let first = accepted.split([',', ';']).next().unwrap_or_default();
    first.trim().eq_ignore_ascii_case("text/csv")
}

/// The same as a file for a spreadsheet.
fn table(lines: &[LogLine]) -> String {
    let head = csv::row(&COLUMNS.map(String::from));
    std::iter::once(head).chain(lines.iter().map(|line| csv::row(&cells(line)))).collect()
}

fn cells(line: &LogLine) -> [String; 15] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (who, app) = (line.who.as_ref(), line.app.as_ref());
    [
        line.when.clone(),
        line.action.word().into(),
        line.section.word().into(),
        line.count.to_string(),
        line.fhir_references.join(" "),
        text(&line.right),
        who.map_or("", |who| who.party_type.word()).into(),
        who.map(|who| who.id.clone()).unwrap_or_default(),
        who.and_then(|who| who.name.clone()).unwrap_or_default(),
        text(&line.team),
        text(&line.organisation),
        app.map(|app| app.product.clone()).unwrap_or_default(),
        app.and_then(|app| app.owner.clone()).unwrap_or_default(),
        text(&line.granted_by),
        text(&line.reason),
    ]
}
