//! `POST /fhir/Organization/$generate-invitation-tokens`: invites patients of the calling organisation to make an account.

use crate::app::trouble::During;
use crate::callers::api::FhirSystem;
use crate::fhir::invocation::Invocation;
use crate::fhir::public_operations::GENERATE_INVITATION_TOKENS;
use crate::fhir::{answer, body, identifier, media};
use crate::formats::when;
use crate::http::call::Call;
use crate::secrets::invitation::{self, InvitationSecrets};
use crate::secrets::secret::Secret;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::guidance::parts;
use rules::invitations::{Candidate, hindrance};
use rules::moment::Moment;
use rules::reach::Reach;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use store::identities::{self, Identity};
use store::invitations::{InvitationPair, invite};

/// Who is left out is not told why: that somebody is a patient elsewhere or has an account is nobody's to learn from it.
pub async fn generate(FhirSystem { caller, organisation }: FhirSystem, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&GENERATE_INVITATION_TOKENS, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_text((&app, &caller), body::text(&app, &head.headers, body).await?).await?.checked()?;
    let identifiers = identifier::asked(&asked, &[])?;
    let reach = Reach::Viewers { teams: Vec::new(), organisation: Some(organisation) };
    let found = identities::find(&app.store, &reach, &identifiers, caller.now).await.during("looking patients up")?;
    let (mut known, mut pairs) = (HashMap::new(), BTreeMap::new());
    for identity in found {
        let eyes = Some(organisation.into());
        app.accesses.note_one(&caller.viewer(), identity.patient, parts::INVITATIONS, identity.right, eyes);
        // Several identifiers may be one patient's, who has one pair.
        if may_be_invited(&identity, caller.now) && !pairs.contains_key(&identity.patient) {
            pairs.insert(identity.patient, invitation::pair()?);
        }
        known.insert(identity.identifier, identity.patient);
    }
    let stored = pairs.iter().map(|(patient, pair)| (*patient, stored(pair))).collect();
    let invited = invite(&app.store.by(caller.author()), organisation, stored, caller.now).await;
    let (ends, invited) = invited.during("inviting patients")?;
    pairs.retain(|patient, _| invited.contains(patient));
    let tokens = |asked: &(String, String)| Some(tokens(asked, pairs.get(known.get(asked)?)?, ends));
    Ok(answer::parameters(identifiers.iter().filter_map(tokens).collect()))
}

fn may_be_invited(identity: &Identity, now: Moment) -> bool {
    let Identity { deceased, registered, birth_date, .. } = identity;
    let candidate = Candidate { deceased: *deceased, registered: *registered, birth_date: birth_date.as_deref() };
    hindrance(candidate, now).is_none()
}

/// What is kept of a pair.
fn stored(pair: &InvitationSecrets) -> InvitationPair {
    let token = Secret::new(invitation::plain(pair.token.reveal()));
    InvitationPair { code: invitation::plain(&pair.code), token: token.fingerprint() }
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
