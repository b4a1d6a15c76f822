//! Initial access tokens, by which clients register themselves: made for whoever is responsible for those clients, and told once.

use super::check::Check;
use super::refusal::OperatorRefusal;
use super::reply::NewClientInvitation;
use super::request::ClientInviter;
use super::summaries::ClientInvitationSummary;
use crate::app::App;
use crate::formats::durations;
use crate::formats::when::rfc3339;
use crate::secrets::dice;
use rules::ids::ClientInvitationId;
use rules::limits::{CLIENT_INVITATION_SECONDS, CLIENT_INVITATION_USES};
use rules::moment::Moment;
use rules::scope::UserType;
use store::Store;
use store::client_invitations::{self, ClientInvitation};

/// Makes one.
pub(super) async fn make(
    app: &App,
    store: &Store,
    wanted: ClientInviter,
) -> Result<NewClientInvitation, OperatorRefusal> {
    let now = app.clock.now();
    let wanted = checked(wanted, now)?;
    let (token, expires_at) = (dice::client_invitation()?, rfc3339(wanted.expires_at));
    let id = client_invitations::make(store, wanted, token.fingerprint(), now).await?;
    Ok(NewClientInvitation { id: id.0, token, expires_at })
}

/// Those that can still be used.
pub(super) async fn list(app: &App) -> Result<Vec<ClientInvitationSummary>, OperatorRefusal> {
    let all = client_invitations::list(&app.store, app.clock.now()).await?;
    Ok(all.iter().map(ClientInvitationSummary::from).collect())
}

/// Takes one back.
pub(super) async fn revoke(app: &App, store: &Store, id: i64) -> Result<bool, OperatorRefusal> {
    match client_invitations::revoke(store, ClientInvitationId(id), app.clock.now()).await? {
        true => Ok(true),
        false => Err(OperatorRefusal::because(format!(
            "there is no invitation {id} to take back; see `recordgate client invitations`"
        ))),
    }
}

fn checked(wanted: ClientInviter, now: Moment) -> Result<ClientInvitation, OperatorRefusal> {
    let mut problems = Vec::new();
    let mut check = Check::new("", "invitation", None, &mut problems);
    let owner = check.name("owner", Some(&wanted.owner));
    let mut user_types = Vec::new();
    for word in &wanted.user_types {
        let of = check.must("user_types", Some(word), "PATIENT, CLINICIAN or TEAMCOORD", |word| {
            UserType::named(word).filter(|of| of.scope().is_some())
        });
        user_types.extend(of.filter(|of| !user_types.contains(of)));
    }
    if user_types.is_empty() {
        check.note("user_types is missing; it says who may sign in with the clients");
    }
    if !(1..=CLIENT_INVITATION_USES).contains(&wanted.uses) {
        check.note(&format!("uses must be from 1 to {CLIENT_INVITATION_USES}"));
    }
    if !(1..=CLIENT_INVITATION_SECONDS).contains(&wanted.seconds) {
        let longest = durations::duration(CLIENT_INVITATION_SECONDS);
        check.note(&format!("it must be good for a while, and for {longest} at the most"));
    }
    let invitation = owner.map(|owner| ClientInvitation {
        id: ClientInvitationId::default(),
        owner,
        user_types,
        uses_left: wanted.uses,
        expires_at: now.plus_seconds(wanted.seconds),
    });
    check.sound(invitation).ok_or(OperatorRefusal(problems))
}
