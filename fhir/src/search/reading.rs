//! Reading a query: names with modifiers, chains and `_has`, and the values behind them. All faults at once.

use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::parameters::value_type::ValueType;
use crate::search::escapes::split;
use crate::search::modifier::Modifier;
use crate::search::query::{Clause, Condition, Query, Test};
use crate::search::query_fault::QueryFault;
use crate::search::values::{Setting, criterion};
use crate::spelling::did_you_mean;
use crate::types::{self, ResourceType};

/// Parameters of a result, not of what is searched for.
const CONTROLS: [&str; 14] = [
    "_contained",
    "_containedType",
    "_count",
    "_elements",
    "_format",
    "_include",
    "_pretty",
    "_revinclude",
    "_score",
    "_sort",
    "_summary",
    "_total",
    "_type",
    "fhirVersion",
];
/// What R4 names and is not served, and why.
const REFUSED: [(&str, &str); 5] = [
    ("_filter", "_filter is not served: every condition has to be a parameter of its own"),
    ("_list", "_list is not served: search for the ids that the List names"),
    ("_query", "_query is not served: there are no named queries"),
    ("near", "near is not served: no distances are measured"),
    ("phonetic", "phonetic is not served: search by name, family or given"),
];
/// Links of a chain or of `_has`, one behind the other.
const DEEPEST: usize = 6;
/// Ways that a chain can go where its types are not said.
const WIDEST: usize = 400;

/// A parameter that a SearchParameter of a user's own defines, and the type that it is of.
pub type OwnParameter = (ResourceType, &'static Parameter);

/// Reads the parameters of a search for resources of a type. `base` is our FHIR base URL without a slash at its end,
/// `now` the moment in microseconds since the beginning of 1970.
pub fn read<'a>(
    resource_type: ResourceType,
    parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    base: &str,
    now: i64,
) -> Result<Query, Vec<QueryFault>> {
    read_with(&[], resource_type, parameters, base, now)
}

/// The same where users' own parameters, of the types that they are of, are known beside HL7's.
pub fn read_with<'a>(
    own: &[OwnParameter],
    resource_type: ResourceType,
    parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    base: &str,
    now: i64,
) -> Result<Query, Vec<QueryFault>> {
    let mut query = Query { resource_type, clauses: Vec::new(), base: base.into(), controls: Vec::new() };
    let mut faults = Vec::new();
    for (name, value) in parameters {
        let bare = name.split(':').next().unwrap_or_default();
        if is_control(bare) {
            query.controls.push((name.into(), value.into()));
            continue;
        }
        let mut reading = Reading { setting: Setting { base, now }, ways: 0, own };
        match reading.clause(resource_type, name, value, DEEPEST) {
            Ok(clause) => query.clauses.push(clause),
            Err(words) => faults.extend(words.into_iter().map(|words| QueryFault { name: name.into(), words })),
        }
    }
    if faults.is_empty() { Ok(query) } else { Err(faults) }
}

/// Whether a parameter says what is shown of a result.
#[must_use]
pub fn is_control(code: &str) -> bool {
    CONTROLS.contains(&code)
}

struct Reading<'a> {
    setting: Setting<'a>,
    ways: usize,
    own: &'a [OwnParameter],
}

