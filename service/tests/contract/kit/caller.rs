//! Calls of the two APIs.

use super::records;
use super::reply::Reply;
use super::requests::request;
use super::world::World;
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, header};
use serde_json::Value;

pub const REST_PATH: &str = "/json/users/self";
const FHIR_JSON: &str = "application/fhir+json";

/// A search that every caller may make, whatever it finds.
pub fn fhir_path() -> String {
    patient_search(records::AMINA_NHS)
}

pub fn patient_search(nhs_number: &str) -> String {
    format!("/fhir/Patient?identifier={}%7C{nhs_number}", records::NHS_NUMBER.replace(':', "%3A").replace('/', "%2F"))
}

/// Somebody with an access token, who may name an organisation.
pub struct Caller<'w> {
    pub world: &'w World,
    pub access: String,
    pub organisation: Option<String>,
}

impl Caller<'_> {
    pub async fn get(&self, path: &str) -> Reply {
        self.get_with(path, &[]).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&'static str, &str)]) -> Reply {
        self.send(Method::GET, path, headers, String::new()).await
    }

    pub async fn head(&self, path: &str) -> Reply {
        self.send(Method::HEAD, path, &[], String::new()).await
    }

    /// A FHIR write or operation.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Method::POST, path, &[("content-type", FHIR_JSON)], body.to_string()).await
    }

    /// Stores a resource under the id that it carries.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.put_if(path, body, &[]).await
    }

    pub async fn put_if(&self, path: &str, body: &Value, headers: &[(&'static str, &str)]) -> Reply {
        let headers = [&[("content-type", FHIR_JSON)], headers].concat();
        self.send(Method::PUT, path, &headers, body.to_string()).await
    }

    pub async fn patch(&self, path: &str, media_type: &str, body: &Value) -> Reply {
        self.send(Method::PATCH, path, &[("content-type", media_type)], body.to_string()).await
    }

    /// JSON for the custom REST API.
    pub async fn sends(&self, method: Method, path: &str, body: &Value) -> Reply {
        self.send(method, path, &[("content-type", "application/json")], body.to_string()).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.send(Method::DELETE, path, &[], String::new()).await
    }

    /// Creates a resource of any type and gives its path.
    pub async fn makes(&self, resource: &Value) -> String {
        let path = format!("/fhir/{}", resource["resourceType"].as_str().unwrap());
        let reply = self.post(&path, resource).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        format!("{path}/{}", reply.json()["id"].as_str().unwrap())
    }

    /// A search whose parameters are in a form.
    pub async fn post_form(&self, path: &str, form: &str) -> Reply {
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.send(Method::POST, path, &headers, form.to_owned()).await
    }

    /// Creates a document and gives its path.
    pub async fn creates(&self, document: &Value) -> String {
        let reply = self.post("/fhir/DocumentReference", document).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        format!("/fhir/DocumentReference/{}", reply.json()["id"].as_str().unwrap())
    }

    /// The status of the answer to a read.
    pub async fn status(&self, path: &str) -> u16 {
        self.get(path).await.status
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
        body: impl Into<Body>,
    ) -> Reply {
        self.world.send(self.request(method, path, headers, body)).await
    }

    /// What it would send.
    pub fn get_request(&self, path: &str) -> Request<Body> {
        self.request(Method::GET, path, &[], String::new())
    }

    pub fn post_request(&self, path: &str, body: &Value) -> Request<Body> {
        self.request(Method::POST, path, &[("content-type", FHIR_JSON)], body.to_string())
    }

    pub fn put_request(&self, path: &str, body: &Value) -> Request<Body> {
        self.request(Method::PUT, path, &[("content-type", FHIR_JSON)], body.to_string())
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
        body: impl Into<Body>,
    ) -> Request<Body> {
        let mut builder = request(method, path).header(header::AUTHORIZATION, format!("Bearer {}", self.access));
        if let Some(organisation) = &self.organisation {
            builder = builder.header("X-Org-Public-Id", organisation);
        }
        for (name, value) in headers {
            builder = builder.header(*name, HeaderValue::from_str(value).unwrap());
        }
        builder.body(body.into()).unwrap()
    }
}

impl World {
    pub async fn calls_fhir_with(&self, access: &str) -> Reply {
        self.calls(&fhir_path(), access, None).await
    }

    pub async fn calls_rest_with(&self, access: &str) -> Reply {
        self.calls(REST_PATH, access, None).await
    }

    /// A System Client calls, naming an organisation.
    pub async fn calls_fhir_for(&self, organisation: &str, access: &str) -> Reply {
        self.calls(&fhir_path(), access, Some(organisation)).await
    }

    pub async fn calls(&self, path: &str, access: &str, organisation: Option<&str>) -> Reply {
        let caller = Caller { world: self, access: access.to_owned(), organisation: organisation.map(String::from) };
        caller.get(path).await
    }
}
