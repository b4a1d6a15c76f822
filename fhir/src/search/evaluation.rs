//! Which resources a query finds, one after the other in memory: the plain meaning, by which faster ways are judged.

use crate::extraction::extract::{Contained, Entry, contained, extract, values};
use crate::extraction::index_value::{Amount, IndexValue, Target};
use crate::parameters::parameter::Parameter;
use crate::search::belonging::is_followed_inside;
use crate::search::comparison;
use crate::search::criterion::{Criterion, SystemTest, TargetTest, TextManner, UnitTest, UriManner};
use crate::search::prefix::Prefix;
use crate::search::query::{Clause, Condition, Query, Test};
use crate::search::wording;
use crate::types::ResourceType;
use crate::values::magnitude::Magnitude;
use serde_json::Value;

/// A resource with what is extracted from it.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    pub resource_type: ResourceType,
    pub id: &'a str,
    resource: &'a Value,
    base: &'a str,
    entries: Vec<Entry<'a>>,
    contained: Vec<Contained<'a>>,
}

impl<'a> Record<'a> {
    #[must_use]
    pub fn new(resource_type: ResourceType, id: &'a str, resource: &'a Value, base: &'a str) -> Self {
        let (entries, contained) = (extract(resource_type, resource, base), contained(resource, base));
        Self { resource_type, id, resource, base, entries, contained }
    }
}

/// The records that a query finds among these, in their order.
#[must_use]
pub fn evaluate<'r, 'a>(query: &Query, records: &'r [Record<'a>]) -> Vec<&'r Record<'a>> {
    let of_type = records.iter().filter(|record| record.resource_type == query.resource_type);
    of_type.filter(|record| query.clauses.iter().all(|clause| holds(clause, Subject::of(record), records))).collect()
}

/// What a clause is asked of: a record, or a resource inside one, which nothing outside refers to.
#[derive(Clone, Copy)]
struct Subject<'r, 'a> {
    entries: &'r [Entry<'a>],
    contained: &'r [Contained<'a>],
    /// The type of the record, also where this is inside of it.
    holder: ResourceType,
    record: Option<&'r Record<'a>>,
}

impl<'r, 'a> Subject<'r, 'a> {
    fn of(record: &'r Record<'a>) -> Self {
        let holder = record.resource_type;
        Self { entries: &record.entries, contained: &record.contained, holder, record: Some(record) }
    }

    fn values(self, parameter: &'r Parameter) -> impl Iterator<Item = &'r IndexValue<'a>> {
        let of_it = move |entry: &&Entry<'_>| entry.parameter.number == parameter.number;
        self.entries.iter().filter(of_it).map(|entry| &entry.value)
    }
}

fn holds(clause: &Clause, subject: Subject<'_, '_>, records: &[Record<'_>]) -> bool {
    match clause {
        Clause::Own(condition) => meets(condition, subject),
        Clause::Either(ways) => ways.iter().any(|clause| holds(clause, subject, records)),
        Clause::Chain { parameter, links } => subject.values(parameter).any(|value| {
            let IndexValue::Reference { target, .. } = value else { return false };
            links.iter().any(|(resource_type, clause)| match target {
                Target::Local(named, id) if named == resource_type => {
                    let found = records.iter().find(|record| record.resource_type == *named && record.id == *id);
                    found.is_some_and(|record| holds(clause, Subject::of(record), records))
                }
                Target::Contained(id) if is_followed_inside(subject.holder, *resource_type) => {
                    let mut inner = subject
                        .contained
                        .iter()
                        .filter(|inner| inner.id == *id && inner.resource_type == *resource_type);
                    inner.any(|inner| {
                        // What is contained refers to what is contained beside it.
                        let inner = Subject { entries: &inner.entries, record: None, ..subject };
                        holds(clause, inner, records)
                    })
                }
                _ => false,
            })
        }),
        Clause::Has { resource_type, parameter, clause } => {
            let Some(record) = subject.record else { return false };
            let refers = |other: &Record<'_>| {
                Subject::of(other).values(parameter).any(|value| {
                    matches!(value, IndexValue::Reference { target: Target::Local(named, id), .. }
                        if *named == record.resource_type && *id == record.id)
                })
            };
            let mut others = records.iter().filter(|other| other.resource_type == *resource_type && refers(other));
            others.any(|other| holds(clause, Subject::of(other), records))
        }
    }
}

fn meets(condition: &Condition, subject: Subject<'_, '_>) -> bool {
    if wording::is_of_words(condition) || condition.parameter.is_own() {
        return subject.record.is_some_and(|record| asked(condition, record.resource, record.base));
    }
    is_met(&condition.test, || subject.values(condition.parameter))
}

/// Whether a resource is as a condition says that no index answers: one on its words, or on a user's own parameter.
#[must_use]
pub fn asked(condition: &Condition, resource: &Value, base: &str) -> bool {
    if wording::is_of_words(condition) {
        return wording::meets(condition, resource);
    }
    let values = values(condition.parameter, resource, base);
    is_met(&condition.test, || values.iter())
}

