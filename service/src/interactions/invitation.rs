//! Inviting one patient to make an account, for the team that asks; and what is kept of the pair that is handed over.

use super::items::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::http::encoding;
use crate::secrets::invitation::{self, InvitationSecrets};
use crate::sharing::birth;
use crate::voices::api::ApiStop;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::invitations::{Candidate, Hindrance, hindrance};
use rules::rest_errors::RestError;
use store::invitations::{InvitationPair, invite};
use store::organisations;
use store::patients;
use store::reach::{grantees, registrations};
use views::kinds::invitation::InvitationView;

const FOR_TEAMS: Denial =
    Denial::UserTypeNotPermitted("a patient is invited for a team: grant access again and choose one");

/// What is kept of a pair.
pub(crate) fn kept(pair: &InvitationSecrets) -> InvitationPair {
    InvitationPair { code: invitation::plain(&pair.code), token: invitation::fingerprint(pair.token.reveal()) }
}

/// Invites the patient of a record by a new pair, which ends the one before; or says what stands in the way.
pub(crate) async fn make(app: &App, caller: &Caller, record: &ItemRecord) -> Result<InvitationView, ApiStop> {
    let team = match caller.reach().teams() {
        [team] => organisations::team(&app.store, *team).await.during("looking a team up")?,
        _ => None,
    };
    let organisation = team.ok_or(Refusal::Denied(FOR_TEAMS))?.organisation;
    let ours = registrations::of_organisation(&app.store, organisation, std::iter::once(record.number)).await;
    let ours = ours.during("looking up who is registered")?;
    let state = patients::state(&app.store, record.number).await.during("looking a patient up")?;
    let account = grantees::account_of(&app.store, &record.patient).await.during("looking an account up")?;
    let born = birth::born(app, record.number, &record.patient).await.during("reading a Patient")?;
    let born = born.map(rules::calendar::Day::text);
    let candidate = Candidate {
        is_ours: ours.contains(&record.number),
        deceased: state.is_some_and(|state| state.deceased),
        registered: account.is_some(),
        birth_date: born.as_deref(),
    };
    let refused = |hindrance: Hindrance| RestError::Unprocessable(hindrance.words().into());
    if let Some(hindrance) = hindrance(candidate, caller.now()) {
        return Err(refused(hindrance).into());
    }
    let pair = invitation::pair()?;
    let (store, pairs) = (app.store.by(caller.author()), vec![(record.number, kept(&pair))]);
    let invited = invite(&store, organisation, pairs, caller.now()).await;
    let (ends, invited) = invited.during("inviting a patient")?;
    // Somebody has made the account meanwhile.
    if !invited.contains(&record.number) {
        return Err(refused(Hindrance::Registered).into());
    }
    let (code, token) = (pair.code.clone(), pair.token.reveal().to_owned());
    let filled = encoding::query([("t1", code.as_str()), ("t2", token.as_str())].into_iter());
    let url = format!("{}/join?{filled}", app.settings.base_url);
    Ok(InvitationView { invitation_code: code, token, expiry: when::rfc3339(ends), url })
}
