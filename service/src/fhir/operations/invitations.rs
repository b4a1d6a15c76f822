//! `POST /fhir/Organization/$generate-invitation-tokens`: invites patients of the calling organisation to make an account.

use crate::app::trouble::During;
use crate::callers::api::FhirSystem;
use crate::fhir::operations::identifier;
use crate::fhir::operations::invocation::Invocation;
use crate::fhir::operations::public_table::GENERATE_INVITATION_TOKENS;
use crate::fhir::read::answer;
use crate::fhir::{body, media};
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::identities;
use crate::interactions::invitation::kept;
use crate::secrets::invitation::{self, InvitationSecrets};
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::guidance::parts;
use rules::invitations::{Candidate, NOT_OURS, hindrance};
use rules::moment::Moment;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use store::identities::Identity;
use store::invitations::invite;
use store::reach::registrations;

/// Who is left out is not told why: that somebody is a patient elsewhere or has an account is nobody's to learn from it. What the
/// organisation knows itself is told: that a patient whom it sees is registered with none of its teams.
pub async fn generate(caller: FhirSystem, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&GENERATE_INVITATION_TOKENS, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_text((&app, &caller), body::text(&app, &head.headers, body).await?).await?.checked()?;
    let identifiers = identifier::asked(&asked, &[])?;
    let organisation = caller.organisation();
    let by = (organisation, organisation.into());
    let found = identities::of_organisation(&app, &caller, by, &identifiers, parts::INVITATIONS).await?;
    let patients = found.iter().map(|identity| identity.patient);
    let ours = registrations::of_organisation(&app.store, organisation, patients).await;
    let ours = ours.during("looking up who is registered")?;
    let (mut known, mut pairs) = (HashMap::new(), BTreeMap::new());
    for identity in found {
        // Several identifiers may be one patient's, who has one pair.
        if may_be_invited(&identity, ours.contains(&identity.patient), caller.now())
            && !pairs.contains_key(&identity.patient)
        {
            pairs.insert(identity.patient, invitation::pair()?);
        }
        known.insert(identity.identifier, identity.patient);
    }
    let stored = pairs.iter().map(|(patient, pair)| (*patient, kept(pair))).collect();
    let invited = invite(&app.store.by(caller.author()), organisation, stored, caller.now()).await;
    let (ends, invited) = invited.during("inviting patients")?;
    pairs.retain(|patient, _| invited.contains(patient));
    let tokens = |asked: &(String, String)| Some(tokens(asked, pairs.get(known.get(asked)?)?, ends));
    let told = identifiers.iter().filter_map(tokens);
    let strangers = identifiers.iter().map(|asked| known.get(asked).is_some_and(|patient| !ours.contains(patient)));
    Ok(answer::parameters(told.chain(outcome(strangers)).collect()))
}

/// Whom the organisation sees and may not invite is told, by the place in the request: it knows with whom its own teams have to do.
fn outcome(are_strangers: impl Iterator<Item = bool>) -> Option<Value> {
    let strangers = are_strangers.enumerate().filter(|(_, is_stranger)| *is_stranger);
    let issue = strangers.map(|(at, _)| {
        let place = format!("Parameters.parameter.where(name = 'patientIdentifier')[{at}]");
        json!({ "severity": "information", "code": "business-rule", "diagnostics": NOT_OURS, "expression": [place] })
    });
    let issue: Vec<Value> = issue.collect();
    let outcome = json!({ "resourceType": "OperationOutcome", "issue": issue });
    (!issue.is_empty()).then(|| json!({ "name": "outcome", "resource": outcome }))
}

fn may_be_invited(identity: &Identity, is_ours: bool, now: Moment) -> bool {
    let Identity { deceased, registered, birth_date, .. } = identity;
    let candidate =
        Candidate { is_ours, deceased: *deceased, registered: *registered, birth_date: birth_date.as_deref() };
    hindrance(candidate, now).is_none()
}

fn tokens(asked: &(String, String), pair: &InvitationSecrets, ends: Moment) -> Value {
    let parts = [
        identifier::part(asked),
        json!({ "name": "token", "valueString": pair.token.reveal() }),
        json!({ "name": "code", "valueString": pair.code }),
        json!({ "name": "expiry", "valueDateTime": when::rfc3339(ends) }),
    ];
    json!({ "name": "patientTokens", "part": parts })
}
