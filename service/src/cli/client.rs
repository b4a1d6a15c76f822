//! `recordgate client`: the registered clients.

use super::client_invitation::{self, ClientInvitationArgs};
use super::context::Context;
use super::failure::Failure;
use super::store_presence::StoreChoice;
use super::{apply, client_show, password};
use crate::operator::check_client::{self, ClientFields};
use crate::operator::declaration::Declaration;
use crate::operator::{How, Reply, Request};
use crate::secrets::{dice, key_set};
use rules::clients::{ClientKind, Obtains};
use rules::scope::UserType;
use rules::smart::word::SmartScope;
use std::path::{Path, PathBuf};

/// What a SMART app for patients usually asks for, and who signs in with it.
const SMART_APP: (&[&str], &[&str]) =
    (&["launch/patient", "openid", "fhirUser", "offline_access", "patient/*.rs"], &[UserType::Patient.word()]);
/// What a Backend Service of SMART usually asks for, with which nobody signs in.
const BACKEND_SERVICE: (&[&str], &[&str]) = (&["system/*.rs"], &[]);

#[derive(Debug, clap::Subcommand)]
pub(super) enum ClientCommand {
    /// List all clients
    List,
    /// Show one client
    Show {
        /// Its Client ID
        client_id: String,
    },
    /// Register a client
    Add(Box<NewClient>),
    /// Shut a client out, with every token it holds, at once
    Disable {
        /// Its Client ID
        client_id: String,
    },
    /// Let a disabled client in again
    Enable {
        /// Its Client ID
        client_id: String,
    },
    /// Approve a client that registered itself: it is no longer shown as one that nobody has checked
    Approve {
        /// Its Client ID
        client_id: String,
    },
    /// Make an initial access token, printed this once, by which somebody registers clients themselves (RFC 7591)
    Invite(ClientInvitationArgs),
    /// List the initial access tokens that can still be used
    Invitations,
    /// Take an initial access token back; clients that were registered with it stay
    RevokeInvitation {
        /// Its number, as `recordgate client invitations` shows it
        id: i64,
    },
    /// Give a client other keys to sign with, in place of those it had or of its secret; or hold it to tokens that are bound to a key
    #[command(after_long_help = CHANGE_HELP, group(clap::ArgGroup::new("change").required(true)))]
    Change {
        /// Its Client ID
        client_id: String,
        /// A file with a JWK Set: the public keys that the client has from now on
        #[arg(long, value_name = "FILE", group = "change")]
        jwks: Option<PathBuf>,
        /// Where the client's JWK Set is from now on: an https URL
        #[arg(long, value_name = "URL", group = "change")]
        jwks_url: Option<String>,
        /// Whether it gets no token without a proof of a key, to which the token is bound (DPoP, RFC 9449): true or false
        #[arg(long, value_name = "WHETHER", group = "change")]
        dpop_bound_access_tokens: Option<bool>,
    },
    /// Give a client a new secret, printed this once; the old one is void at once
    RotateSecret {
        /// Its Client ID
        client_id: String,
    },
}

const CHANGE_HELP: &str = "\
A key that is in the file and was there before goes on as it was. One that is no longer in it is void at once, with the access
tokens that a System Client got with it. So a key is rotated in two steps: first a file with the old and the new key, and when the
client signs with the new one, a file with that alone. A client with --jwks-url rotates its keys at that URL by itself; giving it
another URL, or a file, ends the access tokens of a System Client at once.

With --dpop-bound-access-tokens true token requests without a proof are refused from then on; tokens that are out stay good.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate client add --kind user --client-id sleep-diary --owner 'Nightjar Health' --product 'Sleep Diary' \\
      --redirect-uri https://sleep.example/callback --scope PATIENT --session 90d --require-pkce
  recordgate client add --kind system --owner Postbridge --product 'Letter Sender'
  recordgate client add --kind system --owner 'City Registry' --product 'Flu Numbers' --scope system/Immunization.rs \\
      --jwks keys.json --default-organisation 6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01
  recordgate client add --kind tethered --owner 'Clinic Link' --product 'Clinic Link' --session never

