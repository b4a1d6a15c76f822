//! The clauses of a query as SQL, in two shapes: what holds for a row that is at hand, and the rows for which it holds. What a
//! chain or `_has` passes through is within the caller's reach at every link, or it is not there; and reach decides at each link before
//! the clause behind it is tried.

use super::criteria::groups;
use super::form::{Form, time};
use super::rank::rank;
use super::subject::SearchSubject;
use crate::records::index::shared_key;
use crate::records::reach::condition::{Columns, ReachCondition};
use crate::sql::arg::OwnedArg;
use crate::sql::statement::list_of_texts;
use fhir::parameters::parameter::Parameter;
use fhir::search::criterion::{Criterion, SystemTest};
use fhir::search::query::{Clause, Condition, Test};
use fhir::types::ResourceType;

pub(crate) const NEVER: &str = "1 = 0";
pub(crate) const ALWAYS: &str = "1 = 1";

/// A statement on its way: its arguments, those of the reach first.
pub(crate) struct Text {
    pub reach: ReachCondition,
    pub args: Vec<OwnedArg>,
    /// The number of its first argument behind those of the reach.
    pub first: usize,
}

impl Text {
    pub(crate) fn mark(&mut self, arg: OwnedArg) -> String {
        self.args.push(arg);
        format!("${}", self.first + self.args.len() - 1)
    }

    pub(crate) fn number(&mut self, number: i64) -> String {
        self.mark(OwnedArg::Int(number))
    }

    /// That the resource of this name is in reach.
    fn seen(&self, alias: &'static str) -> String {
        self.seen_and(alias, &[])
    }

    /// That the resource of this name is in reach, and then that these hold.
    pub(crate) fn seen_and(&self, alias: &'static str, others: &[String]) -> String {
        self.reach.seen_and(Columns::of(alias), others)
    }

