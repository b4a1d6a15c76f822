//! `recordgate client invite` and `invitations`: initial access tokens, by which somebody registers clients themselves.

use super::context::Context;
use super::failure::Failure;
use crate::formats::durations;
use crate::operator::summaries::ClientInvitationSummary;
use crate::operator::{ClientInviter, NewClientInvitation, Reply, Request};
use rules::scope::UserType;

/// How long a token is good where nothing is said.
const USUALLY: &str = "7d";

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Example:
  recordgate client invite --owner 'Nightjar Health' --uses 3 --for 14d

Give the token to the people who make the apps. Their software sends it to /apiRegister.action, which is there where
client_registration is set to true. What they register are User Clients with scopes of SMART and PKCE; people who are asked for access
read that nobody has checked them, until `recordgate client approve` says otherwise.")]
pub(super) struct ClientInvitationArgs {
    /// Who is responsible for the clients; shown to people who are asked for access
    #[arg(long)]
    owner: String,
    /// Who may sign in with them: PATIENT, CLINICIAN or TEAMCOORD (may be repeated) [default: PATIENT]
    #[arg(long, value_name = "TYPE")]
    user_type: Vec<String>,
    /// How many clients may be registered: 1 to 1000
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    uses: i64,
    /// How long it is good: 7d, 12h or 30m, at most 90d [default: 7d]
    #[arg(long = "for", value_name = "DURATION")]
    duration: Option<String>,
}

pub(super) async fn invite(context: &Context, args: ClientInvitationArgs) -> Result<(), Failure> {
    let duration = args.duration.as_deref().unwrap_or(USUALLY);
    let Some(seconds) = durations::seconds(duration) else {
        return Err(Failure::usage(vec![format!(
            "--for {duration:?} will not do; it must be a duration such as 7d or 12h"
        )]));
    };
    let user_types = match args.user_type.is_empty() {
        true => vec![UserType::Patient.word().to_owned()],
        false => args.user_type,
    };
    let request = Request::InviteClients(ClientInviter { owner: args.owner, user_types, uses: args.uses, seconds });
    let pick = |reply| if let Reply::ClientInvitation(new) = reply { Ok(new) } else { Err(reply) };
    let NewClientInvitation { id, token, expires_at } = context.ask(request, pick).await?;
    context.out.value(&serde_json::json!({ "id": id, "token": token.reveal(), "expires_at": expires_at }));
    context.out.say(&format!("invitation {id} is good until {expires_at}"));
    context.out.say("\nKeep this initial access token now; it is not shown again:");
    context.out.table(["invitation", "token"], &[[id.to_string(), token.reveal().to_owned()]]);
    Ok(())
}

pub(super) async fn list(context: &Context) -> Result<(), Failure> {
    let pick = |reply| if let Reply::ClientInvitations(all) = reply { Ok(all) } else { Err(reply) };
    let all: Vec<ClientInvitationSummary> = context.ask(Request::ClientInvitations, pick).await?;
    let rows: Vec<[String; 5]> = all
        .iter()
        .map(|one| {
            let user_types = one.user_types.join(" ");
            [one.id.to_string(), one.owner.clone(), user_types, one.uses_left.to_string(), one.expires_at.clone()]
        })
        .collect();
    context.list(["invitation", "owner", "user types", "uses left", "ends"], &rows, &all);
    Ok(())
}
