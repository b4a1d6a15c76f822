//! Showing clients.

use super::context::Context;
use super::failure::Failure;
use crate::operator::summaries::ClientSummary;
use crate::operator::{Reply, Request};

fn clients(reply: Reply) -> Result<Vec<ClientSummary>, Reply> {
    if let Reply::Clients(clients) = reply { Ok(clients) } else { Err(reply) }
}

pub(super) async fn list(context: &Context) -> Result<(), Failure> {
    let clients = context.ask(Request::Clients { only: None }, clients).await?;
    let rows: Vec<[String; 7]> = clients
        .iter()
        .map(|client| {
            let state = match (&client.disabled_at, client.unchecked) {
                (Some(_), _) => "disabled",
                (None, true) => "not checked",
                (None, false) => "enabled",
            };
            [
                client.client_id.clone(),
                client.kind.clone(),
                client.owner.clone(),
                client.product.clone(),
                client.authentication.clone(),
                client.session.clone().unwrap_or_else(|| "-".into()),
                state.into(),
            ]
        })
        .collect();
    context.list(["client id", "kind", "owner", "product", "authentication", "session", "state"], &rows, &clients);
    Ok(())
}

pub(super) async fn show(context: &Context, client_id: String) -> Result<(), Failure> {
    for client in context.ask(Request::Clients { only: Some(client_id) }, clients).await? {
        context.out.value(&client);
        let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
        let rows = [
            ("client id", client.client_id),
            ("kind", client.kind),
            ("owner", client.owner),
            ("product", client.product),
            ("registered by", registrar(client.registered_itself, client.unchecked).into()),
            ("redirect URIs", client.redirect_uris.join("  ")),
            ("launch URL", client.launch_url.unwrap_or_else(|| "-".into())),
            ("after signing out", client.post_logout_redirect_uris.join("  ")),
            ("scopes", client.scopes.join("  ")),
            ("user types", client.user_types.join("  ")),
            ("id_tokens", client.id_token_signed_response_alg),
            ("sector", client.sector.unwrap_or_else(|| "its own".into())),
            ("default organisation", client.default_organisation.unwrap_or_else(|| "-".into())),
            ("authentication", client.authentication),
            ("key ids", client.key_ids.join("  ")),
            ("keys at", client.jwks_url.unwrap_or_else(|| "-".into())),
            ("session", client.session.unwrap_or_else(|| "-".into())),
            ("access token", client.access_token),
            ("refresh tokens", yes(client.refresh_tokens)),
            ("requires PKCE", client.pkce.unwrap_or_else(|| yes(client.require_pkce))),
            ("requires PAR", yes(client.require_par)),
            ("requires DPoP", yes(client.dpop_bound_access_tokens)),
            ("retry window", format!("{}s", client.refresh_retry_seconds)),
            ("scope echo", client.scope_echo),
            ("extra query", yes(client.redirect_extra_query)),
            ("may introspect", yes(client.may_introspect)),
            ("disabled at", client.disabled_at.unwrap_or_else(|| "-".into())),
        ];
        context.out.table(["setting", "value"], &rows.map(|(name, value)| [name.to_owned(), value]));
    }
    Ok(())
}

const fn registrar(itself: bool, unchecked: bool) -> &'static str {
    match (itself, unchecked) {
        (_, true) => "itself, not checked",
        (true, false) => "itself, approved",
        (false, false) => "an operator",
    }
}
