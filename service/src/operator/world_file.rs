//! Reading the files of `recordgate apply`: everything wrong with any of them, told at once with file and line.

use super::check::{Check, uuid};
use super::check_client::{self, ClientFields};
use super::check_consent::ConsentFields;
use super::check_label;
use super::check_user::{self, UserFields};
use super::declaration::{
    Declaration, GrantDeclaration, OrganisationDeclaration, TeamDeclaration, TeamSettingsDeclaration,
};
use crate::formats::toml_table::{TomlFile, TomlTable};
use crate::secrets::secret::Secret;
use rules::clients::ClientIds;
use rules::invitations::FurtherProof;
use rules::labels::Label;
use std::collections::HashMap;

/// Reads all files as one declaration.
pub fn read(files: &[(String, String)]) -> Result<Declaration, Vec<String>> {
    let mut declared = Declaration::default();
    let mut problems = Vec::new();
    for (name, text) in files {
        let mut file = TomlFile::new(name, text);
        let mut found = Vec::new();
        read_file(&mut file, &mut declared, &mut found);
        problems.extend(file.into_problems());
        problems.extend(found);
    }
    twice(&declared, &mut problems);
    if problems.is_empty() { Ok(declared) } else { Err(problems) }
}

fn read_file(file: &mut TomlFile<'_>, declared: &mut Declaration, problems: &mut Vec<String>) {
    let mut top = file.top();
    for mut table in top.tables(file, "organisation") {
        let (public_id, name) = (table.text(file, "public_id"), table.text(file, "name"));
        let mut invitation = table.table(file, "invitation");
        let proof = invitation.text(file, "proof");
        invitation.finish(file);
        let default_label = table.text(file, "default_label");
        let at = finish(file, table);
        let fields = OrganisationFields { public_id, name, proof, default_label };
        declared.organisations.extend(organisation(fields, at, problems));
    }
    for mut table in top.tables(file, "team") {
        let fields = TeamFields {
            public_id: table.text(file, "public_id"),
            name: table.text(file, "name"),
            organisation: table.text(file, "organisation"),
            default_label: table.text(file, "default_label"),
            default_access: table.texts(file, "default_access"),
            break_glass: table.flag(file, "break_glass"),
        };
        let at = finish(file, table);
        declared.teams.extend(team(fields, at, problems));
    }
    for mut table in top.tables(file, "user") {
        let fields = UserFields {
            username: table.text(file, "username"),
            password: table.text(file, "password").map(Secret::new),
            password_hash: table.text(file, "password_hash").map(Secret::new),
            user_type: table.text(file, "type"),
            name: table.text(file, "name"),
            patient: table.text(file, "patient"),
            teams: table.texts(file, "teams"),
            organisation: table.text(file, "organisation"),
            consents: table.tables(file, "consents").into_iter().map(|consent| consent_fields(file, consent)).collect(),
        };
        let at = finish(file, table);
        declared.users.extend(check_user::user(fields, at, problems));
    }
    for mut table in top.tables(file, "patient") {
        let (id, teams) = (table.text(file, "id"), table.texts(file, "teams"));
        let at = finish(file, table);
        declared.patients.extend(check_user::patient(id, teams, at, problems));
    }
    for mut table in top.tables(file, "client") {
        let fields = client_fields(file, &mut table);
        let at = finish(file, table);
        declared.clients.extend(check_client::client(fields, at, problems));
    }
    for mut table in top.tables(file, "organisation_grant") {
        let (organisation, client) = (table.text(file, "organisation"), table.text(file, "client"));
        let terms = (table.text(file, "client_ids"), table.texts(file, "through"));
        let at = finish(file, table);
        declared.organisation_grants.extend(organisation_grant((organisation, client), terms, at, problems));
    }
    top.finish(file);
}

/// A consent under its patient, with its place.
fn consent_fields(file: &mut TomlFile<'_>, mut table: TomlTable<'_>) -> (String, ConsentFields) {
    let fields = ConsentFields {
        team: table.text(file, "team"),
        carer: table.text(file, "carer"),
        professional: table.text(file, "professional"),
        labels: table.texts(file, "labels"),
        basis: table.text(file, "basis"),
        reason: table.text(file, "reason"),
        reason_text: table.text(file, "reason_text"),
        manages: table.flag(file, "manages"),
        ends_at: table.text(file, "ends_at"),
        discharged: None,
        locked: None,
    };
    (finish(file, table), fields)
}

fn client_fields(file: &mut TomlFile<'_>, table: &mut TomlTable<'_>) -> ClientFields {
    ClientFields {
        client_id: table.text(file, "client_id"),
        kind: table.text(file, "kind"),
        owner: table.text(file, "owner"),
        product: table.text(file, "product"),
        redirect_uris: table.texts(file, "redirect_uris"),
        scopes: table.texts(file, "scopes"),
        secret: table.text(file, "secret").map(Secret::new),
        jwks: table.text(file, "jwks"),
        jwks_url: table.text(file, "jwks_url"),
        session: table.text(file, "session"),
        access_token: table.text(file, "access_token"),
        refresh_tokens: table.flag(file, "refresh_tokens"),
        require_pkce: table.flag(file, "require_pkce"),
        refresh_retry_seconds: table.number(file, "refresh_retry_seconds"),
        scope_echo: table.text(file, "scope_echo"),
        redirect_extra_query: table.flag(file, "redirect_extra_query"),
        may_introspect: table.flag(file, "may_introspect"),
        user_types: table.texts(file, "user_types"),
        id_token_signed_response_alg: table.text(file, "id_token_signed_response_alg"),
        sector: table.text(file, "sector"),
        default_organisation: table.text(file, "default_organisation"),
        require_par: table.flag(file, "require_par"),
        dpop_bound_access_tokens: table.flag(file, "dpop_bound_access_tokens"),
        pkce: table.text(file, "pkce"),
        launch_url: table.text(file, "launch_url"),
        post_logout_redirect_uris: table.texts(file, "post_logout_redirect_uris"),
    }
}

