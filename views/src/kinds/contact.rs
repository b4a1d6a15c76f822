//! Ways to reach a person.

use crate::json_object;
use crate::members::words::words;
use crate::tree::said;
use fhir::json::Node;

words! {
    pub enum ContactType {
        Email = "EMAIL",
        Phone = "PHONE",
    }
}

json_object! {
    /// A way to reach a person. Nobody has confirmed one to this service.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Contact {
        "id" => id: String,
        "contactType" => contact_type: ContactType,
        "contactValue" => contact_value: String,
        "phoneUseType" => phone_use_type: Option<String>,
        "primary" => primary: bool,
        "confirmed" => confirmed: bool,
    }
}

/// The contacts among a Patient's telecom. The first of its sort is the primary one.
pub(super) fn all(telecom: &[Node<'_>]) -> Vec<Contact> {
    telecom.iter().enumerate().filter_map(|(at, one)| contact(at, one, telecom)).collect()
}

fn contact(at: usize, one: &Node<'_>, all: &[Node<'_>]) -> Option<Contact> {
    let contact_type = sort(one)?;
    let is_first = all.iter().position(|other| sort(other) == Some(contact_type)) == Some(at);
    Some(Contact {
        id: at.to_string(),
        contact_type,
        contact_value: said(one, "value")?.into(),
        phone_use_type: said(one, "use").filter(|_| contact_type == ContactType::Phone).map(str::to_uppercase),
        primary: is_first,
        confirmed: false,
    })
}

fn sort(contact_point: &Node<'_>) -> Option<ContactType> {
    match said(contact_point, "system")? {
        "email" => Some(ContactType::Email),
        "phone" | "sms" => Some(ContactType::Phone),
        _ => None,
    }
}