A System Client's secret is made for it and printed this once, unless it is given keys. A User Client is public unless it
is given a secret or keys.")]
pub(super) struct NewClient {
    /// user, system or tethered
    #[arg(long)]
    kind: String,
    /// The Client ID; left out, one is made
    #[arg(long)]
    client_id: Option<String>,
    /// Who is responsible for it; shown to people who are asked for access
    #[arg(long)]
    owner: String,
    /// What it is called; shown to people who are asked for access
    #[arg(long)]
    product: String,
    /// Where people are sent back to (User Client; may be repeated)
    #[arg(long, value_name = "URI")]
    redirect_uri: Vec<String>,
    /// PATIENT, CLINICIAN or TEAMCOORD (User Client), or a scope of SMART: patient/*.rs, user/Observation.r, launch/patient, openid,
    /// offline_access; of a System Client system/Observation.rs (may be repeated)
    #[arg(long)]
    scope: Vec<String>,
    /// Who may sign in, where all scopes are SMART's: PATIENT, CLINICIAN or TEAMCOORD (User Client; may be repeated)
    #[arg(long, value_name = "TYPE")]
    user_type: Vec<String>,
    /// Register a SMART app for patients in one word: --scope launch/patient, openid, fhirUser, offline_access and patient/*.rs, and
    /// --user-type PATIENT; with any --scope of your own only the user type, where none is given. Of a System Client a Backend Service:
    /// --scope system/*.rs
    #[arg(long)]
    smart: bool,
    /// Where people open it from their pages here, about a record or a patient (SMART's EHR launch); needs the scope launch, which --smart
    /// adds (User Client)
    #[arg(long, value_name = "URL")]
    launch_url: Option<String>,
    /// Where it may lead people whom it had sign out here (User Client; may be repeated)
    #[arg(long, value_name = "URI")]
    post_logout_redirect_uri: Vec<String>,
    /// How its id_tokens are signed: RS256 or ES256 [default: RS256] (User Client)
    #[arg(long, value_name = "ALG")]
    id_token_signed_response_alg: Option<String>,
    /// Apps of one sector know a person by the same id (`sub`); without one, each app knows them by an id of its own (User Client)
    #[arg(long, value_name = "NAME")]
    sector: Option<String>,
    /// The organisation for which it acts where a call has no X-Org-Public-Id (System Client with system/ scopes)
    #[arg(long, value_name = "UUID")]
    default_organisation: Option<String>,
    /// Read the secret from standard input
    #[arg(long)]
    secret_stdin: bool,
    /// A file with a JWK Set: its public keys, with which it signs instead of having a secret
    #[arg(long, value_name = "FILE", conflicts_with = "secret_stdin")]
    jwks: Option<PathBuf>,
    /// Where its JWK Set is, instead of a file: an https URL, from which the service fetches the keys when the client signs
    #[arg(long, value_name = "URL", conflicts_with_all = ["secret_stdin", "jwks"])]
    jwks_url: Option<String>,
    /// How long a grant lasts: 90d, 12h, 30m or never [default: 90d]
    #[arg(long, value_name = "DURATION")]
    session: Option<String>,
    /// How long an access token lasts [default: 10m; of a System Client 1h, with system/ scopes 5m]
    #[arg(long, value_name = "DURATION")]
    access_token: Option<String>,
    /// Give it no refresh tokens
    #[arg(long)]
    no_refresh_tokens: bool,
    /// Refuse authorization requests without PKCE
    #[arg(long)]
    require_pkce: bool,
    /// when-sent: SMART requests of it need no PKCE, an exception for libraries that have none (confidential clients only)
    #[arg(long, value_name = "WHEN", conflicts_with = "require_pkce")]
    pkce: Option<String>,
    /// Refuse authorization requests that were not pushed (RFC 9126)
    #[arg(long)]
    require_par: bool,
    /// Give it no token without a proof of a key, to which the token is bound (DPoP, RFC 9449); any client may send one
    #[arg(long)]
    dpop_bound_access_tokens: bool,
    /// For so long a refresh whose answer was lost may be repeated: 0 to 60
    #[arg(long, value_name = "SECONDS")]
    refresh_retry_seconds: Option<i64>,
    /// lower, or as-requested
    #[arg(long)]
    scope_echo: Option<String>,
    /// Admit further query parameters behind a registered redirect URI
    #[arg(long)]
    redirect_extra_query: bool,
    /// Let it ask about any token (confidential clients only)
    #[arg(long)]
    may_introspect: bool,
}

pub(super) async fn run(context: &Context, command: ClientCommand) -> Result<(), Failure> {
    match command {
        ClientCommand::List => client_show::list(context).await,
        ClientCommand::Show { client_id } => client_show::show(context, client_id).await,
        ClientCommand::Add(add) => self::add(context, *add).await,
        ClientCommand::Disable { client_id } => {
            let request = Request::DisableClient { client_id: client_id.clone() };
            context.change(request, &format!("{client_id} is disabled"), "it was disabled before").await
        }
        ClientCommand::Enable { client_id } => {
            let request = Request::EnableClient { client_id: client_id.clone() };
            context.change(request, &format!("{client_id} is enabled"), "it was enabled before").await
        }
        ClientCommand::Approve { client_id } => {
            let request = Request::ApproveClient { client_id: client_id.clone() };
            context.change(request, &format!("{client_id} is approved"), "it was approved before").await
        }
        ClientCommand::Invite(args) => client_invitation::invite(context, args).await,
        ClientCommand::Invitations => client_invitation::list(context).await,
        ClientCommand::RevokeInvitation { id } => {
            let done = format!("invitation {id} is taken back");
            context.change(Request::RevokeClientInvitation { id }, &done, "").await
        }
        ClientCommand::Change { client_id, dpop_bound_access_tokens: Some(bound), .. } => {
            let done = match bound {
                true => format!("{client_id} gets no tokens but such as are bound to a key"),
                false => format!("{client_id} gets tokens without a proof of a key too"),
            };
            context.change(Request::BindTokens { client_id, bound }, &done, "it was so before").await
        }
        ClientCommand::Change { client_id, jwks, jwks_url, .. } => {
            change_keys(context, client_id, jwks.as_deref(), jwks_url).await
        }
        ClientCommand::RotateSecret { client_id } => {
            let pick = |reply| if let Reply::Secret(secret) = reply { Ok(secret) } else { Err(reply) };
            let secret = context.ask(Request::RotateSecret { client_id }, pick).await?;
            context.out.value(&secret);
            apply::tell_secrets(context, &[secret]);
            Ok(())
        }
    }
}

