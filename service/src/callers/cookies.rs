//! Our cookies: never for scripts, never for other sites, and over TLS bound to this very host.

use crate::app::App;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

/// The cookie of this name that the browser sent.
pub(crate) fn get<'a>(app: &App, headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let name = full_name(app, name);
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(&name)?.strip_prefix('='))
}

/// Sets a cookie for `seconds`; zero removes it.
pub(crate) fn set(app: &App, response: &mut Response, name: &str, value: &str, seconds: i64) {
    let secure = if app.settings.is_https() { "; Secure" } else { "" };
    let name = full_name(app, name);
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(text) = HeaderValue::from_str(&text) {
        response.headers_mut().append(header::SET_COOKIE, text);
    }
}

fn full_name(app: &App, name: &str) -> String {
    format!("{}{name}", if app.settings.is_https() { "__Host-" } else { "" })
}
