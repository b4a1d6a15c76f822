//! A patch as it was sent, and what it makes of a resource.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::preparation::SHAPE;
use crate::voices::api::ApiStop;
use fhir::patch::{Bounds, PatchKind, apply};
use rules::answers::Refusal;
use rules::limits::{PATCH_OPERATIONS, PATCH_STEPS};
use std::sync::Arc;
use store::stored::resource::Resource;

/// A patch as it was sent.
#[derive(Debug)]
pub(crate) struct Patch {
    kind: PatchKind,
    body: Arc<Vec<u8>>,
}

impl Patch {
    /// The patch that a body of this media type is, read away from other requests where that takes long.
    pub(crate) async fn sent((app, caller): (&App, &Caller), media_type: &str, body: Vec<u8>) -> Result<Self, ApiStop> {
        let (media_type, bytes) = (media_type.to_owned(), body.len());
        Ok(app.workers.run(caller.taker(), bytes, move || Self::read(&media_type, body)).await??)
    }

    /// The patch that a body of this media type is.
    pub(crate) fn read(media_type: &str, body: Vec<u8>) -> Result<Self, Refusal> {
        let kind = PatchKind::of(media_type, &body, SHAPE);
        let kind = kind.ok_or(Refusal::UnsupportedMediaType(
            "send a patch as application/json-patch+json, application/merge-patch+json or application/fhir+json",
        ))?;
        Ok(Self { kind, body: Arc::new(body) })
    }

    /// What it makes of a resource, away from other requests where that may take long.
    pub(crate) async fn applied(
        &self,
        (app, caller): (&App, &Caller),
        current: Arc<Resource>,
    ) -> Result<String, ApiStop> {
        let bounds = Bounds {
            operations: PATCH_OPERATIONS,
            shape: SHAPE,
            bytes: app.settings.api_body_bytes,
            steps: PATCH_STEPS,
        };
        let (kind, body) = (self.kind, self.body.clone());
        let bytes = body.len() + current.body.len();
        let work = move || apply(kind, &current.body, &body, &bounds);
        app.workers.run(caller.taker(), bytes, work).await?.map_err(ApiStop::Issues)
    }
}
