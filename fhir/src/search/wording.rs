//! What `_text` and `_content` ask of a resource: whole words, whatever their case and accents, in any order. The one meaning of
//! it: no engine has an index of words, so whoever searches asks this of the resources themselves.

use crate::extraction::words;
use crate::parameters::kind::Kind;
use crate::search::criterion::Criterion;
use crate::search::query::{Condition, Test};
use serde_json::Value;
use std::collections::HashSet;

/// Whether it asks for words.
#[must_use]
pub fn is_of_words(condition: &Condition) -> bool {
    condition.parameter.kind == Kind::Text
}

/// Whether the words of a resource are as a condition on them says.
#[must_use]
pub fn meets(condition: &Condition, resource: &Value) -> bool {
    let folded = match condition.parameter.code {
        "_text" => words::narrative(resource),
        _ => words::content(resource),
    };
    let known: HashSet<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    let any = |criteria: &[Criterion]| {
        criteria.iter().any(|criterion| match criterion {
            Criterion::Words(wanted) => wanted.holds(&|word| known.contains(word)),
            _ => false,
        })
    };
    match &condition.test {
        Test::Missing(missing) => known.is_empty() == *missing,
        Test::Any(criteria) => any(criteria),
        Test::None(criteria) => !any(criteria),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::Clause;
    use crate::search::reading;
    use crate::types::ResourceType;
    use serde_json::json;

    fn finds(name: &str, value: &str, resource: &Value) -> bool {
        let query = reading::read(ResourceType::Observation, [(name, value)], "https://x.example", 0).unwrap();
        let [Clause::Own(condition)] = &query.clauses[..] else { panic!("one condition") };
        assert!(is_of_words(condition));
        meets(condition, resource)
    }

    #[test]
    fn words_are_whole_in_any_order_and_all_of_them_and_commas_are_alternatives() {
        let resource = json!({
            "resourceType": "Observation",
            "id": "walrus",
            "meta": { "tag": [{ "display": "Hidden" }] },
            "text": { "status": "generated", "div": "<div>Café visit,<br/>no chest-pain</div>" },
            "contained": [{ "resourceType": "Patient", "id": "p", "name": [{ "family": "Inside" }] }],
            "valueQuantity": { "value": 7, "unit": "Marks" },
        });
        for (name, value, found) in [
            ("_text", "cafe", true),
            ("_text", "PAIN café", true),
            ("_text", "chest-pain", true),
            ("_text", "caf", false),
            ("_text", "pain leg", false),
            ("_text", "leg,visit", true),
            ("_text", "leg OR visit", true),
            ("_text", "(leg OR visit) and pain", true),
            ("_text", "(leg OR arm) AND pain", false),
            ("_text", "leg AND arm OR visit", true),
            ("_text", "leg AND (arm OR visit)", false),
            ("_text", "marks", false),
            ("_text", "generated", false),
            ("_text", "br", false),
            ("_content", "marks inside generated visit", true),
            ("_content", "walrus", false),
            ("_content", "hidden", false),
            ("_content", "observation", false),
            ("_content", "family", false),
            ("_content", "7", false),
            ("_text:missing", "true", false),
            ("_text:missing", "false", true),
        ] {
            assert_eq!(finds(name, value, &resource), found, "{name}={value}");
        }
        let bare = json!({ "resourceType": "Observation", "id": "walrus" });
        assert!(finds("_text:missing", "true", &bare) && finds("_content:missing", "true", &bare));
        assert!(!finds("_text", "walrus", &bare));
    }
}
