//! Calls of the two APIs, and what each voice says of them.

use super::reply::Reply;
use super::{World, records, request};
use axum::body::Body;
use axum::http::{Method, header};
use serde_json::Value;

pub const REST_PATH: &str = "/json/users/self";

/// A search that every caller may make, whatever it finds.
pub fn fhir_path() -> String {
    patient_search(records::AMINA_NHS)
}

pub fn patient_search(nhs_number: &str) -> String {
    format!("/fhir/Patient?identifier={}%7C{nhs_number}", records::NHS_NUMBER.replace(':', "%3A").replace('/', "%2F"))
}

/// An answer of one of the two APIs.
#[derive(Debug)]
pub struct ApiReply(pub Reply);

impl World {
    pub async fn calls_fhir_with(&self, access: &str) -> ApiReply {
        self.calls(&fhir_path(), access, None).await
    }

    pub async fn calls_rest_with(&self, access: &str) -> ApiReply {
        self.calls(REST_PATH, access, None).await
    }

    /// A System Client calls, naming an organisation.
    pub async fn calls_fhir_for(&self, organisation: &str, access: &str) -> ApiReply {
        self.calls(&fhir_path(), access, Some(organisation)).await
    }

    pub async fn calls(&self, path: &str, access: &str, organisation: Option<&str>) -> ApiReply {
        let mut builder = request(Method::GET, path).header(header::AUTHORIZATION, format!("Bearer {access}"));
        if let Some(organisation) = organisation {
            builder = builder.header("X-Org-Public-Id", organisation);
        }
        ApiReply(self.send(builder.body(Body::empty()).unwrap()).await)
    }

    /// A FHIR write or operation.
    pub async fn posts_fhir(&self, path: &str, access: &str, organisation: Option<&str>, body: &Value) -> ApiReply {
        let mut builder = request(Method::POST, path)
            .header(header::AUTHORIZATION, format!("Bearer {access}"))
            .header(header::ACCEPT, "application/fhir+json")
            .header(header::CONTENT_TYPE, "application/fhir+json");
        if let Some(organisation) = organisation {
            builder = builder.header("X-Org-Public-Id", organisation);
        }
        ApiReply(self.send(builder.body(Body::from(body.to_string())).unwrap()).await)
    }
}

impl ApiReply {
    pub fn opened(&self) -> &Self {
        assert_eq!(self.0.status, 200, "{}", self.0.text());
        self
    }

    /// Refused for want of a valid token.
    pub fn refused(&self) {
        assert_eq!(self.0.status, 401, "{}", self.0.text());
    }

    /// A refusal in FHIR's voice: an OperationOutcome with this response code.
    pub fn says(&self, status: u16, code: &str) {
        assert_eq!(self.0.status, status, "{}", self.0.text());
        assert_eq!(self.0.header("content-type"), Some("application/fhir+json"));
        let outcome = self.0.json();
        assert_eq!(outcome["resourceType"], "OperationOutcome");
        assert_eq!(outcome["issue"][0]["severity"], "error");
        let coding = &outcome["issue"][0]["details"]["coding"][0];
        assert_eq!(coding["system"], "urn:recordgate:response-code");
        assert_eq!(coding["code"], code, "{outcome}");
        self.challenges_a_401();
    }

    /// A refusal in the custom REST API's voice: an `errorMessage` that begins like this.
    pub fn says_in_rest(&self, status: u16, begins: &str) {
        assert_eq!(self.0.status, status, "{}", self.0.text());
        assert_eq!(self.0.header("content-type"), Some("application/json;charset=UTF-8"));
        let body = self.0.json();
        let message = body["errorMessage"].as_str().expect("a string errorMessage");
        assert!(message.starts_with(begins), "{message}");
        self.challenges_a_401();
    }

    fn challenges_a_401(&self) {
        let challenge = self.0.header("www-authenticate");
        match self.0.status.as_u16() {
            401 => assert!(challenge.is_some_and(|said| said.starts_with("Bearer")), "{challenge:?}"),
            _ => assert_eq!(challenge, None),
        }
    }
}
