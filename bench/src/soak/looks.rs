//! The looks at each patient's record that the ledger tells of, as the operator's own command tells it.

use crate::measure::trouble::Trouble;
use crate::service::people::patient_id;
use crate::service::recordgate::Recordgate;
use jiff::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::time::SystemTime;

/// How often each patient's record was looked at, by the patient's number.
pub(super) type Looks = HashMap<usize, u64>;

/// The looks between two moments.
pub(super) async fn told(
    service: &Recordgate,
    (since, until): (SystemTime, SystemTime),
    patients: usize,
) -> Result<Looks, Trouble> {
    let (since, until) = (text(since)?, text(until)?);
    let words = ["ledger", "--event", "accessed", "--json", "--since", &since, "--until"];
    let lines = service.run(&words, until).await?;
    let numbers: HashMap<String, usize> = (0..patients).map(|number| (patient_id(number), number)).collect();
    let mut looks = Looks::new();
    for line in lines.lines() {
        let (patient, times) = look(line).ok_or("the ledger told a line that is no look")?;
        let number = numbers.get(&patient).ok_or("the ledger tells of a look at nobody's record")?;
        *looks.entry(*number).or_default() += times;
    }
    Ok(looks)
}

/// Whose record a line tells of, and how many looks.
fn look(line: &str) -> Option<(String, u64)> {
    let line: Value = serde_json::from_str(line).ok()?;
    Some((line.get("patient")?.as_str()?.to_owned(), line.get("times")?.as_str()?.parse().ok()?))
}

fn text(moment: SystemTime) -> Result<String, Trouble> {
    Ok(Timestamp::try_from(moment)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_whose_record_was_looked_at_and_how_often() {
        let line = r#"{"event":"accessed","patient":"amina","times":"12","user":"amina"}"#;
        assert_eq!(look(line), Some(("amina".to_owned(), 12)));
        assert_eq!(look(r#"{"event":"accessed"}"#), None);
    }
}
