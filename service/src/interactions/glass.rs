//! Broken glass: for a session of a team that may, one record is opened for a short time, and everybody concerned is told.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::{Caller, CallerGlass};
use crate::interactions::consents::change::is_member;
use crate::secrets::tokens::{self, Kind, TokenContent};
use crate::voices::api::ApiStop;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::ids::UserId;
use rules::scope::Scope;
use store::sharing::glass::{self, BrokenGlass, GlassRequest};

/// A glass that was broken, and the token that opens it.
#[derive(Debug)]
pub(crate) struct OpenedGlass {
    pub broken: BrokenGlass,
    pub token: String,
}

/// Breaks the glass of a patient. `named` is the user whom SITE names.
pub(crate) async fn break_glass(
    app: &App,
    caller: &Caller,
    patient: &str,
    who_and_why: (Option<UserId>, Option<String>),
) -> Result<OpenedGlass, ApiStop> {
    let broken = break_for(app, caller, patient, who_and_why).await?;
    let generation = broken.glass.session.0;
    let content = TokenContent { kind: Kind::Glass, id: broken.id, generation, expires_at: broken.glass.ends_at() };
    let token = caller.salt().and_then(|salt| tokens::seal(&app.keys, salt, content)).ok_or(Refusal::Trouble)?;
    Ok(OpenedGlass { broken, token })
}

/// The same without a token: on our own pages the sign-in is what the glass is bound to, and its cookie what opens it.
pub(crate) async fn break_for(
    app: &App,
    caller: &Caller,
    patient: &str,
    (named, reason): (Option<UserId>, Option<String>),
) -> Result<BrokenGlass, ApiStop> {
    let denied = |denial| ApiStop::from(Refusal::Denied(denial));
    let Some(session) = caller.glass_holder() else { return Err(denied(NOT_BY_SYSTEMS)) };
    let team = match caller.reach().teams() {
        [only] => Some(*only),
        _ => None,
    };
    if let (Some(team), Some(named), None) = (team, named, caller.user())
        && !is_member(app, team, named).await?
    {
        return Err(denied(Denial::Unprocessable("userId must name a user of the team")));
    }
    let request = GlassRequest {
        session,
        session_ends_at: caller.session_ends_at(),
        team,
        user: caller.user(),
        named,
        is_permitted: matches!(caller.scope(), Some(Scope::Clinician | Scope::Site)),
        patient: patient.to_owned(),
        reason,
        needs_reason: app.settings.glass_needs_reason,
    };
    let (store, now) = (app.store.by(caller.author()), caller.now());
    glass::break_glass(&store, request, now).await.during("breaking a glass")?.map_err(denied)
}

/// Hands the glass back through which a call looks.
pub(crate) async fn mend(app: &App, caller: &Caller, patient: &str) -> Result<(), ApiStop> {
    let invalid = || Refusal::Denied(Denial::GlassInvalid);
    let CallerGlass { id, glass, .. } = caller.glass().ok_or_else(invalid)?;
    caller.must_be_of_glass(patient)?;
    let store = app.store.by(caller.author());
    Ok(glass::mend(&store, *id, *glass, caller.now()).await.during("handing a glass back")?)
}

const NOT_BY_SYSTEMS: Denial =
    Denial::UserTypeNotPermitted("the glass is broken by a CLINICIAN of a team, or for one by SITE");
