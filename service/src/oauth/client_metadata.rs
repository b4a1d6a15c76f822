//! The metadata of a client that registers itself (RFC 7591, 2): read into what an operator would say of a client, so that the same rules
//! judge both. What is not known is passed over.

use crate::operator::check_client::{self, ClientFields};
use crate::operator::declaration::ClientDeclaration;
use rules::authorize::RESPONSE_TYPES;
use rules::clients::{AuthenticationMethod, ClientKind, GrantType};
use rules::limits::REGISTERED_URIS;
use rules::redirect;
use rules::registration::{self, METHODS, RegistrationFault, USUAL_METHOD};
use rules::scope::UserType;
use rules::smart::request;
use rules::smart::word::SmartScope;
use serde_json::{Map, Value};
use store::vocabulary::VOCABULARY;

/// What a client is called that says no name.
const UNNAMED: &str = "Unnamed app";
/// What the rules call by another name than the metadata.
const NAMES: [(&str, &str); 3] =
    [("product", "client_name"), ("jwks_url", "jwks_uri"), ("require_par", "require_pushed_authorization_requests")];

/// What somebody else decides about a client than itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Responsible<'r> {
    pub(super) client_id: &'r str,
    pub(super) owner: &'r str,
    pub(super) user_types: &'r [UserType],
}

/// A client as it describes itself, and how it wants to prove who it is.
#[derive(Debug)]
pub(super) struct DescribedClient {
    pub(super) declared: ClientDeclaration,
    pub(super) method: AuthenticationMethod,
}

/// Reads metadata by the rules of registration.
pub(super) fn read(metadata: &Map<String, Value>, of: Responsible<'_>) -> Result<DescribedClient, RegistrationFault> {
    let redirect_uris = redirect_uris(metadata)?;
    let scopes = registration::scopes(text(metadata, "scope")?.unwrap_or_default(), &VOCABULARY)?;
    let method = method(metadata)?;
    let refresh_tokens = has_refresh_tokens(metadata, &scopes)?;
    must_respond_with_codes(metadata)?;
    let (jwks, jwks_uri) = keys(metadata, method)?;
    let fields = ClientFields {
        client_id: Some(of.client_id.to_owned()),
        kind: Some(ClientKind::User.word().to_owned()),
        owner: Some(of.owner.to_owned()),
        product: Some(text(metadata, "client_name")?.unwrap_or(UNNAMED).to_owned()),
        redirect_uris: Some(redirect_uris),
        scopes: Some(scopes.iter().map(ToString::to_string).collect()),
        user_types: Some(of.user_types.iter().map(|of| of.word().to_owned()).collect()),
        jwks,
        jwks_url: jwks_uri,
        refresh_tokens: Some(refresh_tokens),
        require_pkce: Some(true),
        require_par: flag(metadata, "require_pushed_authorization_requests")?,
        dpop_bound_access_tokens: flag(metadata, "dpop_bound_access_tokens")?,
        id_token_signed_response_alg: text(metadata, "id_token_signed_response_alg")?.map(String::from),
        post_logout_redirect_uris: Some(addresses(metadata, "post_logout_redirect_uris")?),
        ..ClientFields::default()
    };
    let mut problems = Vec::new();
    match check_client::client(fields, String::new(), &mut problems) {
        Some(declared) => Ok(DescribedClient { declared, method }),
        None => Err(RegistrationFault::metadata(&in_their_words(&problems, of.client_id))),
    }
}

/// What a registered client is, as it is told of itself; without what is secret.
pub(super) fn told(client: &store::clients::Client) -> Map<String, Value> {
    let grants = [Some(GrantType::AuthorizationCode), client.refresh_tokens.then_some(GrantType::RefreshToken)];
    let mut told = Map::new();
    let mut say = |name: &str, value: Value| told.insert(name.to_owned(), value);
    say("client_id", client.client_id.as_str().into());
    say("client_id_issued_at", client.registered_at().0.div_euclid(1000).into());
    say("client_name", client.product.as_str().into());
    say("redirect_uris", client.redirect_uris.clone().into());
    say("token_endpoint_auth_method", client.authentication().word().into());
    say("grant_types", grants.into_iter().flatten().map(GrantType::word).collect::<Vec<_>>().into());
    say("response_types", RESPONSE_TYPES.to_vec().into());
    say("scope", request::spelt(&client.smart_scopes).into());
    say("id_token_signed_response_alg", client.id_token_algorithm().word().into());
    say("subject_type", "pairwise".into());
    say("require_pushed_authorization_requests", client.require_par.into());
    say("dpop_bound_access_tokens", client.dpop_bound.into());
    if !client.post_logout_redirect_uris.is_empty() {
        say("post_logout_redirect_uris", client.post_logout_redirect_uris.clone().into());
    }
    if let Some(at) = &client.jwks_url {
        say("jwks_uri", at.url.as_str().into());
    }
    let keys: Vec<Value> = client.keys.iter().filter_map(|key| serde_json::from_str(&key.jwk).ok()).collect();
    if !keys.is_empty() {
        say("jwks", serde_json::json!({ "keys": keys }));
    }
    told
}

