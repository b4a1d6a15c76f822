//! What a search says about its result: order, size, totals, how much of each resource, and what comes with it.

use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::search::query::Query;
use crate::search::query_fault::QueryFault;
use crate::search::reading::{self, OwnParameter};
use crate::spelling::did_you_mean;
use crate::subset::Summary;
use crate::types::{self, ResourceType};

/// Everything that can be said about a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controls {
    /// Most important first.
    pub sort: Vec<SortKey>,
    pub count: Option<u32>,
    pub total: Option<Total>,
    pub summary: Option<Summary>,
    pub elements: Vec<String>,
    pub inclusions: Vec<Inclusion>,
}

impl Controls {
    /// Adds what is to come along; what was asked for before comes once.
    pub fn include(&mut self, inclusion: Inclusion) {
        if !self.inclusions.contains(&inclusion) {
            self.inclusions.push(inclusion);
        }
    }
}

/// A parameter by whose values the result is ordered.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    pub parameter: &'static Parameter,
    pub descending: bool,
}

/// Whether the number of all matches is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    None,
    Estimate,
    Accurate,
}

/// What is to come with the matches: `_include`, or `_revinclude` where it is `reverse`.
#[derive(Clone, Debug, PartialEq)]
pub struct Inclusion {
    pub reverse: bool,
    /// Whether what is included is followed too.
    pub iterate: bool,
    /// The type that refers; none for any.
    pub source: Option<ResourceType>,
    /// The reference; none for every one.
    pub parameter: Option<&'static Parameter>,
    /// The type referred to; none for any.
    pub target: Option<ResourceType>,
}

/// Reads the controls of a query; all faults at once. Those of the answer's format (`_format`, `_pretty`) and of a search
/// over all types (`_type`) are the caller's.
pub fn read(query: &Query) -> Result<Controls, Vec<QueryFault>> {
    read_with(&[], query)
}

/// The same where users' own parameters are known beside HL7's.
pub fn read_with(own: &[OwnParameter], query: &Query) -> Result<Controls, Vec<QueryFault>> {
    let (mut controls, mut faults) = (Controls::default(), Vec::new());
    for (name, value) in &query.controls {
        if let Err(words) = add(&mut controls, (query.resource_type, own), name, value) {
            faults.push(QueryFault { name: name.clone(), words });
        }
    }
    if faults.is_empty() { Ok(controls) } else { Err(faults) }
}

/// The type that is searched, and what is known beside HL7's parameters.
type SearchedType<'p> = (ResourceType, &'p [OwnParameter]);

fn add(controls: &mut Controls, of: SearchedType<'_>, name: &str, value: &str) -> Result<(), String> {
    let (bare, modifier) = name.split_once(':').map_or((name, None), |(bare, modifier)| (bare, Some(modifier)));
    let includes = matches!(bare, "_include" | "_revinclude");
    // `:recurse` is what `:iterate` was called before R4, and clients still say it.
    let iterate = match modifier {
        None => false,
        Some("iterate" | "recurse") if includes => true,
        Some(other) => return Err(format!("there is no modifier :{other} of {bare}")),
    };
    let wrong = |known: &str| Err(format!("{value:?} must be one of {known}"));
    match bare {
        "_sort" => {
            let keys: Result<Vec<_>, _> = value.split(',').map(|key| sort_key(of, key)).collect();
            controls.sort.extend(keys?);
        }
        "_count" => {
            let count = value.parse().map_err(|_| format!("{value:?} must be a number, 0 or more"))?;
            controls.count = Some(count);
        }
        "_total" => {
            controls.total = Some(match value {
                "none" => Total::None,
                "estimate" => Total::Estimate,
                "accurate" => Total::Accurate,
                _ => return wrong("none, estimate, accurate"),
            });
        }
        "_summary" => {
            let Some(summary) = Summary::named(value) else { return wrong(Summary::WORDS) };
            controls.summary = Some(summary);
        }
        "_elements" => controls.elements.extend(value.split(',').filter(|name| !name.is_empty()).map(String::from)),
        "_include" | "_revinclude" => controls.include(inclusion(of, value, bare == "_revinclude", iterate)?),
        "_contained" if value != "false" => return Err("contained resources are not served as results".into()),
        "_score" => return Err("_score is not served: matches have no order of merit".into()),
        _ => {}
    }
    Ok(())
}

/// The parameter of a type by whose index a result is made.
fn find(of: ResourceType, own: &[OwnParameter], code: &str) -> Result<Option<&'static Parameter>, String> {
    reading::own(own, of, code).or_else(|| table::find(of, code)).map(reading::indexed).transpose()
}

