//! A patch as it was sent, and what it makes of a resource.

use crate::app::App;
use crate::app::trouble::Trouble;
use crate::voices::api::ApiStop;
use fhir::patch::{Bounds, PatchKind, apply};
use rules::answers::Refusal;
use rules::limits::{PATCH_OPERATIONS, PATCH_STEPS, RESOURCE_DEPTH, VALIDATED_IN_PLACE_BYTES};
use std::sync::Arc;
use store::stored::resource::Resource;

/// A patch as it was sent.
#[derive(Debug)]
pub(crate) struct Patch {
    kind: PatchKind,
    body: Arc<Vec<u8>>,
}

impl Patch {
    /// The patch that a body of this media type is.
    pub(crate) fn read(media_type: &str, body: Vec<u8>) -> Result<Self, Refusal> {
        let kind = PatchKind::of(media_type, &body, RESOURCE_DEPTH);
        let kind = kind.ok_or(Refusal::UnsupportedMediaType(
            "send a patch as application/json-patch+json, application/merge-patch+json or application/fhir+json",
        ))?;
        Ok(Self { kind, body: Arc::new(body) })
    }

    /// What it makes of a resource, away from other requests where that may take long.
    pub(crate) async fn applied(&self, app: &App, current: Arc<Resource>) -> Result<String, ApiStop> {
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
