//! An expression in the form of the table of HL7's parameters: for each branch a path of JSON's members and the type that it ends
//! in. It is followed through the structures of R4, so that a path that leads nowhere is told.

use crate::custom::steps::{ExpressionStep, branches, unsupported};
use crate::parameters::kind::Kind;
use crate::structure::structure;
use crate::types::{self, ResourceType};

/// One of the ways that a branch can go: at a choice of types it parts.
#[derive(Clone, Debug)]
struct Way {
    path: Vec<String>,
    /// The type that it has come to.
    at: &'static str,
    /// The system of a code, which its binding implies.
    system: Option<&'static str>,
    target: Option<ResourceType>,
}

/// The branches of an expression that begin at `owner`, as the table writes them; in words what is wrong.
pub(super) fn compile(expression: &str, owner: ResourceType, kind: Kind) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    for steps in branches(expression)? {
        let Some((first, rest)) = steps.split_first() else { return Err(unsupported(expression)) };
        let ExpressionStep::Member(start) = first else { return Err(unsupported(expression)) };
        if start != owner.name() && types::named(start).is_some() {
            continue;
        }
        let is_any = ["Resource", "DomainResource", owner.name()].contains(&start.as_str());
        let ways = follow(if is_any { rest } else { &steps }, owner)?;
        let (fitting, others): (Vec<Way>, Vec<Way>) = ways.into_iter().partition(|way| fits(kind, way.at));
        if fitting.is_empty() {
            let ends: Vec<&str> = others.iter().map(|way| way.at).take(5).collect();
            let (ends, kind) = (ends.join(", "), kind.name());
            return Err(format!("it ends in {ends}, of which a {kind} parameter has no values"));
        }
        found.extend(fitting.iter().map(Way::written).filter(|branch| !found.contains(branch)).collect::<Vec<_>>());
    }
    if found.is_empty() { Err(format!("it finds nothing in {}", owner.name())) } else { Ok(found) }
}

fn follow(steps: &[ExpressionStep], owner: ResourceType) -> Result<Vec<Way>, String> {
    let mut ways = vec![Way { path: Vec::new(), at: owner.name(), system: None, target: None }];
    for step in steps {
        let before = ways.first().map_or("", |way| way.at);
        ways = match step {
            ExpressionStep::Member(name) => ways.iter().flat_map(|way| way.member(name)).collect(),
            ExpressionStep::Extension(url) => {
                let extensions = ways.iter().flat_map(|way| way.member("extension"));
                extensions.filter_map(|way| way.tested(&format!("url={url}"))).collect()
            }
            ExpressionStep::Cast(kind) => ways.into_iter().filter(|way| is_made_of(way.at, kind)).collect(),
            ExpressionStep::To(name) => {
                let target = types::named(name).ok_or_else(|| format!("{name:?} is no resource type"))?;
                ways.into_iter().map(|way| Way { target: Some(target), ..way }).collect()
            }
            ExpressionStep::Where(member, value) => {
                let has = |way: &Way| structure(way.at).is_some_and(|at| at.element(member).is_some());
                let test = format!("{member}={value}");
                ways.into_iter().filter(has).filter_map(|way| way.tested(&test)).collect()
            }
            ExpressionStep::At(number) => ways.into_iter().filter_map(|way| way.tested(&number.to_string())).collect(),
        };
        if ways.is_empty() {
            return Err(match step {
                ExpressionStep::Member(name) => format!("{before} has no element {name:?}"),
                ExpressionStep::Extension(_) => format!("{before} has no extensions that are searched"),
                ExpressionStep::Cast(kind) => format!("{before} is never a {kind}"),
                ExpressionStep::Where(member, _) => unsupported(&format!("where({member} = …) of {before}")),
                ExpressionStep::At(number) => unsupported(&format!("[{number}]")),
                ExpressionStep::To(name) => unsupported(&format!("where(resolve() is {name})")),
            });
        }
    }
    Ok(ways)
}

impl Way {
    /// On to an element: one way for each type that it may be of.
    fn member(&self, name: &str) -> Vec<Self> {
        let Some(element) = structure(self.at).and_then(|at| at.element(name)) else { return Vec::new() };
        let way = |of: &crate::structure::ElementType| {
            let member = if element.is_choice { of.member(element.name) } else { element.name.to_owned() };
            let system = element.binding().filter(|_| of.name == "code").and_then(|binding| binding.only_system());
            let path = self.path.iter().cloned().chain([member]).collect();
            Self { path, at: of.name, system, target: self.target }
        };
        element.types.iter().map(way).collect()
    }

    /// With a test of the last element; none where it has one already, or there is no element.
    fn tested(mut self, test: &str) -> Option<Self> {
        let last = self.path.last_mut().filter(|last| !last.ends_with(']'))?;
        last.push_str(&format!("[{test}]"));
        Some(self)
    }

    fn written(&self) -> String {
        let (path, at) = (self.path.join("."), self.at);
        let system = self.system.map(|system| format!("#{system}")).unwrap_or_default();
        let target = self.target.map(|target| format!(">{}", target.name())).unwrap_or_default();
        format!("{path}:{at}{system}{target}")
    }
}

/// A cast to a type lets those pass that are made of it.
fn is_made_of(at: &str, kind: &str) -> bool {
    at == kind
        || match kind {
            "Quantity" => matches!(at, "Age" | "Count" | "Distance" | "Duration"),
            "integer" => matches!(at, "positiveInt" | "unsignedInt"),
            "string" => matches!(at, "code" | "id" | "markdown"),
            "uri" => matches!(at, "canonical" | "url"),
            _ => false,
        }
}

