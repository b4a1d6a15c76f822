//! What a create stores, written before its transaction: while that is under way, everybody else's writes wait for it.

use crate::access::patients;
use crate::error::Result;
use crate::records::stored::{origin, packing};
use crate::store::Store;
use fhir::preparation::Preparation;
use rules::ids::PatientId;
use rules::reach::Source;
use std::borrow::Cow;
use std::collections::HashMap;

/// The version that a draft is of.
pub(crate) const FIRST: i64 = 1;

/// A resource as its first version will be stored, should it come to that.
pub(crate) struct Draft {
    /// The source, as `meta.source` says it.
    pub origin: String,
    /// The numbers of those of its patients who are known; they never change.
    pub numbers: HashMap<String, PatientId>,
    pub body: String,
    /// The body as it is stored, where that is not as it is.
    packed: Option<String>,
}

impl Draft {
    /// Of what this source stores at this moment, if the source is known already.
    pub(crate) async fn of(store: &Store, content: &Preparation, source: Source, at: &str) -> Result<Option<Self>> {
        let Some(origin) = origin::known(store, source).await? else { return Ok(None) };
        let body = content.body.joined(FIRST, at, &origin);
        let packed = match packing::pack(&body) {
            Cow::Owned(packed) => Some(packed),
            Cow::Borrowed(_) => None,
        };
        let mut numbers = HashMap::with_capacity(content.patients.len());
        for patient in &content.patients {
            if let Some(number) = patients::find(store, patient).await? {
                numbers.insert(patient.clone(), number);
            }
        }
        Ok(Some(Self { origin, numbers, body, packed }))
    }

    /// The body as it is stored.
    pub(crate) fn packed(&self) -> &str {
        self.packed.as_deref().unwrap_or(&self.body)
    }
}
