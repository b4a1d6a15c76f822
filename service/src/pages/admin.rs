//! `/admin`: whether the service can do its work, and the configuration in force. What the other pages of an administrator change goes
//! the way of the command line, and is noted with who did it.

use crate::app::{Shared, readiness};
use crate::callers::admin::AdminSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::operator::{self, Progress, Reply, Request};
use crate::views::admin::{AddField, AddOption, AdminPage, SettingText};
use crate::voices::page::{self, PageStop};
use axum::http::StatusCode;
use axum::response::Response;
use rules::params::Params;
use std::sync::Arc;

pub(super) const PATH: &str = "/admin";

pub async fn show(AdminSignIn(person): AdminSignIn, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let shown = |setting: &crate::app::config::SettingLine| SettingText {
        key: setting.key,
        value: setting.value.as_ref().map_or_else(|| "not set".into(), ToString::to_string),
        from: setting.from.clone(),
    };
    let page = AdminPage {
        frame: person.frame(app, PATH),
        obstacle: readiness::obstacle(app).await,
        keys: app.keys.ids(),
        settings: app.configuration.get().map(|lines| lines.iter().map(shown).collect()).unwrap_or_default(),
    };
    person.keep(app, Ok(page::html(StatusCode::OK, &page)))
}

/// Asks for what the command line asks for, in the name of this person. What was refused is told in sentences.
pub(super) async fn ask(app: &Shared, person: &SignIn, request: Request) -> Result<Reply, Vec<String>> {
    let unheard: Progress = Arc::new(|_, _| {});
    let who = format!("ADMIN {}", person.user.username);
    match operator::execute_by(app, &who, request, &unheard).await {
        Reply::Refused(why) => Err(why),
        Reply::Applied(report) => match report.problem {
            Some(problem) => Err(vec![problem]),
            None => Ok(Reply::Applied(report)),
        },
        reply => Ok(reply),
    }
}

/// What was filled in; nothing where a field was left empty.
pub(super) fn filled(params: &Params<'_>, name: &str) -> Option<String> {
    params.get(name).map(str::trim).filter(|text| !text.is_empty()).map(String::from)
}

/// The words of a field, each by itself.
pub(super) fn words(params: &Params<'_>, name: &str) -> Vec<String> {
    params.get(name).unwrap_or_default().split_whitespace().map(String::from).collect()
}

/// A field of a form that adds something, with what was typed before.
pub(super) fn field(
    (name, label, hint): (&'static str, &'static str, &'static str),
    before: Option<&Params<'_>>,
) -> AddField {
    let value = before.and_then(|params| params.get(name)).unwrap_or_default().to_owned();
    AddField { name, label, hint, value, is_password: false, is_required: true, options: Vec::new() }
}

/// One to choose of these.
pub(super) fn choice(
    (name, label): (&'static str, &'static str),
    options: impl Iterator<Item = (String, String)>,
    before: Option<&Params<'_>>,
) -> AddField {
    let field = field((name, label, ""), before);
    let option = |(value, text): (String, String)| AddOption { is_chosen: value == field.value, value, text };
    AddField { options: options.map(option).collect(), ..field }
}
