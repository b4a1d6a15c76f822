//! Reading the document of a patch: what is no JSON is no patch, in whichever format.

use crate::issue::Issue;
use crate::limits::Shape;
use crate::strict;

/// The compact text of a patch.
pub(super) fn compact(body: &[u8], shape: Shape) -> Result<String, Issue> {
    let text = str::from_utf8(body).map_err(|_| Issue::not_fhir("", "the body must be JSON in UTF-8"))?;
    strict::compact(text, shape).map_err(|fault| Issue::not_fhir("", fault.to_string()))
}