async fn change_keys(
    context: &Context,
    client_id: String,
    jwks: Option<&Path>,
    jwks_url: Option<String>,
) -> Result<(), Failure> {
    let keys = match jwks {
        Some(file) => key_set::read(&apply::read(file)?.1).map_err(Failure::usage)?,
        None => Vec::new(),
    };
    let jwks = keys.into_iter().map(|key| key.jwk).collect();
    let (done, before) = match &jwks_url {
        Some(url) => (format!("{client_id} signs with the keys at {url}"), "its keys were there before"),
        None => (format!("{client_id} signs with these keys"), "it had exactly these keys before"),
    };
    context.change(Request::ChangeKeys { client_id, jwks, jwks_url }, &done, before).await
}

async fn add(context: &Context, add: NewClient) -> Result<(), Failure> {
    let some = |list: Vec<String>| (!list.is_empty()).then_some(list);
    let client_id = match add.client_id {
        Some(client_id) => client_id,
        None => dice::uuid()?,
    };
    let is_system = ClientKind::named(&add.kind).is_some_and(|kind| kind.obtains() == Obtains::ClientCredentials);
    let (scopes, user_types) = if is_system { BACKEND_SERVICE } else { SMART_APP };
    let launch = add.launch_url.as_ref().map(|_| SmartScope::Launch.to_string());
    let scopes: Vec<String> = launch.into_iter().chain(scopes.iter().map(|scope| (*scope).to_owned())).collect();
    let fields = ClientFields {
        client_id: Some(client_id.clone()),
        kind: Some(add.kind),
        owner: Some(add.owner),
        product: Some(add.product),
        redirect_uris: some(add.redirect_uri),
        scopes: some(usual(add.smart, add.scope, &scopes)),
        user_types: some(usual(add.smart, add.user_type, user_types)),
        id_token_signed_response_alg: add.id_token_signed_response_alg,
        sector: add.sector,
        default_organisation: add.default_organisation,
        require_par: Some(add.require_par),
        dpop_bound_access_tokens: Some(add.dpop_bound_access_tokens),
        pkce: add.pkce,
        launch_url: add.launch_url,
        post_logout_redirect_uris: some(add.post_logout_redirect_uri),
        secret: if add.secret_stdin { Some(password::line_of_stdin()?) } else { None },
        jwks: add.jwks.as_deref().map(apply::read).transpose()?.map(|(_, text)| text),
        jwks_url: add.jwks_url,
        session: add.session,
        access_token: add.access_token,
        refresh_tokens: add.no_refresh_tokens.then_some(false),
        require_pkce: Some(add.require_pkce),
        refresh_retry_seconds: add.refresh_retry_seconds,
        scope_echo: add.scope_echo,
        redirect_extra_query: Some(add.redirect_extra_query),
        may_introspect: Some(add.may_introspect),
    };
    let mut problems = Vec::new();
    let Some(client) = check_client::client(fields, String::new(), &mut problems) else {
        return Err(Failure::usage(problems));
    };
    let declared = Declaration { clients: vec![client], ..Declaration::default() };
    let applied = apply::apply(context, declared, How::OnlyNew, StoreChoice::Existing).await?;
    let secret = applied.secrets.first();
    context.out.value(&serde_json::json!({
        "client_id": client_id,
        "secret": secret.map(|secret| secret.secret.reveal()),
    }));
    context.out.say(&format!("client {client_id} is registered"));
    apply::tell_secrets(context, &applied.secrets);
    Ok(())
}

/// What is said, or what a SMART app usually has where nothing is.
fn usual<W: AsRef<str>>(is_smart: bool, said: Vec<String>, usual: &[W]) -> Vec<String> {
    match is_smart && said.is_empty() {
        true => usual.iter().map(|word| word.as_ref().to_owned()).collect(),
        false => said,
    }
}
