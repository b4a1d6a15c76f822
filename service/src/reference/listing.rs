//! A route as the documentation lists it: what it is for, what it takes, and what it answers.

use crate::callers::requirement::Who;
use crate::voices::stop::Voice;
use axum::http::Method;
use rules::limits::PARAMETER_BYTES;
use rules::rest_faults::MOST_CREATED;
use serde_json::{Value, json};
use views::members::member::{Body, Member};
use views::members::schema::JsonSchema;
use views::sent::Sent;

/// One route, as its row of the list of routes states it.
#[derive(Debug)]
pub struct Listing {
    pub method: Method,
    pub path: &'static str,
    pub voice: Voice,
    pub who: Who,
    pub sandbox_only: bool,
    /// What it is for.
    pub sentence: &'static str,
    pub inputs: Vec<Input>,
    /// What JSON its body must be, where it takes any.
    pub body: Option<Schema>,
    /// What its body may be else, or must be where it takes no JSON.
    pub file_body: Option<FileBody>,
    /// What it answers when all is well.
    pub payload: Payload,
    /// Statuses that neither its voice nor its caller explains.
    pub statuses: &'static [u16],
}

/// A body with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileBody {
    /// The bytes of one, of any media type.
    Bytes,
    /// Up to ten of them, as parts beside one with this JSON.
    Parts(Schema),
}

/// The prefixes that every operation of the custom REST API is served under, beside none.
const PREFIXES: [&str; 3] = ["/json/v1/", "/json/v2/", "/json/v2-beta/"];

impl Listing {
    /// Whether it is another way to an operation that is listed without a prefix.
    #[must_use]
    pub fn is_prefixed(&self) -> bool {
        PREFIXES.iter().any(|prefix| self.path.starts_with(prefix))
    }
}

/// Where a parameter stands in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterPlace {
    Path,
    Query,
    Header,
    Form,
    /// A member of a JSON body, or a JSON body itself.
    Json,
}

/// How long a date, a number or the place of a page can be.
const SHORT_BYTES: usize = 512;

/// One parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub name: &'static str,
    pub place: ParameterPlace,
    pub is_required: bool,
    pub about: &'static str,
    /// The only values, where there are only these.
    pub words: Option<fn() -> Vec<&'static str>>,
    /// How long a value can be at the most.
    pub most_bytes: usize,
}

impl Input {
    /// A date, a number or a page: several of them in one URL must stay within what a URL can have.
    #[must_use]
    pub const fn short(self) -> Self {
        Self { most_bytes: SHORT_BYTES, ..self }
    }

    #[must_use]
    pub const fn at(place: ParameterPlace, name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            place,
            is_required: matches!(place, ParameterPlace::Path),
            about,
            words: None,
            most_bytes: PARAMETER_BYTES,
        }
    }

    #[must_use]
    pub const fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    #[must_use]
    pub const fn one_of(mut self, words: fn() -> Vec<&'static str>) -> Self {
        self.words = Some(words);
        self
    }
}

/// What the body of an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    Nothing,
    Html,
    PlainText,
    FhirJson,
    /// FHIR's JSON, before what was asked for is done.
    Acceptance,
    /// Of the type that whoever stored it said.
    Content,
    Json(Schema),
    /// The same, or as a table to who accepts one.
    JsonOrCsv(Schema),
}

impl Payload {
    /// The media type, if it has one of its own.
    #[must_use]
    pub const fn media_type(self) -> Option<&'static str> {
        match self {
            Self::Nothing | Self::Content => None,
            Self::Html => Some("text/html"),
            Self::PlainText => Some("text/plain"),
            Self::FhirJson | Self::Acceptance => Some("application/fhir+json"),
            Self::Json(_) | Self::JsonOrCsv(_) => Some("application/json"),
        }
    }

    /// The other media type in which it is there.
    #[must_use]
    pub const fn other_media_type(self) -> Option<&'static str> {
        match self {
            Self::JsonOrCsv(_) => Some("text/csv"),
            _ => None,
        }
    }
}

/// The JSON bodies that OpenAPI has a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    AuthorizationServer,
    /// What a client says of itself.
    ClientMetadata,
    /// What it is registered as, when that is new.
    ClientRegistration,
    Clock,
    EmptyObject,
    ExportManifest,
    Introspection,
    JwkSet,
    /// Of a type that is serialised.
    Of(TypeSchema),
    OpenApi,
    OpenIdConfiguration,
    ProtectedResource,
    PushedRequest,
    /// What it is registered as, later.
    RegistrationRead,
    RestError,
    SmartConfiguration,
    TokenError,
    Tokens,
    Userinfo,
}

impl Schema {
    /// The schema of a type, under this name.
    #[must_use]
    pub const fn of<T: JsonSchema>(name: &'static str) -> Self {
        Self::Of(TypeSchema { name, make: T::json_schema })
    }

    /// What may be sent of a kind: one, or an array.
    #[must_use]
    pub const fn sent<V: Body>(name: &'static str) -> Self {
        Self::Of(TypeSchema { name, make: sent_one_or_several::<V> })
    }

    /// What may be sent that is no item.
    #[must_use]
    pub const fn of_body<B: Member>(name: &'static str) -> Self {
        Self::Of(TypeSchema { name, make: B::sent_schema })
    }

    /// The same of one alone.
    #[must_use]
    pub const fn sent_one<V: Body>(name: &'static str) -> Self {
        Self::Of(TypeSchema { name, make: Sent::<V>::schema })
    }

    /// One of a type, or an array of them.
    #[must_use]
    pub const fn one_or_several<T: JsonSchema>(name: &'static str) -> Self {
        Self::Of(TypeSchema { name, make: one_or_several::<T> })
    }

    /// Its name among the schemas of OpenAPI.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Of(schema) => schema.name.to_owned(),
            _ => format!("{self:?}"),
        }
    }
}

fn sent_one_or_several<V: Body>() -> Value {
    let one = Sent::<V>::schema();
    json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1, "maxItems": MOST_CREATED }] })
}

fn one_or_several<T: JsonSchema>() -> Value {
    json!({ "anyOf": [T::json_schema(), Vec::<T>::json_schema()] })
}

/// A schema that its type tells. Two of one name are one.
#[derive(Clone, Copy, Debug)]
pub struct TypeSchema {
    name: &'static str,
    pub(super) make: fn() -> Value,
}

impl PartialEq for TypeSchema {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TypeSchema {}