/// Complains of what was not asked for in a table, and gives its place.
fn finish(file: &mut TomlFile<'_>, table: TomlTable<'_>) -> String {
    let at = file.place(table.at());
    table.finish(file);
    at
}

/// An organisation as a file or the command line spells it.
#[derive(Debug, Default)]
pub(crate) struct OrganisationFields {
    pub public_id: Option<String>,
    pub name: Option<String>,
    pub proof: Option<String>,
    pub default_label: Option<String>,
}

/// A team as a file or the command line spells it.
#[derive(Debug, Default)]
pub(crate) struct TeamFields {
    pub public_id: Option<String>,
    pub organisation: Option<String>,
    pub name: Option<String>,
    pub default_label: Option<String>,
    pub default_access: Option<Vec<String>>,
    pub break_glass: Option<bool>,
}

pub(crate) fn organisation(
    fields: OrganisationFields,
    at: String,
    problems: &mut Vec<String>,
) -> Option<OrganisationDeclaration> {
    let OrganisationFields { public_id, name, proof, default_label } = fields;
    let mut check = Check::new(&at, "organisation", name.as_deref().or(public_id.as_deref()), problems);
    let (public_id, name) = (check.uuid("public_id", public_id.as_deref()), check.name("name", name.as_deref()));
    let invitation_proof = check.may("invitation.proof", proof.as_deref(), "none or paper", FurtherProof::named);
    let words = format!("{} or none", check_label::WORDS);
    let default_label = check.may("default_label", default_label.as_deref(), &words, Label::default_named);
    let all = check.sound(public_id.zip(name));
    all.map(|(public_id, name)| OrganisationDeclaration { at, public_id, name, invitation_proof, default_label })
}

pub(crate) fn team(fields: TeamFields, at: String, problems: &mut Vec<String>) -> Option<TeamDeclaration> {
    let TeamFields { public_id, organisation, name, .. } = fields;
    let mut check = Check::new(&at, "team", name.as_deref().or(public_id.as_deref()), problems);
    let public_id = check.uuid("public_id", public_id.as_deref());
    let organisation = check.uuid("organisation", organisation.as_deref());
    let name = check.name("name", name.as_deref());
    let settings = TeamSettingsDeclaration {
        default_label: check.may("default_label", fields.default_label.as_deref(), check_label::WORDS, Label::named),
        default_access: check_label::labels(&mut check, "default_access", fields.default_access.as_deref()),
        break_glass: fields.break_glass,
    };
    let all = check.sound(public_id.zip(organisation).zip(name));
    all.map(|((public_id, organisation), name)| TeamDeclaration { at, public_id, organisation, name, settings })
}

pub(crate) fn organisation_grant(
    (organisation, client): (Option<String>, Option<String>),
    (client_ids, through): (Option<String>, Option<Vec<String>>),
    at: String,
    problems: &mut Vec<String>,
) -> Option<GrantDeclaration> {
    let mut check = Check::new(&at, "organisation_grant", None, problems);
    let organisation = check.uuid("organisation", organisation.as_deref());
    let client = check.id("client", client.as_deref());
    let client_ids = check.may("client_ids", client_ids.as_deref(), "uuid or any", ClientIds::named);
    let through: Option<Vec<String>> = through.map(|teams| {
        teams.iter().filter_map(|team| check.must("through", Some(team), "the UUIDs of teams", uuid)).collect()
    });
    let all = check.sound(organisation.zip(client));
    all.map(|(organisation, client)| GrantDeclaration { at, organisation, client, client_ids, through })
}

/// What is declared twice could be meant only once; which one, nobody can tell.
fn twice(declared: &Declaration, problems: &mut Vec<String>) {
    let organisations = declared.organisations.iter().map(|o| ("organisation", o.public_id.as_str(), &o.at));
    let teams = declared.teams.iter().map(|t| ("team", t.public_id.as_str(), &t.at));
    let users = declared.users.iter().map(|u| ("user", u.username.as_str(), &u.at));
    let clients = declared.clients.iter().map(|c| ("client", c.client_id.as_str(), &c.at));
    let patients = declared.patients.iter().map(|p| ("patient", p.id.as_str(), &p.at));
    let mut first = HashMap::new();
    for (what, name, at) in organisations.chain(teams).chain(users).chain(clients).chain(patients) {
        if let Some(earlier) = first.insert((what, name), at) {
            problems.push(format!("{at}: {what} {name}: is declared at {earlier} already"));
        }
    }
    for user in &declared.users {
        if let Some(earlier) = user.patient.as_ref().and_then(|patient| first.get(&("patient", patient.as_str()))) {
            let (at, name) = (&user.at, &user.username);
            problems
                .push(format!("{at}: user {name}: has the patient of {earlier}; declare the teams in one of the two"));
        }
    }
}
