//! The list of routes: method, what the caller must be, voice, path, handler. `dispatch.rs` answers by it, and the test
//! that tries every route with every wrong caller walks it.

use super::route::{Route, get, post};
use crate::callers::api::{FhirReader, FhirSender, FhirWriter, RestReader};
use crate::callers::people::{CoordinatorSignIn, PatientSignIn};
use crate::callers::requirement::Anyone;
use crate::callers::sign_in::SignIn;
use crate::http::well_known::{AUTHORIZATION_SERVER, PROTECTED_RESOURCE};
use crate::voices::stop::Voice::{self, Authorization, Discovery, Fhir, Health, Page, Rest, Token};
use crate::{fhir, health, oauth, pages, rest, sandbox};

/// A custom REST operation under each of its versions.
macro_rules! versions {
    ($method:ident::<$caller:ty>, $path:literal, $handler:path) => {
        [
            $method::<$caller>(Rest, concat!("/json", $path), $handler),
            $method::<$caller>(Rest, concat!("/json/v1", $path), $handler),
            $method::<$caller>(Rest, concat!("/json/v2", $path), $handler),
        ]
    };
}

/// Every route of the service.
#[must_use]
pub fn routes() -> Vec<Route> {
    let mut routes = vec![
        get::<Anyone>(Authorization, "/apiAuthorize.action", oauth::authorize::show),
        post::<Anyone>(Authorization, "/apiAuthorize.action", oauth::authorize::post),
        post::<Anyone>(Token, "/apiToken.action", oauth::token::token),
        post::<Anyone>(Token, "/apiRevoke.action", oauth::revocation::revoke),
        // For servers, which have secrets; a page has none.
        post::<Anyone>(Token, "/apiIntrospect.action", oauth::introspection::introspect).closed_to_other_origins(),
        get::<Anyone>(Discovery, AUTHORIZATION_SERVER, oauth::discovery::authorization_server),
        get::<Anyone>(Discovery, PROTECTED_RESOURCE, oauth::discovery::whole_service),
        get::<Anyone>(Discovery, "/.well-known/oauth-protected-resource/fhir", oauth::discovery::fhir_api),
        get::<Anyone>(Discovery, "/.well-known/oauth-protected-resource/json", oauth::discovery::rest_api),
        get::<Anyone>(Discovery, "/fhir/.well-known/smart-configuration", oauth::discovery::smart),
        get::<Anyone>(Fhir, "/fhir/metadata", fhir::metadata::read),
        get::<FhirReader>(Fhir, "/fhir/Patient", fhir::patient::search),
        get::<FhirReader>(Fhir, "/fhir/Patient/{id}", fhir::patient::read),
        get::<FhirReader>(Fhir, "/fhir/Patient/{id}/_history", fhir::patient::history),
        get::<FhirReader>(Fhir, "/fhir/Patient/{id}/_history/{version}", fhir::patient::version),
        post::<FhirWriter>(Fhir, "/fhir/DocumentReference", fhir::document_reference::create),
        get::<FhirReader>(Fhir, "/fhir/DocumentReference/{id}", fhir::document_reference::read),
        get::<FhirReader>(Fhir, "/fhir/DocumentReference/{id}/_history", fhir::document_reference::history),
        get::<FhirReader>(Fhir, "/fhir/DocumentReference/{id}/_history/{version}", fhir::document_reference::version),
        post::<FhirSender>(Fhir, "/fhir/DocumentReference/$read-receipt-query", fhir::read_receipts::query),
        get::<FhirReader>(Fhir, "/fhir/Binary/{id}", fhir::binary::read),
        get::<FhirReader>(Fhir, "/fhir/Binary/{id}/_history", fhir::binary::history),
        get::<FhirReader>(Fhir, "/fhir/Binary/{id}/_history/{version}", fhir::binary::version),
        get::<SignIn>(Page, "/", pages::home::show),
        get::<Anyone>(Page, "/sign-in", pages::sign_in::show),
        post::<Anyone>(Page, "/sign-in", pages::sign_in::post),
        post::<SignIn>(Page, "/sign-out", pages::sign_in::sign_out),
        get::<SignIn>(Page, "/password", pages::password::show),
        post::<SignIn>(Page, "/password", pages::password::change),
        get::<SignIn>(Page, "/connected-apps", pages::connected_apps::show),
        post::<SignIn>(Page, "/connected-apps/revoke/{id}", pages::connected_apps::revoke),
        get::<PatientSignIn>(Page, "/access-log", pages::access_log::show),
        get::<CoordinatorSignIn>(Page, "/coordinator/api-access", pages::coordinator::show),
        post::<CoordinatorSignIn>(Page, "/coordinator/api-access", pages::coordinator::grant),
        post::<CoordinatorSignIn>(Page, "/coordinator/api-access/revoke/{id}", pages::coordinator::revoke),
        get::<Anyone>(Page, "/assets/{name}", pages::assets::read),
        get::<Anyone>(Health, "/healthz", health::alive),
        get::<Anyone>(Health, "/readyz", health::ready),
        get::<Anyone>(Rest, "/sandbox/clock", sandbox::clock::read).in_sandbox_only().closed_to_other_origins(),
        post::<Anyone>(Rest, "/sandbox/clock", sandbox::clock::set).in_sandbox_only().closed_to_other_origins(),
    ];
    routes.extend(versions!(get::<RestReader>, "/users/self", rest::users::read_self));
    routes.extend(versions!(get::<RestReader>, "/attachments/{id}", rest::attachments::read));
    routes
}

/// In which voice a path is missed that no route has.
pub(super) const MISSING: [(Voice, &str); 12] = [
    (Fhir, "/fhir"),
    (Fhir, "/fhir/"),
    (Fhir, "/fhir/{*rest}"),
    (Rest, "/json"),
    (Rest, "/json/"),
    (Rest, "/json/{*rest}"),
    (Token, "/apiToken.action/"),
    (Token, "/apiToken.action/{*rest}"),
    (Token, "/apiRevoke.action/"),
    (Token, "/apiRevoke.action/{*rest}"),
    (Token, "/apiIntrospect.action/"),
    (Token, "/apiIntrospect.action/{*rest}"),
];
