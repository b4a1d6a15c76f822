//! Applying a patch, in whichever format, within its bounds.

use crate::issue::Issue;
use crate::json::{print, read};
use crate::patch::bounds::{Bounds, Budget};
use crate::patch::kind::PatchKind;
use crate::patch::{document, fhirpath, identity, json_patch, merge};

/// What the patch makes of the resource: compact JSON, with numbers as they were written. Type, id, `meta.versionId` and
/// `meta.lastUpdated` are those of `current`, which is compact JSON as it was stored. It is not validated.
pub fn apply(kind: PatchKind, current: &str, body: &[u8], bounds: &Bounds) -> Result<String, Vec<Issue>> {
    let document = document::compact(body, bounds.shape).map_err(|issue| vec![issue])?;
    let patch = read(&document).ok_or_else(|| vec![Issue::not_fhir("", "the patch cannot be read")])?;
    let before = read(current).ok_or_else(|| vec![Issue::not_fhir("", "what should be patched cannot be read")])?;
    let mut budget = Budget::new(*bounds);
    let mut after = before.clone();
    match kind {
        PatchKind::JsonPatch => json_patch::apply(&mut after, &patch, &mut budget)?,
        PatchKind::MergePatch => merge::apply(&mut after, &patch, &mut budget).map_err(|issue| vec![issue])?,
        PatchKind::FhirPathPatch => fhirpath::apply(&mut after, &patch, &mut budget)?,
    }
    let one = |issue| vec![issue];
    identity::keep(&before, &mut after).map_err(one)?;
    if after.depth() > bounds.shape.depth {
        return Err(vec![budget.too_deep()]);
    }
    let text = print(&after);
    if text.len() > bounds.bytes { Err(vec![budget.too_large()]) } else { Ok(text) }
}

#[cfg(test)]
#[path = "application_tests.rs"]
mod tests;
