//! `/`: where a signed-in person finds the pages that are theirs.

use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::views::{HomePage, Link};
use crate::voices::page::{self, PageStop};
use axum::http::StatusCode;
use axum::response::Response;
use rules::scope::UserType;

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let link = |href: &str, text: &str| Link { href: href.into(), text: text.into() };
    let apps = link("/connected-apps", "Connected apps: see and take back what apps may do in your name");
    let (text, mut links) = match person.user.user_type {
        UserType::TeamCoord => {
            ("What would you like to do?", vec![link("/coordinator/api-access", "API access for your team"), apps])
        }
        UserType::Patient => {
            ("What would you like to do?", vec![apps, link("/access-log", "Access log: see who looked at your record")])
        }
        UserType::Clinician => ("What would you like to do?", vec![apps]),
        UserType::Admin => ("Administrators work with the recordgate command line.", vec![]),
    };
    links.push(link("/password", "Change your password"));
    let page = HomePage {
        frame: person.frame(&call.app),
        heading: format!("Hello, {}", person.user.name),
        text: text.into(),
        links,
    };
    person.keep(&call.app, Ok(page::html(StatusCode::OK, &page)))
}
