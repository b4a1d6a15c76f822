//! That a parameter has a value at all, for `:missing`.

use super::clauses::{ALWAYS, NEVER, Text};
use super::subject::SearchSubject;
use crate::records::index::shared_key;
use fhir::extraction::index_row::FACETS;
use fhir::parameters::kind::Kind;
use fhir::parameters::parameter::Parameter;
use fhir::types::ResourceType;

impl Text {
    /// That the parameter has any value.
    pub(crate) fn is_there(&mut self, parameter: &Parameter, subject: &SearchSubject) -> String {
        if !subject.is_contained() && matches!(parameter.code, "_id" | "_lastUpdated") {
            return format!("({ALWAYS})");
        }
        let mut ways = Vec::new();
        for place in shared_key::places(parameter) {
            let is_composite = parameter.kind == Kind::Composite;
            let components = parameter.components.iter().map(|part| part.kind);
            let kinds: Vec<Kind> = if is_composite { components.collect() } else { vec![parameter.kind] };
            // All the facets of a parameter, or one of a component.
            let all = kinds.iter().zip(place).map(|(kind, key)| {
                let facets = if is_composite { 1 } else { FACETS - key % FACETS };
                self.has_rows(*kind, (key, facets), subject)
            });
            let all: Vec<String> = all.collect();
            ways.push(all.join(" AND "));
        }
        if let Some((other, to)) = shared_key::instead(parameter) {
            ways.push(self.has_references((other, to), subject));
        }
        format!("({})", ways.join(" OR "))
    }

    /// That there are rows of a kind under so many numbers from a first one.
    fn has_rows(&mut self, kind: Kind, (first, facets): (i64, i64), subject: &SearchSubject) -> String {
        let tables: &[&str] = match kind {
            Kind::Token if facets > 1 => &["index_tokens", "index_texts"],
            Kind::Reference if facets > 1 => &["index_references", "index_tokens"],
            Kind::Token => &["index_tokens"],
            Kind::Reference => &["index_references"],
            Kind::String => &["index_texts"],
            Kind::Date => &["index_dates"],
            Kind::Number | Kind::Quantity => &["index_amounts"],
            Kind::Uri => &["index_uris"],
            Kind::Text | Kind::Composite => return format!("({NEVER})"),
        };
        let (own, first) = (self.number(subject.type_number()), self.number(first));
        let ways: Vec<String> = tables
            .iter()
            .map(|table| {
                format!(
                    "EXISTS (SELECT 1 FROM {table} i WHERE i.resource_id = {} AND i.parameter >= {first}
                        AND i.parameter < {first} + {facets} AND +i.type = {own}{})",
                    subject.row(),
                    subject.inside("i")
                )
            })
            .collect();
        format!("({})", ways.join(" OR "))
    }

    /// That there are references to a type under a number.
    fn has_references(&mut self, (key, to): (i64, ResourceType), subject: &SearchSubject) -> String {
        let (own, mark) = (self.number(subject.type_number()), self.number(key));
        let (here, contained) = (self.number(to.number()), self.number(-to.number()));
        format!(
            "EXISTS (SELECT 1 FROM index_references i WHERE i.resource_id = {} AND i.parameter = {mark}
                AND +i.type = {own} AND +i.target_type IN ({here}, {contained}){})",
            subject.row(),
            subject.inside("i")
        )
    }
}
