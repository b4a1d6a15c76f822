//! Every event as FHIR knows it, and whose deed it was.

use super::*;
use rules::moment::Moment;

fn line(event: Event) -> NamedLine {
    NamedLine {
        id: 1,
        number: 7,
        at: Moment(0),
        event,
        session: None,
        detail: None,
        times: 1,
        right: None,
        operator: None,
        product: None,
        owner: None,
        client: None,
        user: None,
        username: None,
        team: None,
        organisation: None,
        patient: None,
    }
}

fn requestors(event: &Value) -> Vec<&str> {
    let agents = event["agent"].as_array().unwrap().iter();
    agents.filter(|agent| agent["requestor"] == true).filter_map(|agent| agent["who"]["display"].as_str()).collect()
}

#[test]
fn every_event_has_an_action_a_type_and_its_own_word_as_a_subtype() {
    for event in Event::all() {
        let audit = of(&line(event));
        let action = audit["action"].as_str().unwrap();
        assert!(["C", "R", "U", "D", "E"].contains(&action), "{audit}");
        assert!(audit["type"]["code"].is_string() && audit["type"]["system"].is_string(), "{audit}");
        let own = audit["subtype"].as_array().unwrap().last().unwrap();
        assert_eq!((own["system"].as_str(), own["code"].as_str()), (Some(SYSTEM), Some(event.word())));
    }
}

#[test]
fn a_written_resource_is_named_beside_the_patient() {
    let mut written = line(Event::Updated);
    (written.detail, written.patient) = (Some("Observation/o1/_history/2".into()), Some("amina".into()));
    let audit = of(&written);
    assert_eq!((&audit["action"], &audit["subtype"][0]["code"]), (&json!("U"), &json!("update")));
    let named: Vec<&Value> = audit["entity"].as_array().unwrap().iter().map(|e| &e["what"]["reference"]).collect();
    assert_eq!(named, ["Patient/amina", "Observation/o1/_history/2"]);
}

#[test]
fn an_operator_who_acts_on_a_user_is_the_one_who_asked() {
    let mut frozen = line(Event::Frozen);
    frozen.user = Some("Amina Osei".into());
    assert_eq!(requestors(&of(&frozen)), ["Amina Osei"]);
    frozen.operator = Some("anna (1000)".into());
    assert_eq!(requestors(&of(&frozen)), ["anna (1000)"]);
}

#[test]
fn a_question_tells_its_parameters_and_a_refusal_that_it_failed() {
    let mut asked = line(Event::Asked);
    asked.detail = Some("count Observation?code&patient".into());
    let audit = of(&asked);
    assert_eq!(
        (&audit["outcome"], &audit["action"], &audit["subtype"][0]["code"]),
        (&json!("0"), &json!("R"), &json!("search"))
    );
    let details = audit["entity"][0]["detail"].as_array().unwrap();
    let parameters = details.iter().filter(|detail| detail["type"] == "parameter");
    assert_eq!(parameters.map(|detail| &detail["valueString"]).collect::<Vec<_>>(), ["code", "patient"]);
    let mut refused = line(Event::Refused);
    for (detail, action, interaction) in [("read Observation", "R", "read"), ("write Observation", "U", "update")] {
        refused.detail = Some(detail.into());
        let audit = of(&refused);
        assert_eq!((&audit["outcome"], &audit["action"]), (&json!("4"), &json!(action)));
        assert_eq!(audit["subtype"][0]["code"], interaction);
    }
}
