//! The title of a letter, for the log of its own patient. That a patient reads their log is no look at the letters in it.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::moment::Moment;
use rules::reach::Reach;
use serde_json::Value;
use store::read as records;

/// As the patient sees it: what is not theirs any more has none.
pub(crate) async fn title(app: &App, own: PatientId, id: &str, now: Moment) -> Result<Option<String>, Trouble> {
    let (reach, of) = (Reach::of_patient(own), ResourceType::DocumentReference);
    let letter = records::read(&app.store, &reach, of, id, now).await.during("reading a letter's title")?;
    Ok(letter.and_then(|letter| words(&letter.body)))
}

/// What a letter is called by whoever wrote it.
fn words(body: &str) -> Option<String> {
    let letter: Value = serde_json::from_str(body).ok()?;
    let titles =
        [letter.get("description"), letter.pointer("/content/0/attachment/title"), letter.pointer("/type/text")];
    titles.into_iter().flatten().filter_map(Value::as_str).find(|title| !title.trim().is_empty()).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_called_by_its_description_or_its_title() {
        let of = |body: &str| words(body);
        assert_eq!(of(r#"{"description":"Scan","content":[{"attachment":{"title":"x"}}]}"#).as_deref(), Some("Scan"));
        assert_eq!(of(r#"{"description":" ","content":[{"attachment":{"title":"x"}}]}"#).as_deref(), Some("x"));
        assert_eq!(of(r#"{"type":{"text":"Discharge"}}"#).as_deref(), Some("Discharge"));
        assert_eq!(of("{}"), None);
    }
}
