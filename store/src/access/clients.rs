//! Clients: finding them, and writing what was settled when each was registered.

use super::client_lines;
use super::salt::Salt;
use crate::cache::through;
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::clients::{ClientKind, SigningAlgorithm};
use rules::ids::ClientId;
use rules::moment::Moment;
use rules::openid;
use rules::scope::{Scope, ScopeEcho, ScopeSet, UserType};
use rules::smart::request::{self, SmartScopes};
use std::sync::Arc;

pub use super::client::{Client, ClientKey, Fingerprint, KeySetUrl, Registration};

macro_rules! clients_where {
    ($condition:literal) => {
        concat!(
            "SELECT id, client_id, kind, owner, product, redirect_uris, scopes, secret_fingerprint, session_seconds,
                    access_seconds, refresh_tokens, require_pkce, retry_seconds, scope_echo, redirect_extra_query,
                    disabled_at, public_keys, key_salts, may_introspect, smart_scopes, user_types,
                    id_token_algorithm, sector, default_organisation, require_par, pkce_when_sent,
                    launch_url, post_logout_redirect_uris, jwks_url, dpop_bound, registration_fingerprint, unchecked
             FROM clients WHERE ",
            $condition
        )
    };
}

statements! {
    pub(crate) BY_CLIENT_ID = clients_where!("client_id = $1");
    ALL = clients_where!("id > $1 ORDER BY client_id");
    PUT = "INSERT INTO clients (id, client_id, kind, owner, product, redirect_uris, scopes,
        secret_fingerprint, session_seconds, access_seconds, refresh_tokens, require_pkce, retry_seconds, scope_echo,
        redirect_extra_query, disabled_at, public_keys, key_salts, may_introspect, smart_scopes, user_types,
        id_token_algorithm, sector, default_organisation, require_par,
        pkce_when_sent, launch_url, post_logout_redirect_uris, jwks_url, dpop_bound, registration_fingerprint,
        unchecked)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
        $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)
    ON CONFLICT (id) DO UPDATE SET owner = $4, product = $5, redirect_uris = $6, scopes = $7, secret_fingerprint = $8,
        session_seconds = $9, access_seconds = $10, refresh_tokens = $11, require_pkce = $12, retry_seconds = $13,
        scope_echo = $14, redirect_extra_query = $15, disabled_at = $16, public_keys = $17, key_salts = $18,
        may_introspect = $19, smart_scopes = $20, user_types = $21, id_token_algorithm = $22, sector = $23,
        default_organisation = $24, require_par = $25, pkce_when_sent = $26, launch_url = $27,
        post_logout_redirect_uris = $28, jwks_url = $29, dpop_bound = $30, registration_fingerprint = $31, unchecked = $32";
    LAUNCHED = clients_where!("launch_url IS NOT NULL AND disabled_at IS NULL ORDER BY product, client_id LIMIT $1");
    NAME = "SELECT client_id FROM clients WHERE id = $1";
}

/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[BY_CLIENT_ID];

pub async fn find(store: &Store, client_id: &str) -> Result<Option<Arc<Client>>> {
    let memory = store.cache.as_ref().map(|cache| &cache.clients);
    let read = async || store.db.read_one(BY_CLIENT_ID, args![client_id], client).await;
    through(memory, client_id, read).await
}

/// The Client ID of our own number for a client.
pub async fn name(store: &Store, id: ClientId) -> Result<Option<String>> {
    store.db.read_one(NAME, args![id], |row| row.text(0)).await
}

pub async fn list(store: &Store) -> Result<Vec<Client>> {
    store.db.page(ALL, args![0], client).await
}

/// Those that can be opened from the pages here, by what they are called.
pub async fn launched(store: &Store, limit: i64) -> Result<Vec<Client>> {
    store.db.page(LAUNCHED, args![limit], client).await
}

/// Changes a registered client in one transaction; `None` if there is none of that Client ID.
pub async fn change(
    store: &Store,
    client_id: String,
    change: impl FnOnce(&mut Client) + Send + 'static,
    now: Moment,
) -> Result<Option<Client>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(before) = load(tx, &client_id).await? else { return Ok(None) };
            let mut client = before.clone();
            change(&mut client);
            put(tx, &ids, Some(&before), &client, now).await?;
            Ok(Some(client))
        })
    });
    write.await
}

pub(crate) async fn load(tx: &mut Tx<'_>, client_id: &str) -> Result<Option<Client>> {
    tx.lock_one(BY_CLIENT_ID, args![client_id], client).await
}

