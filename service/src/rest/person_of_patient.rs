//! A patient as a user of the custom REST API, from their Patient resource.

use crate::rest::national_ids;
use crate::rest::person::{Contact, ContactType, Person};
use fhir::human_name::preferred;
use rules::scope::Scope;
use serde_json::Value;
use store::people::User;

impl Person {
    /// A patient; what the resource does not say stays null. Without a resource only the account's name is known.
    pub fn patient(id: &str, user: &User, body: Option<&str>) -> Self {
        let resource: Value = body.and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
        let name = preferred(list(&resource, "name"));
        let address = list(&resource, "address").first().unwrap_or(&Value::Null);
        let line = |at: usize| list(address, "line").get(at).and_then(Value::as_str).map(String::from);
        let telecom = list(&resource, "telecom");
        let contacts: Vec<Contact> =
            telecom.iter().enumerate().filter_map(|(at, one)| contact(at, one, telecom)).collect();
        let first_of = |kind: ContactType| {
            contacts.iter().find(|contact| contact.contact_type == kind).map(|contact| contact.contact_value.clone())
        };
        let (gender, gender_mf) = gender(&resource);
        let mut person = Self::default().named(if name.is_null() { &user.name } else { "" });
        if !name.is_null() {
            person.title = words(name, "prefix");
            person.first_name = words(name, "given");
            person.last_name = text(name, "family");
        }
        Self {
            id: Some(id.into()),
            user_type: Some(Scope::Patient.word()),
            dob: text(&resource, "birthDate"),
            date_deceased: text(&resource, "deceasedDateTime"),
            gender,
            gender_mf,
            email: first_of(ContactType::Email),
            phone: first_of(ContactType::Phone),
            address1: line(0),
            address2: line(1),
            city: text(address, "city"),
            state: text(address, "state"),
            postal_code: text(address, "postalCode"),
            country: text(address, "country"),
            national_ids: national_ids::among(list(&resource, "identifier")),
            contacts,
            patient: true,
            ..person
        }
    }
}

/// Sex at birth in one letter, and in small where it is male or female. What is not said is unknown.
fn gender(resource: &Value) -> (Option<&'static str>, Option<&'static str>) {
    match resource.get("gender").and_then(Value::as_str) {
        Some("male") => (Some("M"), Some("m")),
        Some("female") => (Some("F"), Some("f")),
        Some("other") => (Some("I"), None),
        _ => (Some("U"), None),
    }
}

fn contact(at: usize, one: &Value, all: &[Value]) -> Option<Contact> {
    let system = kind(one)?;
    let is_first = all.iter().position(|other| kind(other) == Some(system)) == Some(at);
    Some(Contact {
        id: (at + 1).to_string(),
        contact_type: system,
        contact_value: text(one, "value")?,
        phone_use_type: text(one, "use").filter(|_| system == ContactType::Phone).map(|used| used.to_uppercase()),
        primary: is_first,
        confirmed: false,
    })
}

fn kind(contact_point: &Value) -> Option<ContactType> {
    match contact_point.get("system")?.as_str()? {
        "email" => Some(ContactType::Email),
        "phone" | "sms" => Some(ContactType::Phone),
        _ => None,
    }
}

fn list<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value, member: &str) -> Option<String> {
    value.get(member).and_then(Value::as_str).map(String::from)
}

fn words(value: &Value, member: &str) -> Option<String> {
    let words: Vec<&str> = list(value, member).iter().filter_map(Value::as_str).collect();
    Some(words.join(" ")).filter(|words| !words.is_empty())
}
