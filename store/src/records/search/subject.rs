//! What a clause of a query is asked of, as SQL names it: a resource, or one that is contained in another.

use fhir::extraction::index_row::PARTS;
use fhir::search::belonging::is_followed_inside;
use fhir::types::ResourceType;

/// The names of resources in a statement, by how many links away from the result they are.
const ALIASES: [&str; 8] = ["r", "r1", "r2", "r3", "r4", "r5", "r6", "r7"];

/// What a clause is asked of: a resource of a name, or one that is contained in the resource of a row.
#[derive(Clone)]
pub(crate) struct SearchSubject {
    pub resource_type: ResourceType,
    pub links: usize,
    /// Where its number is known before its row is read.
    known: Option<&'static str>,
    /// The type of the resource that has a row of its own: it, or what it is contained in.
    holder: ResourceType,
    contained: Option<(String, String)>,
}

impl SearchSubject {
    /// What is looked for, whose number is this one.
    pub(crate) const fn result(resource_type: ResourceType, number: &'static str) -> Self {
        Self { resource_type, links: 0, known: Some(number), holder: resource_type, contained: None }
    }

    /// What its reference is to, one link further, where that is contained beside it; none where no chain is followed into it.
    pub(crate) fn inner(&self, resource_type: ResourceType) -> Option<Self> {
        let depth = self.links + 1;
        let contained = Some((format!("c{depth}.resource_id"), format!("c{depth}.target")));
        let inner = Self { resource_type, links: depth, known: None, holder: self.holder, contained };
        is_followed_inside(self.holder, resource_type).then_some(inner)
    }

    pub(crate) const fn is_contained(&self) -> bool {
        self.contained.is_some()
    }

    pub(crate) fn alias(&self) -> &'static str {
        ALIASES.get(self.links).copied().unwrap_or("r")
    }

    pub(crate) fn row(&self) -> String {
        match (&self.contained, self.known) {
            (Some((row, _)), _) => row.clone(),
            (None, Some(number)) => number.into(),
            (None, None) => format!("{}.id", self.alias()),
        }
    }

    /// The type as the index has it.
    pub(crate) fn type_number(&self) -> i64 {
        let number = self.resource_type.number();
        if self.contained.is_some() { -number } else { number }
    }

    /// That a row `i` of the index is of the contained resource.
    pub(crate) fn inside(&self, i: &str) -> String {
        let number = self.contained.as_ref().map(|(_, number)| number);
        number.map(|number| format!(" AND CAST({i}.part / {PARTS} AS TEXT) = {number}")).unwrap_or_default()
    }

    /// A resource of its own, one link further.
    pub(crate) fn next(&self, resource_type: ResourceType) -> Self {
        Self { resource_type, links: self.links + 1, known: None, holder: resource_type, contained: None }
    }
}