/// Whether a parameter of this kind has values of this type: as the generator of the table of HL7's has it.
fn fits(kind: Kind, at: &str) -> bool {
    match kind {
        Kind::Date => matches!(at, "date" | "dateTime" | "instant" | "Period" | "Timing"),
        Kind::Number => matches!(at, "decimal" | "integer" | "positiveInt" | "unsignedInt" | "Range"),
        Kind::Quantity => {
            matches!(at, "Age" | "Count" | "Distance" | "Duration" | "Money" | "Quantity" | "Range" | "SampledData")
        }
        Kind::Reference => matches!(at, "Reference" | "canonical"),
        Kind::String => matches!(at, "Address" | "HumanName" | "markdown" | "string"),
        Kind::Token => matches!(
            at,
            "CodeableConcept" | "Coding" | "ContactPoint" | "Identifier" | "boolean" | "code" | "id" | "string" | "uri"
        ),
        Kind::Uri => matches!(at, "canonical" | "uri" | "url"),
        Kind::Composite | Kind::Text => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::branch::Branch;
    use crate::parameters::table;

    #[test]
    fn an_expression_becomes_the_branches_of_the_table() {
        use ResourceType::{Observation, Patient, Task};
        for (expression, owner, kind, branches) in [
            ("Patient.maritalStatus", Patient, Kind::Token, "maritalStatus:CodeableConcept"),
            ("Patient.gender", Patient, Kind::Token, "gender:code#http://hl7.org/fhir/administrative-gender"),
            ("Observation.method | Patient.photo.title", Patient, Kind::String, "photo.title:string"),
            ("Patient.multipleBirth.ofType(integer)", Patient, Kind::Number, "multipleBirthInteger:integer"),
            (
                "Patient.extension('http://x.example/eye').value.ofType(CodeableConcept)",
                Patient,
                Kind::Token,
                "extension[url=http://x.example/eye].valueCodeableConcept:CodeableConcept",
            ),
            (
                "Patient.extension.where(url='http://x.example/eye').value.code",
                Patient,
                Kind::Token,
                "extension[url=http://x.example/eye].valueCoding.code:code",
            ),
            ("Observation.value.as(Quantity)", Observation, Kind::Quantity, "valueQuantity:Quantity"),
            ("Observation.device.where(resolve() is Device)", Observation, Kind::Reference, "device:Reference>Device"),
            ("Observation.component[0].code", Observation, Kind::Token, "component[0].code:CodeableConcept"),
            ("Resource.language", Task, Kind::Token, "language:code"),
            ("telecom.where(system='fax')", Patient, Kind::Token, "telecom[system=fax]:ContactPoint"),
        ] {
            let found = compile(expression, owner, kind).unwrap_or_else(|words| panic!("{expression}: {words}"));
            assert!(found.iter().any(|branch| branch == branches), "{expression}: {found:?}");
            for branch in found {
                assert!(Branch::read(Box::leak(branch.clone().into_boxed_str())).is_some(), "{branch}");
            }
        }
    }

    #[test]
    fn what_leads_nowhere_is_told() {
        use ResourceType::Patient;
        for (expression, kind, part) in [
            ("Patient.shoeSize", Kind::Number, "Patient has no element \"shoeSize\""),
            ("Patient.name.colour", Kind::String, "HumanName has no element \"colour\""),
            ("Patient.birthDate", Kind::Quantity, "ends in date, of which a quantity parameter has no values"),
            ("Patient.extension('http://x.example')", Kind::Token, "ends in Extension"),
            ("Observation.method", Kind::Token, "finds nothing in Patient"),
            ("Patient.deceased.as(Quantity)", Kind::Quantity, "boolean is never a Quantity"),
            ("Patient.birthDate.extension('http://x.example').value", Kind::Token, "no extensions"),
            ("Patient.name[0][1]", Kind::String, "\"[1]\" is not supported"),
            ("Patient.where(id='1').name", Kind::String, "is not supported"),
            ("", Kind::String, "is not supported"),
            ("Patient.link.other.where(resolve() is Nobody)", Kind::Reference, "\"Nobody\" is no resource type"),
        ] {
            let words = compile(expression, Patient, kind).unwrap_err();
            assert!(words.contains(part), "{expression}: {words}");
        }
    }

    /// HL7's own plain expressions come out as the generator has them.
    #[test]
    fn paths_of_hl7s_parameters_are_those_of_the_table() {
        for (owner, code, expression) in [
            (ResourceType::Patient, "birthdate", "Patient.birthDate"),
            (ResourceType::Patient, "phone", "Patient.telecom.where(system='phone')"),
            (ResourceType::Observation, "status", "Observation.status"),
            (
                ResourceType::Observation,
                "value-quantity",
                "(Observation.value as Quantity) | (Observation.value as SampledData)",
            ),
            (ResourceType::Encounter, "length", "Encounter.length"),
            (ResourceType::ValueSet, "url", "ValueSet.url"),
        ] {
            let parameter = table::find(owner, code).unwrap();
            let found = compile(expression, owner, parameter.kind).unwrap();
            let read: Vec<Branch> =
                found.iter().map(|branch| Branch::read(Box::leak(branch.clone().into_boxed_str())).unwrap()).collect();
            assert_eq!(read, parameter.branches, "{code}");
        }
    }
}
