//! The timeline of a code in a patient's record, such as all that was measured of somebody's weight: the parameters of a type by which
//! it is asked for most, namely whose it is, what it is, and when the care was.

use crate::parameters::care_date;
use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::table;
use crate::types::{self, ResourceType};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The parameters of a timeline.
#[derive(Clone, Copy, Debug)]
pub struct CodeTimeline {
    /// The number of the parameter that keeps whose it is.
    pub patient: u32,
    pub code: &'static Parameter,
    pub date: &'static Parameter,
}

static ALL: LazyLock<HashMap<ResourceType, CodeTimeline>> =
    LazyLock::new(|| types::all().filter_map(|of| Some((of, find(of)?))).collect());

/// The timeline of a type whose resources have one.
#[must_use]
pub fn of(resource_type: ResourceType) -> Option<CodeTimeline> {
    ALL.get(&resource_type).copied()
}

fn find(of: ResourceType) -> Option<CodeTimeline> {
    let patient = table::find(of, "patient").filter(|patient| patient.kind == Kind::Reference)?;
    let patient = match patient.shared_keys.instead {
        None => patient.number,
        Some((other, ResourceType::Patient)) => other,
        Some(_) => return None,
    };
    let code = table::find(of, "code").filter(|code| code.kind == Kind::Token)?;
    let date = care_date::of(of)?;
    [code, date].into_iter().all(keeps_in_one_place).then_some(CodeTimeline { patient, code, date })
}

fn keeps_in_one_place(parameter: &Parameter) -> bool {
    let [place] = &parameter.shared_keys.places[..] else { return false };
    matches!(place[..], [one] if one.number == parameter.number && one.facet == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_found_done_and_prescribed_has_a_course() {
        for of_type in [ResourceType::Observation, ResourceType::Condition, ResourceType::Procedure] {
            assert!(of(of_type).is_some(), "{of_type:?}");
        }
        let observation = of(ResourceType::Observation).unwrap();
        assert_eq!((observation.code.code, observation.date.code), ("code", "date"));
        let subject = table::find(ResourceType::Observation, "subject").unwrap();
        assert_eq!(observation.patient, subject.number, "it keeps what both find");
        assert!(of(ResourceType::Patient).is_none() && of(ResourceType::Medication).is_none());
    }
}
