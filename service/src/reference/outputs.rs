//! What a route can answer: what its row states, what its caller's requirement adds, and what its voice can always say.

use super::listing::{Listing, ParameterPlace, Payload, Schema};
use crate::callers::requirement::Who;
use crate::voices::stop::Voice;
use axum::http::Method;

/// One answer of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    pub status: u16,
    pub payload: Payload,
    pub meaning: &'static str,
}

impl Listing {
    /// Every status that it can answer with, in order.
    fn every_status(&self) -> Vec<u16> {
        let mut all = vec![self.success()];
        all.extend(self.statuses);
        all.extend(of_caller(self.who));
        all.extend(of_voice(self.voice, self.who, &self.method));
        let has_free_part = self.inputs.iter().any(|input| input.place == ParameterPlace::Path);
        if has_free_part && self.method == Method::GET {
            all.push(404);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Every answer, in the order of their statuses.
    #[must_use]
    pub fn outputs(&self) -> Vec<Output> {
        self.every_status().into_iter().map(|status| self.output(status)).collect()
    }

    /// A page's form ends in a redirect, and what was created is 201.
    fn success(&self) -> u16 {
        match (self.voice, self.payload) {
            (_, Payload::Acceptance) => 202,
            (Voice::Fhir | Voice::Rest | Voice::Token, Payload::Nothing) => 204,
            (_, Payload::Nothing) => 303,
            (_, Payload::Json(Schema::PushedRequest | Schema::ClientRegistration)) => 201,
            (Voice::Fhir, _) if self.who == Who::FhirWriter && self.method == Method::POST => 201,
            (Voice::Rest, _) if (self.body.is_some() || self.file_body.is_some()) && self.method == Method::POST => 201,
            _ => 200,
        }
    }

    fn output(&self, status: u16) -> Output {
        let payload = match status {
            200 | 201 | 206 => self.payload,
            204 | 303 | 304 => Payload::Nothing,
            // Said before the part is asked that answers.
            431 if self.voice == Voice::Health => Payload::Html,
            _ => refusal_payload(self.voice),
        };
        Output { status, payload, meaning: meaning(self.voice, status) }
    }
}

const fn of_caller(who: Who) -> &'static [u16] {
    match who {
        Who::Anyone => &[],
        Who::FhirReader | Who::FhirWriter | Who::FhirSender | Who::FhirSystem => &[400, 401, 403],
        Who::RestReader
        | Who::RestWriter
        | Who::RestPatient
        | Who::RestTeamReader
        | Who::RestTeamWriter
        | Who::RestCoordinator => &[401, 403],
        Who::Person => &[303],
        Who::Patient | Who::Coordinator | Who::Clinician | Who::Officer | Who::Admin => &[303, 403],
    }
}

fn of_voice(voice: Voice, who: Who, method: &Method) -> &'static [u16] {
    let posts = [Method::POST, Method::PUT, Method::PATCH].contains(method);
    match voice {
        Voice::Token => &[400, 401, 413, 429, 431, 500, 503],
        Voice::Authorization | Voice::Page if posts => &[303, 400, 403, 413, 429, 431, 500, 503],
        Voice::Authorization => &[400, 431, 500, 503],
        Voice::Fhir if posts => &[400, 406, 413, 415, 422, 429, 431, 500, 503],
        Voice::Fhir => &[400, 406, 429, 431, 500, 503],
        Voice::Page if who == Who::Anyone => &[429, 431, 503],
        Voice::Rest if posts => &[400, 413, 415, 422, 429, 431, 500, 503],
        Voice::Rest | Voice::Page => &[429, 431, 500, 503],
        Voice::Discovery => &[429, 431, 503],
        Voice::Health => &[431],
    }
}

const fn refusal_payload(voice: Voice) -> Payload {
    match voice {
        Voice::Token => Payload::Json(Schema::TokenError),
        Voice::Rest | Voice::Discovery => Payload::Json(Schema::RestError),
        Voice::Fhir => Payload::FhirJson,
        Voice::Authorization | Voice::Page => Payload::Html,
        Voice::Health => Payload::PlainText,
    }
}

const fn meaning(voice: Voice, status: u16) -> &'static str {
    match (voice, status) {
        (_, 200) => "What was asked for.",
        (Voice::Token, 201) => "It is right, and taken in; the answer says under which name.",
        (_, 201) => "It is stored; Location says where.",
        (_, 202) => {
            "It has begun, or goes on; ask again where Content-Location says, after Retry-After. A cancelled export is gone."
        }
        (Voice::Authorization, 303) => {
            "Back to the app, with code or error, with state as it was sent, and with iss, the base URL of the service."
        }
        (_, 303) => "On to another page; to sign in first, where nobody is.",
        (_, 304) => "If-None-Match names the version that is still the newest.",
        (Voice::Token, 400) => "The request or the grant is not right; error says how.",
        (_, 400) => "The request cannot be understood.",
        (Voice::Token, 401) => {
            "The client could not be authenticated, and had tried HTTP Basic or asked about a token; or its token is not good here."
        }
        (Voice::Page, 401) => "The username and the password do not belong together.",
        (_, 401) => "No access token, or one that opens nothing any more.",
        (Voice::Token, 403) => "This client may not ask about tokens.",
        (Voice::Authorization | Voice::Page, 403) => {
            "The form is from another website, or the page is not for this account."
        }
        (_, 403) => "This client or this user may not do this.",
        (_, 204) => "It is deleted, now or before.",
        (Voice::Page, 410) => "The link is over.",
        (_, 410) => "It was deleted; its history is there.",
        (_, 412) => "A condition of the request does not hold.",
        (_, 405) => {
            "There is nothing of this id that this caller may see, and an id of the client's own choice must be a UUID."
        }
        (_, 404) => "Not there, or not for this caller to see.",
        (_, 206) => "The part that was asked for.",
        (_, 416) => "The content has no such range of bytes.",
        (_, 406) => "The request accepts no media type that there is.",
        (Voice::Rest, 409) => "Another version is there than the one that was sent, or others changed it meanwhile.",
        (_, 409) => "Something with the new id is there already, or others changed it meanwhile; try again.",
        (_, 413) => "The body is too long.",
        (_, 415) => "The body is of a media type that is not read here.",
        (_, 422) => "It breaks a rule, or would take too long to answer.",
        (Voice::Token | Voice::Authorization, 429) => "Too many failed attempts; Retry-After says how long to wait.",
        (Voice::Page, 429) => {
            "Too many attempts, or too much under way that was not read; Retry-After says how long to wait."
        }
        (_, 429) => {
            "Too much under way that this caller has not read, or too many exports; Retry-After says how long to wait."
        }
        (_, 431) => "The URL and the headers together are longer than they may be.",
        (_, 503) => "Busy, or the database is away; try again after Retry-After.",
        _ => "A fault on our side; X-Request-Id is in our log.",
    }
}
