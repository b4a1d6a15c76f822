//! Invariants of what clinicians record.

use crate::json::Decimal;
use crate::validation::invariants::invariant::Invariant;
use crate::validation::invariants::scope::Scope;
use crate::validation::moment::Moment;
use std::collections::HashSet;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "obs-3",
        on: "Observation.referenceRange",
        human: "a low value, a high value or a text must be there",
        holds: |s| s.has_any(&["low", "high", "text"]),
    },
    Invariant {
        key: "obs-6",
        on: "Observation",
        human: "a reason why there is no value and a value exclude each other",
        holds: |s| !s.has("dataAbsentReason") || !s.has_choice("value"),
    },
    Invariant {
        key: "obs-7",
        on: "Observation",
        human: "where a component has the code of the observation, the observation has no value of its own",
        holds: components_are_others,
    },
    Invariant {
        key: "ait-1",
        on: "AllergyIntolerance",
        human: "the clinical status must be there, unless it was entered in error",
        holds: |s| is_error(s, ALLERGY) || s.has("clinicalStatus"),
    },
    Invariant {
        key: "ait-2",
        on: "AllergyIntolerance",
        human: "what was entered in error has no clinical status",
        holds: |s| !is_error(s, ALLERGY) || !s.has("clinicalStatus"),
    },
    Invariant {
        key: "con-1",
        on: "Condition.stage",
        human: "a summary or an assessment must be there",
        holds: |s| s.has_any(&["summary", "assessment"]),
    },
    Invariant {
        key: "con-2",
        on: "Condition.evidence",
        human: "a code or a detail must be there",
        holds: |s| s.has_any(&["code", "detail"]),
    },
    Invariant {
        key: "con-4",
        on: "Condition",
        human: "what has abated is resolved, in remission or inactive",
        holds: |s| {
            !s.has_choice("abatement") || s.is_coded("clinicalStatus", CLINICAL, &["resolved", "remission", "inactive"])
        },
    },
    Invariant {
        key: "con-5",
        on: "Condition",
        human: "what was entered in error has no clinical status",
        holds: |s| !is_error(s, CONDITION) || !s.has("clinicalStatus"),
    },
    Invariant {
        key: "fhs-1",
        on: "FamilyMemberHistory",
        human: "an age and a birth exclude each other",
        holds: |s| !s.has_choice("age") || !s.has_choice("born"),
    },
    Invariant {
        key: "fhs-2",
        on: "FamilyMemberHistory",
        human: "only an age can be estimated",
        holds: |s| !s.has("estimatedAge") || s.has_choice("age"),
    },
    Invariant {
        key: "gol-1",
        on: "Goal.target",
        human: "a detail needs a measure",
        holds: |s| !s.has_choice("detail") || s.has("measure"),
    },
    Invariant {
        key: "imm-1",
        on: "Immunization.education",
        human: "a document's type or a reference must be there",
        holds: |s| s.has_any(&["documentType", "reference"]),
    },
    Invariant {
        key: "imr-1",
        on: "ImmunizationRecommendation.recommendation",
        human: "a vaccine or a disease must be there",
        holds: |s| s.has_any(&["vaccineCode", "targetDisease"]),
    },
    Invariant {
        key: "mad-1",
        on: "MedicationAdministration.dosage",
        human: "a dose or a rate must be there",
        holds: |s| s.has("dose") || s.has_choice("rate"),
    },
    Invariant {
        key: "mdd-1",
        on: "MedicationDispense",
        human: "it must not be handed over before it was prepared",
        holds: is_handed_over_after_preparation,
    },
    Invariant {
        key: "cmp-1",
        on: "Composition.section",
        human: "a text, entries or sections must be there",
        holds: |s| s.has_any(&["text", "entry", "section"]),
    },
    Invariant {
        key: "cmp-2",
        on: "Composition.section",
        human: "only what is empty has a reason for that",
        holds: |s| !s.has("emptyReason") || !s.has("entry"),
    },
    Invariant {
        key: "cpl-3",
        on: "CarePlan.activity",
        human: "a detail and a reference exclude each other",
        holds: |s| !s.has("detail") || !s.has("reference"),
    },
    Invariant {
        key: "msq-3",
        on: "MolecularSequence",
        human: "the coordinate system is 0 or 1",
        holds: |s| matches!(s.number("coordinateSystem"), None | Some("0" | "1")),
    },
    Invariant {
        key: "msq-5",
        on: "MolecularSequence.referenceSeq",
        human: "chromosome and genome build are there together",
        holds: |s| s.has("chromosome") == s.has("genomeBuild"),
    },
    Invariant {
        key: "msq-6",
        on: "MolecularSequence.referenceSeq",
        human: "exactly one way to name the reference sequence must be there",
        holds: |s| s.count(&["genomeBuild", "referenceSeqId", "referenceSeqPointer", "referenceSeqString"]) == 1,
    },
    Invariant {
        key: "ras-2",
        on: "RiskAssessment.prediction",
        human: "a probability is at most 100",
        holds: probability_is_a_percentage,
    },
];

const ALLERGY: &str = "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification";
const CONDITION: &str = "http://terminology.hl7.org/CodeSystem/condition-ver-status";
const CLINICAL: &str = "http://terminology.hl7.org/CodeSystem/condition-clinical";

fn is_error(s: &Scope<'_, '_>, system: &str) -> bool {
    s.is_coded("verificationStatus", system, &["entered-in-error"])
}

fn codings<'n, 'a>(s: &Scope<'n, 'a>) -> Vec<Scope<'n, 'a>> {
    s.child("code").into_iter().flat_map(|code| code.items("coding")).collect()
}

fn components_are_others(s: &Scope<'_, '_>) -> bool {
    if !s.has_choice("value") {
        return true;
    }
    let key = |coding: &Scope<'_, '_>| {
        let texts = ["system", "version", "code", "display"].map(|name| coding.text(name).map(String::from));
        (texts, coding.is_true("userSelected"))
    };
    let own: HashSet<_> = codings(s).iter().map(key).collect();
    !s.items("component").any(|component| codings(&component).iter().any(|coding| own.contains(&key(coding))))
}

fn is_handed_over_after_preparation(s: &Scope<'_, '_>) -> bool {
    let at = |name| s.text(name).and_then(Moment::read);
    !at("whenPrepared").zip(at("whenHandedOver")).is_some_and(|(prepared, handed)| prepared.is_after(&handed))
}

fn probability_is_a_percentage(s: &Scope<'_, '_>) -> bool {
    let most = Decimal::read("100");
    s.number("probabilityDecimal").and_then(Decimal::read).is_none_or(|probability| Some(probability) <= most)
}