fn sort_key((of, own): SearchedType<'_>, key: &str) -> Result<SortKey, String> {
    let (code, descending) = key.strip_prefix('-').map_or((key, false), |code| (code, true));
    let found = find(of, own, code)?;
    let parameter = found.ok_or_else(|| {
        let meant = did_you_mean(code, table::of(of).iter().map(|parameter| parameter.code));
        format!("{} has no search parameter {code:?}{meant}", of.name())
    })?;
    if matches!(parameter.kind, Kind::Composite | Kind::Text) {
        return Err(format!("there is no order by {code}, a {} parameter", parameter.kind.name()));
    }
    Ok(SortKey { parameter, descending })
}

/// `*`, `Type:*`, `Type:reference` or `Type:reference:Target`.
fn inclusion((of, own): SearchedType<'_>, value: &str, reverse: bool, iterate: bool) -> Result<Inclusion, String> {
    let mut inclusion = Inclusion { reverse, iterate, source: None, parameter: None, target: None };
    if value == "*" {
        return Ok(inclusion);
    }
    let mut parts = value.splitn(3, ':');
    let (Some(source), Some(code), target) = (parts.next(), parts.next(), parts.next()) else {
        return Err(format!("{value:?} must be Type:reference, Type:reference:Target, Type:* or *"));
    };
    let named = |name: &str| {
        let meant = || did_you_mean(name, types::all().map(ResourceType::name));
        types::named(name).ok_or_else(|| format!("{name:?} is no resource type{}", meant()))
    };
    let source_type = named(source)?;
    inclusion.source = Some(source_type);
    inclusion.target = target.map(named).transpose()?;
    if code == "*" {
        return Ok(inclusion);
    }
    let found = find(source_type, own, code)?.filter(|parameter| parameter.kind == Kind::Reference);
    let parameter = found.ok_or_else(|| {
        let references = table::of(source_type).iter().filter(|parameter| parameter.kind == Kind::Reference);
        let meant = did_you_mean(code, references.map(|parameter| parameter.code));
        format!("{source} has no reference {code:?}{meant}")
    })?;
    // Only what is included by another inclusion can be of any type.
    let mut ends = inclusion.target.into_iter().chain((reverse && !iterate).then_some(of));
    if let Some(other) = ends.find(|end| !parameter.may_refer_to(*end)) {
        return Err(format!("{code} of {source} is no reference to a {}", other.name()));
    }
    inclusion.parameter = Some(parameter);
    Ok(inclusion)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controls(parameters: &[(&str, &str)]) -> Result<Controls, Vec<QueryFault>> {
        read(&reading::read(ResourceType::Observation, parameters.iter().copied(), "https://x.example", 0).unwrap())
    }

    #[test]
    fn all_that_is_said_about_a_result_is_read() {
        let read = controls(&[
            ("_sort", "-date,code"),
            ("_count", "0"),
            ("_total", "accurate"),
            ("_summary", "data"),
            ("_elements", "code,value"),
            ("_include", "Observation:subject:Patient"),
            ("_include:iterate", "Patient:*"),
            ("_revinclude", "Provenance:target"),
            ("_include", "*"),
            ("_format", "json"),
        ])
        .unwrap();
        let keys: Vec<_> = read.sort.iter().map(|key| (key.parameter.code, key.descending)).collect();
        assert_eq!(keys, [("date", true), ("code", false)]);
        assert_eq!((read.count, read.total, read.summary), (Some(0), Some(Total::Accurate), Some(Summary::Data)));
        assert_eq!(read.elements, ["code", "value"]);
        let ways: Vec<_> =
            read.inclusions.iter().map(|one| (one.reverse, one.iterate, one.parameter.map(|p| p.code))).collect();
        assert_eq!(
            ways,
            [(false, false, Some("subject")), (false, true, None), (true, false, Some("target")), (false, false, None)]
        );
        assert_eq!(read.inclusions[0].target, Some(ResourceType::Patient));
    }

    #[test]
    fn what_is_to_come_along_is_read_once_however_often_it_is_asked_for() {
        let often = [("_revinclude:iterate", "*"); 45];
        assert_eq!(controls(&often).unwrap().inclusions.len(), 1);
        let both = controls(&[("_include", "*"), ("_revinclude", "*"), ("_include", "*")]).unwrap();
        assert_eq!(both.inclusions.iter().map(|one| one.reverse).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn what_cannot_be_said_is_refused_and_all_of_it_at_once() {
        let wrong = [
            ("_sort", "color"),
            ("_sort", "code-value-quantity"),
            ("_count", "-1"),
            ("_count:exact", "1"),
            ("_total", "many"),
            ("_summary", "short"),
            ("_include", "Observation"),
            ("_include", "Observation:code"),
            ("_include", "Nothing:subject"),
            ("_include", "Observation:subject:Practitioner"),
            ("_revinclude", "Observation:patient"),
            ("_contained", "true"),
            ("_score", "true"),
        ];
        assert_eq!(controls(&wrong).unwrap_err().len(), wrong.len());
    }
}