/// Whether values, as often as they are asked for, are as a test says.
fn is_met<'v, 'a: 'v, I: Iterator<Item = &'v IndexValue<'a>>>(test: &Test, values: impl Fn() -> I) -> bool {
    let any = |criteria: &[Criterion]| criteria.iter().any(|criterion| values().any(|value| matches(criterion, value)));
    match test {
        Test::Missing(missing) => values().next().is_none() == *missing,
        Test::Any(criteria) => any(criteria),
        Test::None(criteria) => !any(criteria),
    }
}

/// Whether a stored value is what a value of a query asks for.
#[must_use]
pub fn matches(criterion: &Criterion, value: &IndexValue<'_>) -> bool {
    match (criterion, value) {
        (Criterion::Token { system, code }, IndexValue::Token { system: stored, code: own }) => {
            is_of(system, *stored) && code.as_deref().is_none_or(|code| *own == Some(code))
        }
        (Criterion::TokenText(text), IndexValue::TokenText(stored)) => stored.starts_with(text.as_str()),
        (
            Criterion::TokenOfType { system, code, value },
            IndexValue::TokenOfType { system: stored, code: own, value: text },
        ) => system.as_deref().is_none_or(|system| *stored == Some(system)) && code == own && value == text,
        (Criterion::Text { manner, text }, IndexValue::Text { written, folded }) => match manner {
            TextManner::Start => folded.starts_with(text.as_str()),
            TextManner::Contains => folded.contains(text.as_str()),
            TextManner::Exact => written == text,
        },
        (Criterion::Text { manner, text }, IndexValue::Whole(folded)) => match manner {
            TextManner::Start => folded.starts_with(text.as_str()),
            TextManner::Contains => folded.contains(text.as_str()),
            TextManner::Exact => false,
        },
        (Criterion::Reference { target, version }, IndexValue::Reference { target: stored, version: own }) => {
            let same = match (target, stored) {
                (TargetTest::Id(types, id), Target::Local(named, own)) => {
                    id == own && (types.is_empty() || types.contains(named))
                }
                (TargetTest::Url(url), Target::Url(own)) => url == own,
                _ => false,
            };
            same && version.as_deref().is_none_or(|version| *own == Some(version))
        }
        (Criterion::Identifier { system, value }, IndexValue::Identifier { system: stored, value: own }) => {
            is_of(system, *stored) && value.as_deref().is_none_or(|value| value == *own)
        }
        (Criterion::Date { prefix, span }, IndexValue::Date(stored)) => comparison::time(*prefix, *span, *stored),
        (Criterion::Number { prefix, magnitude }, IndexValue::Number(stored)) => {
            comparison::number(*prefix, *magnitude, *stored)
        }
        (Criterion::Quantity { prefix, magnitude, unit }, IndexValue::Quantity(stored)) => {
            amount(*prefix, *magnitude, unit.as_ref(), stored)
        }
        (Criterion::Uri { manner, uri }, IndexValue::Uri { uri: stored, version }) => match manner {
            UriManner::Equal => {
                let versioned = version.and_then(|version| uri.strip_suffix(version)?.strip_suffix('|'));
                uri == stored || versioned == Some(*stored)
            }
            UriManner::Above => is_below(uri, stored),
            UriManner::Below => is_below(stored, uri),
        },
        (Criterion::Composite(criteria), IndexValue::Composite(parts)) => {
            let mut pairs = criteria.iter().zip(parts);
            pairs.all(|(criterion, part)| part.iter().any(|value| matches(criterion, value)))
        }
        _ => false,
    }
}

fn is_of(system: &SystemTest, stored: Option<&str>) -> bool {
    match system {
        SystemTest::Any => true,
        SystemTest::None => stored.is_none(),
        SystemTest::Is(system) => stored == Some(system.as_str()),
    }
}

/// In base units where both are known in them; otherwise as written, if the unit is the same.
fn amount(prefix: Prefix, magnitude: Magnitude, unit: Option<&UnitTest>, stored: &Amount<'_>) -> bool {
    let Some(unit) = unit else { return comparison::number(prefix, magnitude, stored.written) };
    if let (Some((searched, base)), Some((own, stored_base))) = (&unit.canonical, &stored.canonical) {
        return base == stored_base && comparison::number(prefix, *searched, *own);
    }
    let same = match &unit.system {
        Some(system) => stored.system == Some(system) && stored.code == Some(&unit.code),
        None => stored.code == Some(&unit.code) || stored.unit == Some(&unit.code),
    };
    same && comparison::number(prefix, magnitude, stored.written)
}

/// Whether a URI is another one, or below it: the next character after the other begins a new part of the path.
fn is_below(uri: &str, above: &str) -> bool {
    uri.strip_prefix(above).is_some_and(|rest| rest.is_empty() || above.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
#[path = "evaluation_tests.rs"]
mod tests;