/// Writes a client under its own `id`, new or changed. The kind of a client never changes.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    ids: &Ids,
    before: Option<&Client>,
    client: &Client,
    now: Moment,
) -> Result<()> {
    client_lines::note(tx, ids, before, client, now);
    let scopes = client.scopes.iter().map(|scope| scope.word()).collect::<Vec<_>>().join(" ");
    let redirect_uris = client.redirect_uris.join(" ");
    let post_logout_redirect_uris = client.post_logout_redirect_uris.join(" ");
    let smart_scopes = request::spelt(&client.smart_scopes);
    let user_types = client.user_types.iter().map(|of| of.word()).collect::<Vec<_>>().join(" ");
    // No JWK has a line break in it: JSON on one line cannot.
    let jwks = client.keys.iter().map(|key| key.jwk.as_str()).collect::<Vec<_>>().join("\n");
    let salts = client.keys.iter().map(|key| &key.salt).chain(client.jwks_url.as_ref().map(|at| &at.salt));
    let salts: Vec<u8> = salts.flat_map(Salt::as_bytes).copied().collect();
    tx.touch(|touched| {
        touched.clients.insert(client.id);
    });
    let row = args![
        client.id,
        &client.client_id,
        client.kind.word(),
        &client.owner,
        &client.product,
        &redirect_uris,
        &scopes,
        client.secret.as_ref().map(|fingerprint| fingerprint.0.as_slice()),
        client.session_seconds,
        client.access_seconds,
        client.refresh_tokens,
        client.require_pkce,
        client.retry_seconds,
        client.scope_echo.word(),
        client.redirect_extra_query,
        client.disabled_at.map(|at| at.0),
        (!client.keys.is_empty()).then_some(&jwks),
        client.signs().then_some(salts.as_slice()),
        client.may_introspect,
        &smart_scopes,
        &user_types,
        client.id_token_algorithm.map(SigningAlgorithm::word),
        client.sector.as_deref(),
        client.default_organisation.as_deref(),
        client.require_par,
        client.pkce_when_sent,
        client.launch_url.as_deref(),
        &post_logout_redirect_uris,
        client.jwks_url.as_ref().map(|at| at.url.as_str()),
        client.dpop_bound,
        client.registration.as_ref().map(|fingerprint| fingerprint.0.as_slice()),
        client.unchecked,
    ];
    tx.execute(PUT, row).await.map(|_| ())
}

/// Scopes as the database has them.
pub(crate) fn scopes<S: FromIterator<Scope>>(words: &str) -> S {
    words.split_whitespace().filter_map(Scope::named).collect()
}

/// Those whose sessions a client is registered for: by a scope, or by the type of who signs in.
pub(crate) fn covered(scopes: &str, user_types: &str) -> ScopeSet {
    let by_type = user_types.split_whitespace().filter_map(UserType::named).filter_map(UserType::scope);
    self::scopes::<Vec<Scope>>(scopes).into_iter().chain(by_type).collect()
}

/// The keys of a client, and the URL of those that are elsewhere: each has a salt, the URL has the last.
fn keys(row: &dyn Row) -> Result<(Vec<ClientKey>, Option<KeySetUrl>)> {
    let jwks = row.opt_text(16)?.unwrap_or_default();
    let mut salts = Salt::many_from_bytes(&row.opt_bytes(17)?.unwrap_or_default())?;
    let jwks_url = row.opt_text(28)?.and_then(|url| Some(KeySetUrl { url, salt: salts.pop()? }));
    if jwks.lines().count() != salts.len() {
        return Err(Error::Impossible("a client whose keys have not a salt each".into()));
    }
    Ok((jwks.lines().zip(salts).map(|(jwk, salt)| ClientKey { jwk: jwk.to_owned(), salt }).collect(), jwks_url))
}

fn client(row: &dyn Row) -> Result<Client> {
    let fingerprint = |bytes: Option<Vec<u8>>| {
        let read = |bytes: Vec<u8>| bytes.try_into().map(Fingerprint);
        let fault = |_| Error::Impossible("a fingerprint that is not 32 bytes".into());
        bytes.map(read).transpose().map_err(fault)
    };
    let (keys, jwks_url) = keys(row)?;
    Ok(Client {
        id: row.id(0)?,
        client_id: row.text(1)?,
        kind: row.word(2, ClientKind::named)?,
        owner: row.text(3)?,
        product: row.text(4)?,
        // Neither a redirect URI nor a scope can contain a space.
        redirect_uris: row.text(5)?.split_whitespace().map(String::from).collect(),
        scopes: scopes(&row.text(6)?),
        secret: fingerprint(row.opt_bytes(7)?)?,
        keys,
        jwks_url,
        session_seconds: row.opt_int(8)?,
        access_seconds: row.int(9)?,
        refresh_tokens: row.flag(10)?,
        require_pkce: row.flag(11)?,
        retry_seconds: row.int(12)?,
        scope_echo: row.word(13, ScopeEcho::named)?,
        redirect_extra_query: row.flag(14)?,
        disabled_at: row.opt_int(15)?.map(Moment),
        may_introspect: row.flag(18)?,
        smart_scopes: SmartScopes::kept(&row.text(19)?).scopes,
        user_types: row.text(20)?.split_whitespace().filter_map(UserType::named).collect(),
        id_token_algorithm: row.opt_word(21, openid::id_token_algorithm)?,
        sector: row.opt_text(22)?,
        default_organisation: row.opt_text(23)?,
        require_par: row.flag(24)?,
        dpop_bound: row.flag(29)?,
        pkce_when_sent: row.flag(25)?,
        launch_url: row.opt_text(26)?,
        post_logout_redirect_uris: row.text(27)?.split_whitespace().map(String::from).collect(),
        registration: fingerprint(row.opt_bytes(30)?)?,
        unchecked: row.flag(31)?,
    })
}