fn redirect_uris(metadata: &Map<String, Value>) -> Result<Vec<String>, RegistrationFault> {
    let fault = |words: &str| Err(RegistrationFault::redirect_uri(words));
    let uris = match addresses(metadata, "redirect_uris") {
        Ok(uris) if uris.is_empty() => return fault("redirect_uris is missing; it needs at least one address"),
        Ok(uris) => uris,
        Err(RegistrationFault::Metadata(words)) => return fault(&words),
        Err(other) => return Err(other),
    };
    for uri in &uris {
        if let Err(why) = redirect::registrable(uri) {
            return fault(&format!("the redirect URI {uri} {}", why.words()));
        }
    }
    Ok(uris)
}

fn method(metadata: &Map<String, Value>) -> Result<AuthenticationMethod, RegistrationFault> {
    let Some(word) = text(metadata, "token_endpoint_auth_method")? else { return Ok(USUAL_METHOD) };
    registration::method(word)
        .ok_or_else(|| must_be("token_endpoint_auth_method", &list(METHODS.map(AuthenticationMethod::word))))
}

/// Where nothing is said of grants, its scopes say whether it goes on when nobody is there.
fn has_refresh_tokens(metadata: &Map<String, Value>, scopes: &[SmartScope]) -> Result<bool, RegistrationFault> {
    const OFFERED: [GrantType; 2] = [GrantType::AuthorizationCode, GrantType::RefreshToken];
    let Some(words) = texts(metadata, "grant_types")? else {
        return Ok(scopes.contains(&SmartScope::OfflineAccess) || scopes.contains(&SmartScope::OnlineAccess));
    };
    let is_offered = |word: &String| OFFERED.iter().any(|grant| grant.word() == word);
    let has = |grant: GrantType| words.iter().any(|word| word == grant.word());
    match words.iter().all(is_offered) && has(GrantType::AuthorizationCode) {
        true => Ok(has(GrantType::RefreshToken)),
        false => Err(must_be("grant_types", "authorization_code, and refresh_token or not")),
    }
}

fn must_respond_with_codes(metadata: &Map<String, Value>) -> Result<(), RegistrationFault> {
    let words = texts(metadata, "response_types")?.unwrap_or_default();
    let is_known = words.iter().all(|word| RESPONSE_TYPES.contains(&word.as_str()));
    is_known.then_some(()).ok_or_else(|| must_be("response_types", &list(RESPONSE_TYPES)))
}

/// The JWK Set as it is, or where it is: needed by who signs, and of no use to anybody else.
fn keys(
    metadata: &Map<String, Value>,
    method: AuthenticationMethod,
) -> Result<(Option<String>, Option<String>), RegistrationFault> {
    let (jwks, uri) = (metadata.get("jwks").filter(|set| !set.is_null()), text(metadata, "jwks_uri")?);
    match (method, jwks, uri) {
        (AuthenticationMethod::PrivateKeyJwt, Some(jwks), None) => Ok((Some(jwks.to_string()), None)),
        (AuthenticationMethod::PrivateKeyJwt, None, Some(uri)) => Ok((None, Some(uri.to_owned()))),
        (AuthenticationMethod::PrivateKeyJwt, ..) => {
            Err(RegistrationFault::metadata("private_key_jwt needs jwks or jwks_uri, and not both"))
        }
        _ => Ok((None, None)),
    }
}

fn text<'m>(metadata: &'m Map<String, Value>, name: &str) -> Result<Option<&'m str>, RegistrationFault> {
    match metadata.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(must_be(name, "a text")),
    }
}

fn flag(metadata: &Map<String, Value>, name: &str) -> Result<Option<bool>, RegistrationFault> {
    match metadata.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(must_be(name, "true or false")),
    }
}

fn texts(metadata: &Map<String, Value>, name: &str) -> Result<Option<Vec<String>>, RegistrationFault> {
    let of_texts = || must_be(name, "an array of texts");
    match metadata.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(all)) => {
            let each = all.iter().map(|one| one.as_str().map(String::from).ok_or_else(of_texts));
            each.collect::<Result<_, _>>().map(Some)
        }
        Some(_) => Err(of_texts()),
    }
}

fn addresses(metadata: &Map<String, Value>, name: &str) -> Result<Vec<String>, RegistrationFault> {
    let all = texts(metadata, name)?.unwrap_or_default();
    match all.len() > REGISTERED_URIS {
        true => Err(must_be(name, &format!("{REGISTERED_URIS} addresses at the most"))),
        false => Ok(all),
    }
}

fn must_be(name: &str, what: &str) -> RegistrationFault {
    RegistrationFault::metadata(&format!("{name} must be {what}"))
}

fn list<const N: usize>(words: [&str; N]) -> String {
    words.join(", ")
}

/// What is wrong, as a client that described itself knows it.
fn in_their_words(problems: &[String], client_id: &str) -> String {
    let of_client = format!("client {client_id}: ");
    let said = problems.iter().map(|problem| {
        let words = problem.strip_prefix(&of_client).unwrap_or(problem);
        let renamed = NAMES.iter().find_map(|(own, theirs)| Some(format!("{theirs}{}", words.strip_prefix(own)?)));
        renamed.unwrap_or_else(|| words.to_owned())
    });
    said.collect::<Vec<_>>().join("; ")
}
