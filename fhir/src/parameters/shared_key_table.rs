//! Which parameter keeps the values of another: where two of a type find the same, an index needs it once.

use crate::parameters::branch::Branch;
use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::shared_key::{APART, SharedKey, SharedKeys};

/// The parameters of a type, each with how it is kept.
pub(crate) fn arrange(parameters: &mut [Parameter]) {
    let all = parameters.to_vec();
    for parameter in &mut *parameters {
        parameter.shared_keys = match parameter.kind {
            Kind::Text => continue,
            Kind::Reference => reference(parameter, &all),
            Kind::Composite => composite(parameter, &all),
            _ => simple(parameter, &all),
        };
    }
}

/// One whose element is that of another, but only as far as it refers to one type.
fn reference(parameter: &Parameter, all: &[Parameter]) -> SharedKeys {
    let mut shared_keys = SharedKeys::own(parameter.number, 0);
    let [target] = parameter.targets[..] else { return shared_keys };
    let is_to = |branch: &Branch| branch.target == Some(target);
    let any = |branch: &Branch| Branch { target: None, ..branch.clone() };
    let elements: Vec<Branch> = parameter.branches.iter().map(any).collect();
    let has_same = |other: &&Parameter| other.kind == Kind::Reference && other.branches == elements;
    if parameter.branches.iter().all(is_to) {
        shared_keys.instead = all.iter().find(has_same).map(|other| (other.number, target));
    }
    shared_keys
}

/// One that has the branches of others together; otherwise its own, some of them apart where a composite needs that.
fn simple(parameter: &Parameter, all: &[Parameter]) -> SharedKeys {
    let (own, shared) = shares(parameter, all);
    let mut places = Vec::new();
    let mut rest: Vec<&Branch> = parameter.branches.iter().collect();
    for other in all.iter().filter(|other| is_part(other, parameter)) {
        if other.branches.iter().all(|branch| rest.contains(&branch)) {
            rest.retain(|branch| !other.branches.contains(branch));
            places.extend(simple(other, all).places);
        }
    }
    if rest.is_empty() {
        SharedKeys { places, instead: None, shared: Vec::new() }
    } else {
        SharedKeys { places: own, instead: None, shared }
    }
}

/// Whether it has some of the branches of the other, or is the first of two that have the same.
fn is_part(one: &Parameter, of: &Parameter) -> bool {
    let is_smaller = one.branches.len() < of.branches.len();
    one.kind == of.kind && (is_smaller || (one.branches.len() == of.branches.len() && one.number < of.number))
}

/// Where a parameter keeps its own values, and which branches those have that composites have a part in, if not all.
fn shares(parameter: &Parameter, all: &[Parameter]) -> (Vec<Vec<SharedKey>>, Vec<Branch>) {
    let number = parameter.number;
    let keeper = |facet| vec![SharedKey { number, facet }];
    // The other kinds have values of other kinds beside their own, whose place this would be.
    let is_free = matches!(parameter.kind, Kind::Date | Kind::Number | Kind::Quantity | Kind::String | Kind::Uri);
    let components = all.iter().filter(|other| is_of_resource(other)).flat_map(|other| &other.components);
    let mut fewer = components.filter(|part| part.code == parameter.code && part.branches != parameter.branches);
    match fewer.find(|part| part.kind == parameter.kind && is_within(part, parameter)) {
        Some(part) if is_free => (vec![keeper(0), keeper(APART)], part.branches.clone()),
        _ => (vec![keeper(0)], Vec::new()),
    }
}

fn is_within(part: &Parameter, parameter: &Parameter) -> bool {
    part.branches.iter().all(|branch| parameter.branches.contains(branch))
}

/// Whether the only instance of a composite is the resource.
fn is_of_resource(composite: &Parameter) -> bool {
    matches!(&composite.instances[..], [path] if path.is_empty())
}

/// One that has the instances of others together, with the same components; or whose components are parameters of the
/// resource, which is its only instance.
fn composite(parameter: &Parameter, all: &[Parameter]) -> SharedKeys {
    let is_like = |other: &&Parameter| {
        let same = |(one, other): (&Parameter, &Parameter)| (one.kind, &one.branches) == (other.kind, &other.branches);
        other.instances.len() < parameter.instances.len()
            && other.components.len() == parameter.components.len()
            && other.components.iter().zip(&parameter.components).all(same)
    };
    let mut rest: Vec<_> = parameter.instances.iter().collect();
    let mut places = Vec::new();
    for other in all.iter().filter(|other| other.kind == Kind::Composite).filter(is_like) {
        if other.instances.iter().all(|path| rest.contains(&path)) {
            rest.retain(|path| !other.instances.contains(path));
            places.extend(composite(other, all).places);
        }
    }
    if !rest.is_empty() {
        places = components(parameter, all);
    }
    SharedKeys { places, instead: None, shared: Vec::new() }
}

/// The place of a composite that is not made of others.
fn components(composite: &Parameter, all: &[Parameter]) -> Vec<Vec<SharedKey>> {
    let keeper = |part: &Parameter| {
        let simple = all.iter().find(|other| other.code == part.code && other.kind == part.kind)?;
        let shared = shares(simple, all).1;
        let keeps = if shared.is_empty() { &simple.branches } else { &shared } == &part.branches;
        keeps.then_some(SharedKey { number: simple.number, facet: 0 })
    };
    let kept: Option<Vec<SharedKey>> = composite.components.iter().map(keeper).collect();
    match kept.filter(|_| is_of_resource(composite)) {
        Some(place) => vec![place],
        None => SharedKeys::own(composite.number, composite.components.len()).places,
    }
}

#[cfg(test)]
#[path = "shared_key_table_tests.rs"]
mod tests;
