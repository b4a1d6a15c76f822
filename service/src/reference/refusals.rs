//! Every refusal of the rules as a table: its code, its words, what it means, and what to do about it.

use crate::views::reference::{ReferenceTable, RefusalSection};
use crate::voices::token;
use rules::answers::{Refusal, answer_in};
use rules::clients::Api;
use rules::guidance::{Guidance, authorization, calls, token_requests};
use rules::oauth_errors::TokenRefusal;

pub(super) fn sections() -> Vec<RefusalSection> {
    let api = calls::every();
    let calls = unlike(api.iter().map(of_call));
    let tokens = token_requests::every();
    let tokens = unlike(tokens.iter().map(of_token_request));
    let faults = authorization::every_fault();
    let faults = unlike(faults.iter().map(|fault| {
        let Guidance { meaning, remedy } = authorization::of_fault(fault);
        [fault.words().into_owned(), meaning.into(), remedy.into()]
    }));
    let redirects = authorization::every_redirect_error().map(|error| {
        let Guidance { meaning, remedy } = authorization::of_redirect_error(error);
        [error.word().into(), meaning.into(), remedy.into()]
    });
    vec![
        RefusalSection {
            id: "refusals-of-calls",
            title: "Refusals of the two APIs",
            about: "The FHIR API says an OperationOutcome with the code in issue.details.coding and the words in \
                    issue.diagnostics; the custom REST API says the code in errorCode and the words in errorMessage. \
                    Where words vary with the request, … stands for them.",
            table: ReferenceTable::new(
                "Refusals of the two APIs".into(),
                ["Code", "Status", "FHIR issue", "Words", "Meaning", "What to do"],
                calls,
            ),
        },
        RefusalSection {
            id: "refusals-of-token-requests",
            title: "Refusals of the token, revocation, introspection, pushed request and registration endpoints",
            about: "JSON with error and error_description (RFC 6749 5.2). Beside these, error is invalid_request with 413, \
                    temporarily_unavailable with 429 and 503, and server_error with 500. Where words vary with the request, … stands \
                    for them.",
            table: ReferenceTable::new(
                "Refusals of token requests".into(),
                ["Error", "Status", "Words", "Meaning", "What to do"],
                tokens,
            ),
        },
        RefusalSection {
            id: "refusals-of-redirects",
            title: "Errors in redirects",
            about: "A request that was right and led to no access comes back to the app with error, state and iss.",
            table: ReferenceTable::new(
                "Errors in redirects".into(),
                ["Error", "Meaning", "What to do"],
                redirects.into(),
            ),
        },
        RefusalSection {
            id: "refusals-of-authorization-requests",
            title: "What the authorization endpoint's error page says",
            about: "A request that is wrong in itself is never redirected: the person sees these words, with status 400.",
            table: ReferenceTable::new(
                "Faults of authorization requests".into(),
                ["Words", "Meaning", "What to do"],
                faults,
            ),
        },
    ]
}

fn of_call(refusal: &Refusal) -> [String; 6] {
    let (fhir, rest) = (answer_in(Api::Fhir, refusal), answer_in(Api::CustomRest, refusal));
    let status = match rest.status {
        same if same == fhir.status => same.to_string(),
        other => format!("{}; {other} over custom REST", fhir.status),
    };
    let Guidance { meaning, remedy } = calls::guidance(refusal);
    [fhir.code.into(), status, fhir.issue.into(), fhir.message.into_owned(), meaning.into(), remedy.into()]
}

fn of_token_request(refusal: &TokenRefusal) -> [String; 5] {
    let (plain, basic) = (token::status(refusal, false).as_u16(), token::status(refusal, true).as_u16());
    let status = if plain == basic { plain.to_string() } else { format!("{plain}; {basic} with HTTP Basic") };
    let Guidance { meaning, remedy } = token_requests::guidance(refusal);
    [refusal.error().word().into(), status, refusal.description().into_owned(), meaning.into(), remedy.into()]
}

/// Rows that say the same stand once.
fn unlike<const N: usize>(rows: impl Iterator<Item = [String; N]>) -> Vec<[String; N]> {
    let mut unlike: Vec<[String; N]> = Vec::new();
    for row in rows {
        if !unlike.contains(&row) {
            unlike.push(row);
        }
    }
    unlike
}