impl Reading<'_> {
    fn clause(&mut self, of: ResourceType, name: &str, value: &str, deepest: usize) -> Result<Clause, Vec<String>> {
        let one = |words: String| vec![words];
        let deeper = || deepest.checked_sub(1).ok_or_else(|| one(format!("has more than {DEEPEST} links")));
        if let Some(rest) = name.strip_prefix("_has:") {
            return self.has(of, rest, value, deeper()?);
        }
        if let Some((first, rest)) = name.split_once('.') {
            return self.chain(of, first, rest, value, deeper()?);
        }
        let (code, modifier) = name.split_once(':').map_or((name, None), |(code, modifier)| (code, Some(modifier)));
        let parameter = self.parameter(of, code).map_err(one)?;
        let modifier = modifier.map(|name| Modifier::read(name, parameter.kind)).transpose().map_err(one)?;
        self.condition(parameter, modifier, value).map(Clause::Own)
    }

    /// The parameter of a type, a user's own or HL7's.
    fn parameter(&self, of: ResourceType, code: &str) -> Result<&'static Parameter, String> {
        own(self.own, of, code).map_or_else(|| known(of, code), Ok)
    }

    /// `Type:reference:name`, where `name` may be a chain or `_has` again.
    fn has(&mut self, of: ResourceType, rest: &str, value: &str, deepest: usize) -> Result<Clause, Vec<String>> {
        let mut parts = rest.splitn(3, ':');
        let (Some(type_name), Some(code), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(vec!["_has must be _has:Type:reference:parameter".into()]);
        };
        let Some(resource_type) = types::named(type_name) else {
            return Err(vec![format!("{type_name:?} is no resource type")]);
        };
        let parameter = self.parameter(resource_type, code).map_err(|words| vec![words])?;
        if !parameter.may_refer_to(of) {
            return Err(vec![format!("{code} of {type_name} is no reference to a {}", of.name())]);
        }
        let clause = Box::new(self.clause(resource_type, name, value, deepest)?);
        Ok(Clause::Has { resource_type, parameter, clause })
    }

    fn chain(
        &mut self,
        of: ResourceType,
        first: &str,
        rest: &str,
        value: &str,
        deepest: usize,
    ) -> Result<Clause, Vec<String>> {
        let one = |words: String| vec![words];
        let (code, modifier) = first.split_once(':').map_or((first, None), |(code, modifier)| (code, Some(modifier)));
        let parameter = self.parameter(of, code).map_err(one)?;
        if parameter.kind != Kind::Reference {
            return Err(one(format!("{code} of {} is no reference, so nothing can be chained to it", of.name())));
        }
        let targets = match modifier.map(|name| Modifier::read(name, Kind::Reference)).transpose().map_err(one)? {
            None if parameter.targets.is_empty() => types::all().collect(),
            None => parameter.targets.clone(),
            Some(Modifier::Type(target)) if parameter.may_refer_to(target) => vec![target],
            Some(Modifier::Type(target)) => {
                return Err(one(format!("{code} of {} is no reference to a {}", of.name(), target.name())));
            }
            Some(_) => return Err(one("only the name of a type can stand before a chained parameter".into())),
        };
        let (mut links, mut faults) = (Vec::new(), Vec::new());
        for target in &targets {
            self.ways += 1;
            if self.ways > WIDEST {
                return Err(one(format!("can mean too many types; say which: {code}:Type.{rest}")));
            }
            match self.clause(*target, rest, value, deepest) {
                Ok(clause) => links.push((*target, clause)),
                Err(words) => faults = words,
            }
        }
        match (links.is_empty(), targets.len()) {
            (false, _) => Ok(Clause::Chain { parameter, links }),
            (true, 1) => Err(faults),
            (true, _) => Err(one(format!("none of the types that {code} can refer to has {rest} with such a value"))),
        }
    }

    fn condition(
        &self,
        parameter: &'static Parameter,
        modifier: Option<Modifier>,
        value: &str,
    ) -> Result<Condition, Vec<String>> {
        if modifier == Some(Modifier::Missing) {
            return match value {
                "true" | "false" => Ok(Condition { parameter, test: Test::Missing(value == "true") }),
                other => Err(vec![format!(":missing must be true or false, not {other:?}")]),
            };
        }
        let has_types = parameter.branches.iter().any(|branch| branch.value_type == ValueType::Identifier);
        if modifier == Some(Modifier::OfType) && !has_types {
            return Err(vec![format!(":of-type is for identifiers, which {} is not", parameter.code)]);
        }
        if let Some(Modifier::Type(target)) = modifier
            && !parameter.may_refer_to(target)
        {
            return Err(vec![format!("{} is no reference to a {}", parameter.code, target.name())]);
        }
        let (mut criteria, mut faults) = (Vec::new(), Vec::new());
        for text in split(value, ',') {
            match criterion(parameter, modifier, text, self.setting) {
                Ok(criterion) => criteria.push(criterion),
                Err(words) => faults.push(words),
            }
        }
        let test = if modifier == Some(Modifier::Not) { Test::None(criteria) } else { Test::Any(criteria) };
        if faults.is_empty() { Ok(Condition { parameter, test }) } else { Err(faults) }
    }
}

/// The one of users' own that is of a type.
pub(super) fn own(all: &[OwnParameter], of: ResourceType, code: &str) -> Option<&'static Parameter> {
    all.iter().find(|(owner, own)| *owner == of && own.code == code).map(|(_, own)| *own)
}

/// A parameter of which an index has the values; otherwise in words that it has not.
pub(super) fn indexed(parameter: &'static Parameter) -> Result<&'static Parameter, String> {
    if parameter.is_indexed() { Ok(parameter) } else { Err(not_yet_indexed(parameter.code)) }
}

/// In words that no index answers what is asked of a user's own parameter.
#[must_use]
pub fn not_yet_indexed(code: &str) -> String {
    format!(
        "{code} is still being indexed; until then it can only be searched by alone or beside others: try again later"
    )
}

/// The parameter of a type; otherwise in words that it is not served, or which there are.
fn known(resource_type: ResourceType, code: &str) -> Result<&'static Parameter, String> {
    if let Some(parameter) = table::find(resource_type, code) {
        return Ok(parameter);
    }
    if let Some((_, words)) = REFUSED.iter().find(|(refused, _)| *refused == code) {
        return Err((*words).into());
    }
    let codes: Vec<_> = table::of(resource_type).iter().map(|parameter| parameter.code).collect();
    let meant = did_you_mean(code, codes.iter().chain(&CONTROLS).copied());
    Err(format!("{} has no search parameter {code:?}; known are {}{meant}", resource_type.name(), codes.join(", ")))
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
