//! Invariants of questionnaires and their answers.

use crate::validation::invariants::invariant::Invariant;
use crate::validation::invariants::scope::Scope;
use std::collections::HashSet;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "que-1",
        on: "Questionnaire.item",
        human: "a group has items, and a display has none",
        holds: |s| (!s.is("type", "group") || s.has("item")) && (!is_display(s) || !s.has("item")),
    },
    Invariant { key: "que-2", on: "Questionnaire", human: "no link id may be there twice", holds: links_are_distinct },
    Invariant {
        key: "que-3",
        on: "Questionnaire.item",
        human: "a display has no code",
        holds: |s| !is_display(s) || !s.has("code"),
    },
    Invariant {
        key: "que-4",
        on: "Questionnaire.item",
        human: "options and a value set of answers exclude each other",
        holds: |s| !s.has("answerOption") || !s.has("answerValueSet"),
    },
    Invariant {
        key: "que-5",
        on: "Questionnaire.item",
        human: "only a choice, or what could be one, has options",
        holds: |s| !s.has_any(&["answerOption", "answerValueSet"]) || s.is_one_of("type", &OPTIONAL),
    },
    Invariant {
        key: "que-6",
        on: "Questionnaire.item",
        human: "a display is neither required nor repeated",
        holds: |s| !is_display(s) || !s.has_any(&["required", "repeats"]),
    },
    Invariant {
        key: "que-7",
        on: "Questionnaire.item.enableWhen",
        human: "whether there is an answer is a boolean",
        holds: |s| !s.is("operator", "exists") || s.has("answerBoolean"),
    },
    Invariant {
        key: "que-8",
        on: "Questionnaire.item",
        human: "a group or a display has no initial value",
        holds: |s| !s.is_one_of("type", &["group", "display"]) || !s.has("initial"),
    },
    Invariant {
        key: "que-9",
        on: "Questionnaire.item",
        human: "a display is not read-only",
        holds: |s| !is_display(s) || !s.has("readOnly"),
    },
    Invariant {
        key: "que-10",
        on: "Questionnaire.item",
        human: "only what is typed has a greatest length",
        holds: |s| !s.has("maxLength") || s.is_one_of("type", &TYPED),
    },
    Invariant {
        key: "que-11",
        on: "Questionnaire.item",
        human: "options and an initial value exclude each other",
        holds: |s| !s.has("answerOption") || !s.has("initial"),
    },
    Invariant {
        key: "que-12",
        on: "Questionnaire.item",
        human: "several conditions need to be joined",
        holds: |s| s.length("enableWhen") <= 2 || s.has("enableBehavior"),
    },
    Invariant {
        key: "que-13",
        on: "Questionnaire.item",
        human: "only what repeats has several initial values",
        holds: |s| s.is_true("repeats") || s.length("initial") <= 1,
    },
    Invariant {
        key: "qrs-1",
        on: "QuestionnaireResponse.item",
        human: "answers and items exclude each other",
        holds: |s| !s.has("answer") || !s.has("item"),
    },
];

const OPTIONAL: [&str; 9] =
    ["choice", "open-choice", "decimal", "integer", "date", "dateTime", "time", "string", "quantity"];
const TYPED: [&str; 7] = ["boolean", "decimal", "integer", "string", "text", "url", "open-choice"];

fn is_display(s: &Scope<'_, '_>) -> bool {
    s.is("type", "display")
}

fn links_are_distinct(s: &Scope<'_, '_>) -> bool {
    fn all<'n>(s: &Scope<'n, '_>, known: &mut HashSet<&'n str>) -> bool {
        s.items("item").all(|item| item.text("linkId").is_none_or(|link| known.insert(link)) && all(&item, known))
    }
    all(s, &mut HashSet::new())
}
