//! The tests that a record has results of: one line each, with how many there are and the newest.

use crate::elements::code::Code;
use crate::json_object;
use crate::kinds::test_result::{TestResult, test_code};
use crate::members::date::ClinicalDate;
use crate::order::ListKey;
use std::collections::BTreeMap;

json_object! {
    /// A test.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ListedTest {
        "testId" => test_id: Option<String>,
        "name" => name: Option<String>,
        "system" => system: Option<String>,
        "code" => code: Option<String>,
        "results" => results: i64,
        "newest" => newest: Option<ClinicalDate>,
    }
}

/// The tests of these results, by their ids; those that have none by their names.
#[must_use]
pub fn tests<'r>(results: impl IntoIterator<Item = &'r TestResult>) -> Vec<ListedTest> {
    let mut listed: BTreeMap<(Option<&str>, Option<&str>), ListedTest> = BTreeMap::new();
    for result in results {
        let id = result.test_id.as_deref();
        let key = (id, result.name.as_deref().filter(|_| id.is_none()));
        let Code { system, code, .. } = id.map(test_code).unwrap_or_default();
        let test = listed.entry(key).or_insert_with(|| ListedTest {
            test_id: result.test_id.clone(),
            name: result.name.clone(),
            system,
            code,
            results: 0,
            newest: None,
        });
        test.results += 1;
        let at = |date: &Option<ClinicalDate>| ListKey::new(date.as_ref().map(|date| date.0.as_str()), "");
        if at(&result.date_taken) < at(&test.newest) {
            test.newest.clone_from(&result.date_taken);
        }
    }
    listed.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_one_test_are_counted_and_the_newest_is_told() {
        let result = |id: Option<&str>, name: &str, date: &str| TestResult {
            test_id: id.map(String::from),
            name: Some(name.into()),
            date_taken: Some(ClinicalDate(date.into())),
            ..TestResult::default()
        };
        let hba1c = Some("http://loinc.org|4548-4");
        let all = [
            result(hba1c, "HbA1c", "2026-10-02"),
            result(None, "Old style", "2020"),
            result(hba1c, "HbA1c", "2026-12"),
            result(hba1c, "HbA1c", "2025"),
        ];
        let listed = super::tests(&all);
        let told: Vec<_> = listed.iter().map(|one| (one.name.as_deref(), one.results, one.newest.as_ref())).collect();
        let date = |text: &str| ClinicalDate(text.into());
        assert_eq!(told, [(Some("Old style"), 1, Some(&date("2020"))), (Some("HbA1c"), 3, Some(&date("2026-12")))]);
        assert_eq!(listed[1].system.as_deref(), Some("http://loinc.org"));
    }
}
