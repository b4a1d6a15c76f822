//! Checking a declared user, or a patient who may have no account.

use super::check::{Check, FHIR_ID, fhir_id, uuid};
use super::check_consent::{ConsentFields, consent};
use super::consent_declaration::ConsentDeclaration;
use super::declaration::{Password, PatientDeclaration, UserDeclaration};
use crate::secrets::passwords;
use crate::secrets::secret::Secret;
use rules::invitations::is_ended_name;
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
    pub organisation: Option<String>,
    /// With the place of each.
    pub consents: Vec<(String, ConsentFields)>,
}

/// The user, if everything about it will do.
pub(crate) fn user(fields: UserFields, at: String, problems: &mut Vec<String>) -> Option<UserDeclaration> {
    let mut check = Check::new(&at, "user", fields.username.as_deref(), problems);
    let form = format!("1 to {NAME_CHARACTERS} characters without spaces");
    let username = check.must("username", fields.username.as_deref(), &form, |text| {
        let fits = (1..=NAME_CHARACTERS).contains(&text.chars().count());
        (fits && !text.contains(|c: char| c.is_whitespace() || c.is_control())).then(|| text.to_lowercase())
    });
    if username.as_deref().is_some_and(is_ended_name) {
        check.note("the name is one of those that accounts have which were ended; choose another");
    }
    let words = "PATIENT, CLINICIAN, TEAMCOORD, ADMIN or PRIVACY_OFFICER";
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
    let patient = check.may("patient", fields.patient.as_deref(), FHIR_ID, fhir_id);
    let teams = teams(&mut check, fields.teams);
    if let Some(other @ (UserType::Admin | UserType::PrivacyOfficer)) = user_type
        && !teams.is_empty()
    {
        let article = if other == UserType::Admin { "an" } else { "a" };
        check.note(&format!("teams is not for {article} {}; leave it out", other.word()));
    }
    match (user_type.map(UserType::is_of_organisation), &fields.organisation) {
        (Some(true), None) => check.note("organisation is missing; a PRIVACY_OFFICER needs the UUID of one"),
        (Some(false), Some(_)) => check.note("organisation is for a PRIVACY_OFFICER only; leave it out"),
        _ => {}
    }
    let organisation = check.may("organisation", fields.organisation.as_deref(), "the UUID of an organisation", uuid);
    if user_type != Some(UserType::Patient) && !fields.consents.is_empty() {
        check.note("consents is for a PATIENT only; leave it out");
    }
    for (_, consent) in &fields.consents {
        if let Some(team) = consent.team.as_ref().filter(|team| teams.iter().any(|own| own.eq_ignore_ascii_case(team)))
        {
            check.note(&format!("team {team} is in teams and in consents; name it in one of the two"));
        }
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
            organisation,
            consents: Vec::new(),
        })
    };
    let declared = declared();
    let declared = check.sound(declared);
    let of = declared.as_ref().and_then(|user| user.patient.as_deref());
    let consents: Vec<ConsentDeclaration> = match of {
        Some(of) => fields.consents.into_iter().filter_map(|(at, one)| consent(Some(of), one, at, problems)).collect(),
        None => Vec::new(),
    };
    declared.map(|user| UserDeclaration { consents, ..user })
}

/// The patient, if everything about them will do.
pub(crate) fn patient(
    id: Option<String>,
    declared: Option<Vec<String>>,
    at: String,
    problems: &mut Vec<String>,
) -> Option<PatientDeclaration> {
    let mut check = Check::new(&at, "patient", id.as_deref(), problems);
    if declared.is_none() {
        check.note("teams is missing; it must be the UUIDs of the teams that have the patient, or empty");
    }
    let (id, teams) = (check.must("id", id.as_deref(), FHIR_ID, fhir_id), teams(&mut check, declared));
    check.sound(id).map(|id| PatientDeclaration { at, id, teams })
}

fn teams(check: &mut Check<'_>, declared: Option<Vec<String>>) -> Vec<String> {
    let declared = declared.unwrap_or_default();
    declared.iter().filter_map(|team| check.must("teams", Some(team), "the UUIDs of teams", uuid)).collect()
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
