//! What is found twice is kept once.

use super::{APART, SharedKey, SharedKeys};
use crate::parameters::table::{find, of};
use crate::types::{self, ResourceType};

fn shared_keys(code: &str) -> &'static SharedKeys {
    &find(ResourceType::Observation, code).unwrap_or_else(|| panic!("{code}")).shared_keys
}

fn number(code: &str) -> u32 {
    find(ResourceType::Observation, code).unwrap().number
}

fn keepers(codes: &[(&str, u8)]) -> Vec<SharedKey> {
    codes.iter().map(|(code, facet)| SharedKey { number: number(code), facet: *facet }).collect()
}

#[test]
fn what_combines_others_has_no_values_of_its_own() {
    let [code, component] = ["code", "component-code"].map(|code| keepers(&[(code, 0)]));
    assert_eq!(shared_keys("combo-code").places, [code, component]);
    let [own, apart] = [0, APART].map(|facet| keepers(&[("value-quantity", facet)]));
    let component = keepers(&[("component-value-quantity", 0)]);
    assert_eq!(shared_keys("combo-value-quantity").places, [component, own, apart]);
    let joined = keepers(&[("code", 0), ("value-quantity", 0)]);
    let component = keepers(&[("component-code-value-quantity", 0), ("component-code-value-quantity", 1)]);
    assert_eq!(shared_keys("combo-code-value-quantity").places, [joined, component]);
}

#[test]
fn a_composite_of_the_resource_is_kept_by_its_components() {
    for (code, value) in [("code-value-quantity", "value-quantity"), ("code-value-string", "value-string")] {
        assert_eq!(shared_keys(code).places, [keepers(&[("code", 0), (value, 0)])]);
        assert_eq!(shared_keys(value).shared.len(), 1, "{value} has values that are not in {code}");
    }
    assert_eq!(shared_keys("code-value-date").places, [keepers(&[("code", 0), ("value-date", 0)])]);
    assert!(shared_keys("value-date").shared.is_empty());
}

#[test]
fn a_reference_to_one_type_is_kept_by_that_to_any() {
    assert_eq!(shared_keys("patient").instead, Some((number("subject"), ResourceType::Patient)));
    assert_eq!(shared_keys("subject").instead, None);
    assert_eq!(find(ResourceType::Immunization, "patient").unwrap().shared_keys.instead, None);
}

#[test]
fn what_keeps_the_values_of_another_keeps_its_own() {
    for resource_type in types::all() {
        for parameter in of(resource_type) {
            let shared_keys = &parameter.shared_keys;
            let keeper = |number: u32| of(resource_type).iter().find(|other| other.number == number).unwrap();
            assert!(!shared_keys.places.is_empty(), "{} {}", resource_type.name(), parameter.code);
            for kept in shared_keys.places.iter().flatten() {
                let own = keeper(kept.number).shared_keys.places.iter().flatten().any(|own| own == kept);
                assert!(own, "{} {} is kept by what is kept elsewhere", resource_type.name(), parameter.code);
            }
            let by = shared_keys.instead.map(|(number, _)| keeper(number));
            assert!(
                by.is_none_or(|by| by.shared_keys.instead.is_none()),
                "{} {}",
                resource_type.name(),
                parameter.code
            );
        }
    }
}
