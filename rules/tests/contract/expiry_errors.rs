//! The expiry-error table: what each client kind hears in each API when its token or session is over.

use super::{
    client_kinds::{each_kind_once, kind_named},
    markdown::Table,
};
use rules::answers::{Refusal, answer};
use rules::clients::{Api, ClientKind};
use rules::lifecycle::Lapse;

const COLUMNS: [(&str, Lapse, Api); 4] = [
    ("Expired access token, custom REST API", Lapse::TokenExpired, Api::CustomRest),
    ("Expired access token, FHIR API", Lapse::TokenExpired, Api::Fhir),
    ("Expired session, custom REST API", Lapse::SessionExpired, Api::CustomRest),
    ("Expired session, FHIR API", Lapse::SessionExpired, Api::Fhir),
];

/// What a cell says of the answer.
enum Said {
    MessageBegins(String),
    Code(String),
    Status(u16),
    SameAs(ClientKind),
    CannotCallCustomRest,
    HasNoRefreshTokens,
}

/// Holds the rules to every cell of the table.
pub(crate) fn hold(contract: &str) {
    let header: Vec<&str> = ["Client kind"].into_iter().chain(COLUMNS.map(|(name, ..)| name)).collect();
    let table = Table::headed(contract, &header);
    let mut kinds = Vec::new();
    for row in table.rows() {
        let kind = row.first().means(kind_named);
        kinds.push(kind);
        for (column, lapse, api) in COLUMNS {
            let cell = row.cell(column);
            let answered = answer(&Refusal::Lapsed(kind, lapse));
            match cell.means(said) {
                Said::MessageBegins(words) => {
                    assert!(answered.message.starts_with(&words), "{}: {:?}", cell.place(), answered.message);
                }
                Said::Code(code) => assert_eq!(answered.code, code, "{}", cell.place()),
                Said::Status(status) => assert_eq!(answered.status, status, "{}", cell.place()),
                Said::SameAs(other) => {
                    assert_eq!(answered, answer(&Refusal::Lapsed(other, lapse)), "{}", cell.place());
                }
                Said::CannotCallCustomRest => {
                    assert_eq!(api, Api::CustomRest, "{}", cell.place());
                    assert!(!kind.may_call(Api::CustomRest), "{}", cell.place());
                    let refused = answer(&Refusal::ClientKindNotPermitted(kind));
                    assert_eq!((refused.status, refused.code), (403, "USER_TYPE_NOT_PERM"), "{}", cell.place());
                }
                Said::HasNoRefreshTokens => {
                    assert!(!kind.may_hold_refresh_token() && !kind.has_session(), "{}", cell.place());
                }
            }
        }
    }
    each_kind_once(&kinds);
    table.was_held_in_every_cell();
}

fn said(text: &str) -> Option<Said> {
    match text {
        "Not applicable (cannot call the custom REST API)" => return Some(Said::CannotCallCustomRest),
        "Not applicable (no refresh tokens)" => return Some(Said::HasNoRefreshTokens),
        _ => {}
    }
    if let Some(words) = text.strip_prefix("`errorMessage` in the returned JSON begins with ") {
        return quoted(words).map(Said::MessageBegins);
    }
    if let Some(status) = text.strip_prefix("HTTP ") {
        return status.parse().ok().map(Said::Status);
    }
    if let Some(kind) = text.strip_prefix("Same as ") {
        return kind_named(kind).map(Said::SameAs);
    }
    quoted(text.strip_prefix("Error code ").unwrap_or(text)).map(Said::Code)
}

/// The inside of a text that is one `quotation`.
fn quoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('`')?.strip_suffix('`')?;
    (!inside.is_empty() && !inside.contains('`')).then(|| inside.to_owned())
}
