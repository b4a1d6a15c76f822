//! Where a search looks: at one type, at several or at all of them, or inside of a compartment.

use crate::interactions::absence;
use fhir::parameters::membership::{COMPARTMENTS, members};
use fhir::parameters::table;
use fhir::reference;
use fhir::search::belonging::belonging;
use fhir::search::query::Clause;
use fhir::search::reading::{self, OwnParameter};
use fhir::spelling::did_you_mean;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::params::shown;

const TYPE: &str = "_type";

/// The types that are looked at, and in whose compartment.
#[derive(Debug)]
pub(crate) struct SearchContext {
    /// Behind our FHIR base URL: `Patient`, `Patient/1/Observation`, or nothing.
    pub path: String,
    pub types: Vec<ResourceType>,
    /// Whether the request names them.
    pub is_named: bool,
    compartment: Option<(ResourceType, String)>,
    /// Parameters of users' own that the search names.
    pub own: Vec<OwnParameter>,
}

impl SearchContext {
    pub fn of_type(resource_type: ResourceType) -> Self {
        Self {
            path: resource_type.name().to_owned(),
            types: vec![resource_type],
            is_named: true,
            compartment: None,
            own: Vec::new(),
        }
    }

    pub fn of_all() -> Self {
        Self { path: String::new(), types: types::all().collect(), is_named: false, compartment: None, own: Vec::new() }
    }

    /// What a path names: a compartment, and the type in it or `*` for each that can be.
    pub fn of_compartment(compartment: ResourceType, id: &str, member: &str) -> Result<Self, Refusal> {
        let name = compartment.name();
        if !COMPARTMENTS.contains(&compartment) {
            let known = names(COMPARTMENTS.into_iter());
            return Err(Refusal::NotFound(format!("there is no compartment of a {name}; there are those of {known}")));
        }
        let id = Some(id).filter(|id| reference::is_id(id)).ok_or_else(|| absence::not_there(compartment))?.to_owned();
        let types = match (member, types::named(member)) {
            ("*", _) => members(compartment).collect(),
            (_, Some(named)) if members(compartment).any(|member| member == named) => vec![named],
            (_, Some(named)) => {
                let (other, known) = (named.name(), names(members(compartment)));
                let why = format!("{other} is not in the compartment of a {name}; these are: {known}");
                return Err(Refusal::Invalid(why));
            }
            (_, None) => return Err(absence::no_such_type(member)),
        };
        let path = format!("{name}/{id}/{member}");
        Ok(Self { path, types, is_named: member != "*", compartment: Some((compartment, id)), own: Vec::new() })
    }

    /// The same, of the types that `_type` names alone.
    pub fn narrow(mut self, sent: &[(String, String)]) -> Result<Self, Refusal> {
        let mut named: Vec<ResourceType> = Vec::new();
        let sent = sent.iter().filter(|(name, _)| name == TYPE);
        for name in sent.flat_map(|(_, names)| names.split(',')).map(str::trim) {
            let Some(one) = types::named(name) else {
                let (meant, name) = (did_you_mean(name, self.types.iter().map(|of| of.name())), shown(name));
                return Err(fault(TYPE, format!("_type: {name} is no resource type of FHIR R4{meant}")));
            };
            if !self.types.contains(&one) {
                let known = names(self.types.iter().copied());
                return Err(fault(TYPE, format!("_type: {name} is not searched here; these are: {known}")));
            }
            if !named.contains(&one) {
                named.push(one);
            }
        }
        if !named.is_empty() {
            (self.types, self.is_named) = (named, true);
        }
        Ok(self)
    }

    /// Whether every type that is looked at has this parameter.
    pub fn knows(&self, code: &str) -> bool {
        let is_own = |of: &ResourceType| self.own.iter().any(|(owner, own)| owner == of && own.code == code);
        let is_known = |of: &ResourceType| table::find(*of, code).is_some() || is_own(of);
        code == "_has" || reading::is_control(code) || self.types.iter().all(is_known)
    }

    /// Refuses a parameter that only some of several types have, with those that all of them have.
    pub fn must_know(&self, sent: &[(String, String)]) -> Result<(), Refusal> {
        let ([first, _, ..], Some(strange)) = (&self.types[..], sent.iter().find(|(name, _)| !self.knows(code(name))))
        else {
            return Ok(());
        };
        let common: Vec<&str> =
            table::of(*first).iter().map(|parameter| parameter.code).filter(|code| self.knows(code)).collect();
        let meant = did_you_mean(code(&strange.0), common.iter().copied());
        let (code, common) = (shown(code(&strange.0)), common.join(", "));
        let words = "is not a search parameter of each of the types that are searched; say which in _type; each has";
        Err(fault(&strange.0, format!("{code} {words} {common}{meant}")))
    }

    /// That a resource of this type is in the compartment, where there is one.
    pub fn clause(&self, of: ResourceType) -> Option<Clause> {
        let (compartment, id) = self.compartment.as_ref()?;
        belonging(*compartment, id, of)
    }
}

/// What is wrong with one parameter.
pub(crate) fn fault(name: &str, words: impl Into<String>) -> Refusal {
    Refusal::Parameters(vec![(shown(name), words.into())])
}

/// A parameter's name without modifiers and chains.
pub(crate) fn code(name: &str) -> &str {
    name.split([':', '.']).next().unwrap_or_default()
}

fn names(types: impl Iterator<Item = ResourceType>) -> String {
    types.map(ResourceType::name).collect::<Vec<_>>().join(", ")
}
