//! What the ledger says of a client that is new or has changed.

use super::client::Client;
use crate::engine::Tx;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::outbox::Outbox;
use rules::moment::Moment;

/// Notes what is new of a client; nothing, where nothing is.
pub(super) fn note(tx: &mut Tx<'_>, ids: &Ids, before: Option<&Client>, client: &Client, now: Moment) {
    for (event, detail) in changes(before, client) {
        let about = About { client: Some(client.id), ..About::default() };
        let line = Line::new(now, event, None, about);
        let line = if detail.is_empty() { line } else { line.with_detail(detail) };
        tx.append(Outbox::Records, ids, &line);
    }
}

/// Each change with what there is to say of it. Never a secret, nor what is kept of one.
fn changes(before: Option<&Client>, client: &Client) -> Vec<(Event, String)> {
    let Some(before) = before else { return vec![(Event::ClientMade, made(client))] };
    let mut changes = Vec::new();
    let parts = changed_parts(before, client).join(" ");
    if !parts.is_empty() {
        changes.push((Event::ClientChanged, parts));
    }
    if before.secret != client.secret {
        changes.push((Event::ClientSecretChanged, String::new()));
    }
    if (&before.keys, &before.jwks_url) != (&client.keys, &client.jwks_url) {
        let number = || client.keys.len().to_string();
        changes.push((Event::ClientKeysChanged, client.jwks_url.as_ref().map_or_else(number, |_| "jwks_url".into())));
    }
    match (before.disabled_at, client.disabled_at) {
        (None, Some(_)) => changes.push((Event::ClientDisabled, String::new())),
        (Some(_), None) => changes.push((Event::ClientEnabled, String::new())),
        _ => {}
    }
    changes
}

/// What kind it is, and whether it said so itself.
fn made(client: &Client) -> String {
    let by_itself = if client.registration.is_some() { " by-itself" } else { "" };
    format!("{}{by_itself}", client.kind.word())
}

/// What differs, by the names that a declaration has for it.
fn changed_parts(before: &Client, client: &Client) -> Vec<&'static str> {
    let parts = [
        ("owner", before.owner != client.owner),
        ("product", before.product != client.product),
        ("redirect_uris", before.redirect_uris != client.redirect_uris),
        ("scopes", (&before.scopes, &before.smart_scopes) != (&client.scopes, &client.smart_scopes)),
        ("user_types", before.user_types != client.user_types),
        ("id_token_signed_response_alg", before.id_token_algorithm != client.id_token_algorithm),
        ("sector", before.sector != client.sector),
        ("default_organisation", before.default_organisation != client.default_organisation),
        ("dpop_bound_access_tokens", before.dpop_bound != client.dpop_bound),
        ("require_par", before.require_par != client.require_par),
        ("pkce", before.pkce_when_sent != client.pkce_when_sent),
        ("launch_url", before.launch_url != client.launch_url),
        ("post_logout_redirect_uris", before.post_logout_redirect_uris != client.post_logout_redirect_uris),
        ("session", before.session_seconds != client.session_seconds),
        ("access_token", before.access_seconds != client.access_seconds),
        ("refresh_tokens", before.refresh_tokens != client.refresh_tokens),
        ("require_pkce", before.require_pkce != client.require_pkce),
        ("refresh_retry_seconds", before.retry_seconds != client.retry_seconds),
        ("scope_echo", before.scope_echo != client.scope_echo),
        ("redirect_extra_query", before.redirect_extra_query != client.redirect_extra_query),
        ("may_introspect", before.may_introspect != client.may_introspect),
        ("registration", before.registration != client.registration),
        ("checked", before.unchecked != client.unchecked),
    ];
    parts.into_iter().filter(|(_, is_new)| *is_new).map(|(part, _)| part).collect()
}