    /// That a clause holds for the subject.
    pub(crate) fn holds(&mut self, clause: &Clause, subject: &SearchSubject) -> String {
        match clause {
            Clause::Own(condition) => self.meets(condition, subject),
            Clause::Either(ways) => {
                let ways: Vec<String> = ways.iter().map(|clause| self.holds(clause, subject)).collect();
                format!("({})", ways.join(" OR "))
            }
            Clause::Chain { parameter, links } => {
                let depth = subject.links + 1;
                let own = self.number(subject.type_number());
                let mark = self.number(shared_key::links(parameter, links.iter().map(|(target, _)| *target)));
                let ways = links.iter().map(|(target, clause)| self.link(*target, clause, subject)).collect::<Vec<_>>();
                format!(
                    "EXISTS (SELECT 1 FROM index_references c{depth} WHERE c{depth}.resource_id = {}{}
                        AND +c{depth}.type = {own} AND c{depth}.parameter = {mark} AND ({}))",
                    subject.row(),
                    subject.inside(&format!("c{depth}")),
                    ways.join(" OR ")
                )
            }
            Clause::Has { .. } if subject.is_contained() => NEVER.into(),
            Clause::Has { resource_type, parameter, clause } => {
                let other = subject.next(*resource_type);
                let (depth, alias) = (other.links, other.alias());
                let [of, mark, to] = self.reverse_link(*resource_type, parameter, subject);
                let holds = self.holds(clause, &other);
                format!(
                    "EXISTS (SELECT 1 FROM index_references c{depth} CROSS JOIN resources {alias}
                        WHERE {alias}.id = c{depth}.resource_id AND c{depth}.type = {of} AND c{depth}.parameter = {mark} AND c{depth}.target_type = {to}
                            AND c{depth}.target = {}.fhir_id AND {})",
                    subject.alias(),
                    self.seen_and(alias, &[holds])
                )
            }
        }
    }

    /// What refers to the subject by a parameter of another type: that type, the key of the parameter, and the subject's type.
    fn reverse_link(&mut self, from: ResourceType, parameter: &Parameter, subject: &SearchSubject) -> [String; 3] {
        let key = shared_key::reference(parameter, subject.resource_type);
        [from.number(), key, subject.resource_type.number()].map(|number| self.number(number))
    }

    /// That the reference at hand is to a resource of this type for which the clause holds.
    fn link(&mut self, target: ResourceType, clause: &Clause, subject: &SearchSubject) -> String {
        let other = subject.next(target);
        let (depth, alias) = (other.links, other.alias());
        let (of, holds) = (self.number(target.number()), self.holds(clause, &other));
        let there = format!(
            "(c{depth}.target_type = {of} AND EXISTS (SELECT 1 FROM resources {alias} WHERE {alias}.type = {of}
                    AND {alias}.fhir_id = c{depth}.target AND {}))",
            self.seen_and(alias, &[holds])
        );
        let Some(inner) = subject.inner(target) else { return there };
        let (contained, inside) = (self.number(-target.number()), self.holds(clause, &inner));
        format!("{there} OR (c{depth}.target_type = {contained} AND {inside})")
    }

    fn meets(&mut self, condition: &Condition, subject: &SearchSubject) -> String {
        let parameter = condition.parameter;
        let any = match (&condition.test, parameter.code) {
            (Test::Missing(missing), _) => {
                let there = self.is_there(parameter, subject);
                return if *missing { format!("NOT {there}") } else { there };
            }
            (Test::Any(criteria) | Test::None(criteria), "_id") if !subject.is_contained() => {
                let ids = self.mark(OwnedArg::Text(ids(criteria)));
                format!("{}.fhir_id IN (SELECT value FROM json_each({ids}))", subject.alias())
            }
            (Test::Any(criteria) | Test::None(criteria), "_lastUpdated") if !subject.is_contained() => {
                self.updated(parameter, criteria, subject.alias())
            }
            (Test::Any(criteria) | Test::None(criteria), _) => {
                let ways: Vec<String> =
                    groups(parameter, criteria).iter().map(|group| self.any(group, subject)).collect();
                if ways.is_empty() { NEVER.into() } else { format!("({})", ways.join(" OR ")) }
            }
        };
        if matches!(condition.test, Test::None(_)) { format!("NOT {any}") } else { any }
    }

    /// Our own moment is as long as a millisecond.
    fn updated(&mut self, parameter: &Parameter, criteria: &[Criterion], alias: &str) -> String {
        let span = (format!("{alias}.updated_at * 1000"), format!("{alias}.updated_at * 1000 + 1000"));
        let mut ways = Vec::new();
        for group in groups(parameter, criteria) {
            let Some(Form::Date(prefix)) = group.leaves.first().map(|leaf| leaf.form) else { continue };
            let rows = self.mark(OwnedArg::Text(group.list()));
            let searched = ("CAST(v.value ->> 0 AS BIGINT)", "CAST(v.value ->> 1 AS BIGINT)");
            let condition = time(prefix, (&span.0, &span.1), searched);
            ways.push(format!("EXISTS (SELECT 1 FROM json_each({rows}, '$') v WHERE {condition})"));
        }
        if ways.is_empty() { NEVER.into() } else { format!("({})", ways.join(" OR ")) }
    }

    /// The numbers `id` of the resources for which a clause holds, as a subquery; for a clause that has a rank.
    pub(crate) fn rows(&mut self, clause: &Clause, subject: &SearchSubject) -> String {
        let selects: Vec<String> = match clause {
            Clause::Own(Condition { parameter, test: Test::Any(criteria) }) if parameter.code == "_id" => {
                let (of, ids) = (self.number(subject.resource_type.number()), self.mark(OwnedArg::Text(ids(criteria))));
                vec![format!(
                    "SELECT i0.id AS id FROM json_each({ids}) v CROSS JOIN resources i0
                        WHERE i0.type = {of} AND i0.fhir_id = v.value"
                )]
            }
            Clause::Own(Condition { parameter, test: Test::Any(criteria) }) => {
                groups(parameter, criteria).iter().map(|group| self.found(group, subject)).collect()
            }
            Clause::Own(_) => Vec::new(),
            Clause::Either(ways) => ways.iter().map(|clause| self.rows(clause, subject)).collect(),
            Clause::Chain { parameter, links } => {
                links.iter().flat_map(|(target, clause)| self.linked(parameter, *target, clause, subject)).collect()
            }
            Clause::Has { resource_type, parameter, clause } => {
                let other = subject.next(*resource_type);
                let (depth, alias) = (other.links, other.alias());
                let [of, mark, to] = self.reverse_link(*resource_type, parameter, subject);
                let holds = self.asked(clause, &other);
                vec![format!(
                    "SELECT m{depth}.id AS id FROM resources {alias} CROSS JOIN index_references c{depth}
                            CROSS JOIN resources m{depth}
                        WHERE c{depth}.resource_id = {alias}.id AND c{depth}.parameter = {mark}
                            AND m{depth}.type = {to} AND m{depth}.fhir_id = c{depth}.target
                            AND +{alias}.type = {of} AND +c{depth}.type = {of} AND c{depth}.target_type = {to}
                            AND {holds} AND {}",
                    self.seen(alias)
                )]
            }
        };
        selects.join(" UNION ALL ")
    }

    /// The rows that refer to a resource of this type for which the clause holds, or contain one.
    fn linked(
        &mut self,
        parameter: &Parameter,
        target: ResourceType,
        clause: &Clause,
        subject: &SearchSubject,
    ) -> Vec<String> {
        let other = subject.next(target);
        let (depth, alias) = (other.links, other.alias());
        let (own, mark) = (self.number(subject.type_number()), self.number(shared_key::reference(parameter, target)));
        let (of, holds, seen) = (self.number(target.number()), self.asked(clause, &other), self.seen(alias));
        let from = format!("c{depth}.type = {own} AND c{depth}.parameter = {mark}");
        let there = format!(
            "SELECT c{depth}.resource_id AS id FROM resources {alias} CROSS JOIN index_references c{depth}
                WHERE {from} AND c{depth}.target_type = {of} AND c{depth}.target = {alias}.fhir_id
                    AND +{alias}.type = {of} AND {holds} AND {seen}"
        );
        let Some(inner) = subject.inner(target) else { return vec![there] };
        let (contained, inside) = (self.number(-target.number()), self.holds(clause, &inner));
        let contained = format!(
            "SELECT c{depth}.resource_id AS id FROM index_references c{depth} CROSS JOIN resources h
                WHERE {from} AND c{depth}.target_type = {contained} AND h.id = c{depth}.resource_id AND {}",
            self.seen_and("h", &[inside])
        );
        vec![there, contained]
    }

    /// That a clause holds for the resource of this name: one of the rows, where those are few, or tried at the row.
    pub(crate) fn asked(&mut self, clause: &Clause, subject: &SearchSubject) -> String {
        match rank(clause) {
            Some(_) => format!("{}.id IN ({})", subject.alias(), self.rows(clause, subject)),
            None => self.holds(clause, subject),
        }
    }
}

/// The ids that are searched for. An id has no system.
fn ids(criteria: &[Criterion]) -> String {
    let id = |criterion: &Criterion| match criterion {
        Criterion::Token { system: SystemTest::Any | SystemTest::None, code: Some(code) } => Some(code.clone()),
        _ => None,
    };
    let ids: Vec<String> = criteria.iter().filter_map(id).collect();
    list_of_texts(ids.iter().map(String::as_str))
}
