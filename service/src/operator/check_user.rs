//! Checking a declared user.

use super::check::{Check, uuid};
use super::declaration::{Password, UserDeclaration};
use crate::secrets::passwords;
use crate::secrets::secret::Secret;
use fhir::reference;
use rules::limits::NAME_CHARACTERS;
use rules::scope::UserType;

/// A user as a file or the command line spells it.
#[derive(Debug, Default)]
pub(crate) struct UserFields {
    pub username: Option<String>,
    pub password: Option<Secret>,
    pub password_hash: Option<Secret>,
    pub user_type: Option<String>,
    pub name: Option<String>,
    pub patient: Option<String>,
    pub teams: Option<Vec<String>>,
}

/// The user, if everything about it will do.
pub(crate) fn user(fields: UserFields, at: String, problems: &mut Vec<String>) -> Option<UserDeclaration> {
    let mut check = Check::new(&at, "user", fields.username.as_deref(), problems);
    let form = format!("1 to {NAME_CHARACTERS} characters without spaces");
    let username = check.must("username", fields.username.as_deref(), &form, |text| {
        let fits = (1..=NAME_CHARACTERS).contains(&text.chars().count());
        (fits && !text.contains(|c: char| c.is_whitespace() || c.is_control())).then(|| text.to_lowercase())
    });
    let words = "PATIENT, CLINICIAN, TEAMCOORD or ADMIN";
    let user_type = check.must("type", fields.user_type.as_deref(), words, UserType::named);
    let name = check.name("name", fields.name.as_deref());
    match (user_type, &fields.patient) {
        (Some(UserType::Patient), None) => {
            check.note("patient is missing; a PATIENT needs the id of their Patient resource");
        }
        (Some(other), Some(_)) if other != UserType::Patient => {
            check.note(&format!("patient is for a PATIENT only, not for a {}; leave it out", other.word()));
        }
        _ => {}
    }
    let patient = check.may("patient", fields.patient.as_deref(), "a FHIR id: letters, digits, - and .", |text| {
        reference::is_id(text).then(|| text.to_owned())
    });
    let mut teams = Vec::new();
    for team in fields.teams.unwrap_or_default() {
        teams.extend(check.must("teams", Some(&team), "the UUIDs of teams", uuid));
    }
    if user_type == Some(UserType::Admin) && !teams.is_empty() {
        check.note("teams is not for an ADMIN; leave it out");
    }
    let password = password(&mut check, fields.password, fields.password_hash);
    let declared = || {
        Some(UserDeclaration {
            at,
            username: username?,
            password: password?,
            user_type: user_type?,
            name: name?,
            patient,
            teams,
        })
    };
    let declared = declared();
    check.sound(declared)
}

fn password(check: &mut Check<'_>, text: Option<Secret>, hash: Option<Secret>) -> Option<Password> {
    match (text, hash) {
        (Some(_), Some(_)) => {
            check.note("password and password_hash are both there; give one of them");
            None
        }
        // Whether it may be chosen is asked when it is known not to be the stored one: what is in use stays in use.
        (Some(text), None) if !text.reveal().is_empty() => Some(Password::Text(text)),
        (Some(_), None) => {
            check.note("the password is empty");
            None
        }
        (None, Some(hash)) if passwords::is_hash(hash.reveal()) => Some(Password::Hash(hash)),
        (None, Some(_)) => {
            check.note("password_hash must be an argon2id string ($argon2id$v=19$m=…,t=…,p=…$salt$hash)");
            None
        }
        (None, None) => Some(Password::Kept),
    }
}
