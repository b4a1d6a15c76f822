//! Invariants of the data types.

use crate::json::Decimal;
use crate::validation::invariants::invariant::Invariant;
use crate::validation::invariants::scope::Scope;
use crate::validation::moment::Moment;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "ext-1",
        on: "Extension",
        human: "an extension has either a value or extensions of its own",
        holds: |s| s.has("extension") != s.has_choice("value"),
    },
    Invariant { key: "per-1", on: "Period", human: "the start must not be after the end", holds: period_is_in_order },
    Invariant {
        key: "rng-2",
        on: "Range",
        human: "the low value must not be above the high one",
        holds: range_is_in_order,
    },
    Invariant {
        key: "rat-1",
        on: "Ratio",
        human: "a ratio has both a numerator and a denominator, or only an extension",
        holds: ratio_is_whole,
    },
    Invariant {
        key: "qty-3",
        on: "Quantity",
        human: "a coded unit needs its system",
        holds: |s| !s.has("code") || s.has("system"),
    },
    Invariant {
        key: "qty-3",
        on: "Age",
        human: "a coded unit needs its system",
        holds: |s| !s.has("code") || s.has("system"),
    },
    Invariant {
        key: "qty-3",
        on: "Count",
        human: "a coded unit needs its system",
        holds: |s| !s.has("code") || s.has("system"),
    },
    Invariant {
        key: "qty-3",
        on: "Distance",
        human: "a coded unit needs its system",
        holds: |s| !s.has("code") || s.has("system"),
    },
    Invariant {
        key: "qty-3",
        on: "Duration",
        human: "a coded unit needs its system",
        holds: |s| !s.has("code") || s.has("system"),
    },
    Invariant {
        key: "age-1",
        on: "Age",
        human: "an age has a code of UCUM and is not negative",
        holds: |s| {
            (s.has("code") || !s.has("value")) && is_ucum(s) && !s.number("value").is_some_and(|n| n.starts_with('-'))
        },
    },
    Invariant {
        key: "dis-1",
        on: "Distance",
        human: "a distance has a code of UCUM",
        holds: |s| (s.has("code") || !s.has("value")) && is_ucum(s),
    },
    Invariant {
        key: "drt-1",
        on: "Duration",
        human: "a duration with a code has a value, and its system is UCUM",
        holds: |s| !s.has("code") || (s.is("system", UCUM) && s.has("value")),
    },
    Invariant {
        key: "cnt-3",
        on: "Count",
        human: "a count is a whole number, with the code 1 of UCUM",
        holds: |s| {
            (s.has("code") || !s.has("value"))
                && is_ucum(s)
                && (!s.has("code") || s.is("code", "1"))
                && !s.number("value").is_some_and(|n| n.contains('.'))
        },
    },
    Invariant {
        key: "att-1",
        on: "Attachment",
        human: "data needs a content type",
        holds: |s| !s.has("data") || s.has("contentType"),
    },
    Invariant {
        key: "cpt-2",
        on: "ContactPoint",
        human: "a value needs a system",
        holds: |s| !s.has("value") || s.has("system"),
    },
    Invariant {
        key: "exp-1",
        on: "Expression",
        human: "an expression or a reference to one must be there",
        holds: |s| s.has_any(&["expression", "reference"]),
    },
    Invariant {
        key: "drq-1",
        on: "DataRequirement.codeFilter",
        human: "either a path or a search parameter must be there",
        holds: |s| s.count(&["path", "searchParam"]) == 1,
    },
    Invariant {
        key: "drq-2",
        on: "DataRequirement.dateFilter",
        human: "either a path or a search parameter must be there",
        holds: |s| s.count(&["path", "searchParam"]) == 1,
    },
    Invariant {
        key: "trd-1",
        on: "TriggerDefinition",
        human: "a trigger has data or a timing, not both",
        holds: |s| !s.has("data") || !s.has_choice("timing"),
    },
    Invariant {
        key: "trd-2",
        on: "TriggerDefinition",
        human: "a condition needs data",
        holds: |s| !s.has("condition") || s.has("data"),
    },
    Invariant {
        key: "trd-3",
        on: "TriggerDefinition",
        human: "a named event needs a name, a periodic one a timing, one of data the data",
        holds: |s| {
            (!s.is("type", "named-event") || s.has("name"))
                && (!s.is("type", "periodic") || s.has_choice("timing"))
                && (!s.text("type").is_some_and(|t| t.starts_with("data-")) || s.has("data"))
        },
    },
    Invariant {
        key: "tim-1",
        on: "Timing.repeat",
        human: "a duration needs its unit",
        holds: |s| !s.has("duration") || s.has("durationUnit"),
    },
    Invariant {
        key: "tim-2",
        on: "Timing.repeat",
        human: "a period needs its unit",
        holds: |s| !s.has("period") || s.has("periodUnit"),
    },
    Invariant {
        key: "tim-4",
        on: "Timing.repeat",
        human: "a duration is not negative",
        holds: |s| !s.number("duration").is_some_and(|n| n.starts_with('-')),
    },
    Invariant {
        key: "tim-5",
        on: "Timing.repeat",
        human: "a period is not negative",
        holds: |s| !s.number("period").is_some_and(|n| n.starts_with('-')),
    },
    Invariant {
        key: "tim-6",
        on: "Timing.repeat",
        human: "a longest period needs a period",
        holds: |s| !s.has("periodMax") || s.has("period"),
    },
    Invariant {
        key: "tim-7",
        on: "Timing.repeat",
        human: "a longest duration needs a duration",
        holds: |s| !s.has("durationMax") || s.has("duration"),
    },
    Invariant {
        key: "tim-8",
        on: "Timing.repeat",
        human: "a highest count needs a count",
        holds: |s| !s.has("countMax") || s.has("count"),
    },
    Invariant {
        key: "tim-9",
        on: "Timing.repeat",
        human: "an offset needs an event, and not a meal as such",
        holds: |s| {
            !s.has("offset")
                || (s.has("when")
                    && !s.node.get("when").is_some_and(|when| {
                        when.items().iter().any(|item| matches!(item.text(), Some("C" | "CM" | "CD" | "CV")))
                    }))
        },
    },
    Invariant {
        key: "tim-10",
        on: "Timing.repeat",
        human: "a time of day and an event exclude each other",
        holds: |s| !s.has("timeOfDay") || !s.has("when"),
    },
    Invariant {
        key: "eld-1",
        on: "ElementDefinition.slicing",
        human: "slices need a discriminator or a description",
        holds: |s| s.has_any(&["discriminator", "description"]),
    },
    Invariant {
        key: "eld-15",
        on: "ElementDefinition",
        human: "a default value and a meaning when missing exclude each other",
        holds: |s| !s.has_choice("defaultValue") || !s.has("meaningWhenMissing"),
    },
    Invariant {
        key: "eld-8",
        on: "ElementDefinition",
        human: "a pattern and a fixed value exclude each other",
        holds: |s| !s.has_choice("pattern") || !s.has_choice("fixed"),
    },
    Invariant {
        key: "eld-22",
        on: "ElementDefinition",
        human: "only what has a slice's name can constrain a slice",
        holds: |s| !s.has("sliceIsConstraining") || s.has("sliceName"),
    },
];

const UCUM: &str = "http://unitsofmeasure.org";

fn is_ucum(s: &Scope<'_, '_>) -> bool {
    !s.has("system") || s.is("system", UCUM)
}

fn period_is_in_order(s: &Scope<'_, '_>) -> bool {
    let at = |name| s.text(name).and_then(Moment::read);
    !at("start").zip(at("end")).is_some_and(|(start, end)| start.is_after(&end))
}

/// Only where both are in one unit: others cannot be compared without knowing the units.
fn range_is_in_order(s: &Scope<'_, '_>) -> bool {
    let Some((low, high)) = s.child("low").zip(s.child("high")) else { return true };
    let value = |of: &Scope<'_, '_>| of.number("value").and_then(Decimal::read);
    let is_one_unit = ["system", "code", "unit"].iter().all(|name| low.text(name) == high.text(name));
    !is_one_unit || value(&low).zip(value(&high)).is_none_or(|(low, high)| low <= high)
}

fn ratio_is_whole(s: &Scope<'_, '_>) -> bool {
    s.has("numerator") == s.has("denominator") && s.has_any(&["numerator", "extension"])
}
