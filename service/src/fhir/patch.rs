//! `PATCH /fhir/{type}/{id}`: JSON Patch, JSON Merge Patch or FHIRPath Patch on the version that is there, and on no other.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::{answer, authority, body, conditions, media, query, submission, update, versions};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use fhir::patch::{Bounds, PatchKind, apply};
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{PATCH_OPERATIONS, PATCH_STEPS, PATCH_TRIES, RESOURCE_DEPTH, VALIDATED_IN_PLACE_BYTES};
use rules::reach::may_act_as;
use std::sync::Arc;
use store::read as records;
use store::resource::Resource;
use store::write::{Demand, Outcome, Stored};

/// A patch as it was sent.
pub(super) struct Patch {
    kind: PatchKind,
    body: Arc<Vec<u8>>,
}

impl Patch {
    /// The patch that a body of this media type is.
    pub(super) fn read(media_type: &str, body: Vec<u8>) -> Result<Self, Refusal> {
        let kind = PatchKind::of(media_type, &body, RESOURCE_DEPTH);
        let kind = kind.ok_or(Refusal::UnsupportedMediaType(
            "send a patch as application/json-patch+json, application/merge-patch+json or application/fhir+json",
        ))?;
        Ok(Self { kind, body: Arc::new(body) })
    }

    /// What it makes of a resource, away from other requests where that may take long.
    async fn applied(&self, app: &App, current: Arc<Resource>) -> Result<String, ApiStop> {
        let bounds = Bounds {
            operations: PATCH_OPERATIONS,
            depth: RESOURCE_DEPTH,
            bytes: app.settings.api_body_bytes,
            steps: PATCH_STEPS,
        };
        let (kind, body) = (self.kind, self.body.clone());
        let is_long = body.len() + current.body.len() > VALIDATED_IN_PLACE_BYTES;
        let work = move || apply(kind, &current.body, &body, &bounds);
        let patched = match is_long {
            true => {
                let worked = tokio::task::spawn_blocking(work).await;
                worked.map_err(|error| Trouble::new("patching a resource", error))?
            }
            false => work(),
        };
        patched.map_err(ApiStop::Issues)
    }
}

pub async fn patch(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    media::must_send_version(&head.headers)?;
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let patch = Patch::read(media_type(&head.headers), body::bytes(&app, body).await?)?;
    let stored = one(&app, &caller, (resource_type, &id), &patch, demand).await?;
    Ok(acknowledgement::answer(&app, (resource_type, &id), stored, false, Preference::of(&head.headers)))
}

fn media_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Patches one resource. What it is made of is demanded to be there still when it is stored; where somebody else was quicker and
/// the caller demands nothing, the patch is applied to what is there then.
pub(super) async fn one(
    app: &App,
    caller: &Caller,
    (resource_type, id): (ResourceType, &str),
    patch: &Patch,
    demand: Demand,
) -> Result<Stored, ApiStop> {
    authority::permit_type(caller, resource_type)?;
    for _ in 0..PATCH_TRIES {
        let current = records::find(&app.store, &caller.reach, resource_type, id, caller.now).await;
        let current = answer::present(resource_type, current.during("reading what is there")?)?;
        versions::must_be_there(&current)?;
        if !may_act_as(&caller.reach, current.source) {
            return Err(Refusal::OtherSource.into());
        }
        if matches!(demand, Demand::Version(demanded) if demanded != current.version) {
            return Err(conditions::not_met(current.version).into());
        }
        let (version, source) = (current.version, current.source);
        let text = patch.applied(app, current).await?;
        let new = submission::prepare(app, text, resource_type, (id, true)).await?;
        let stored = update::store(app, caller, new, Some(source), Demand::Version(version)).await?;
        match stored.outcome {
            Outcome::OtherVersion if matches!(demand, Demand::Version(_)) => {
                return Err(conditions::not_met(stored.version).into());
            }
            Outcome::OtherVersion => {}
            _ => return Ok(stored),
        }
    }
    let why = format!("{}/{id} was changed by others while it was patched; try again", resource_type.name());
    Err(Refusal::Conflict(why).into())
}
