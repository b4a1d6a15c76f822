//! Grantees by the ids and the names that others know them by.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, list_of_texts, statements};
use crate::store::Store;
use rules::consent::record::Grantee;
use rules::ids::{TeamId, UserId};
use rules::scope::UserType;
use std::collections::{BTreeSet, HashMap};

statements! {
    TEAMS = "SELECT id, public_id, name FROM teams WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    PEOPLE = "SELECT u.id, p.fhir_id, u.name FROM users u LEFT JOIN patients p ON p.id = u.patient_id
        WHERE u.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))";
    ACCOUNT = "SELECT u.id FROM users u WHERE u.patient_id = (SELECT p.id FROM patients p WHERE p.fhir_id = $1)
        AND u.type = 'PATIENT' ORDER BY u.id LIMIT 1";
    ACCOUNTS = "SELECT u.username, u.id, u.type, p.fhir_id FROM users u LEFT JOIN patients p ON p.id = u.patient_id
        WHERE u.username IN (SELECT value FROM json_each($1))";
}

/// How a grantee is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGrantee {
    /// The public id of a team, the number of a professional, the id of a carer's own Patient.
    pub id: String,
    pub name: String,
}

/// What each of these is called.
pub async fn named(store: &Store, grantees: &[Grantee]) -> Result<HashMap<Grantee, KnownGrantee>> {
    let teams = grantees.iter().filter_map(|grantee| match grantee {
        Grantee::Team(team) => Some(team.0),
        Grantee::Professional(_) | Grantee::Carer(_) => None,
    });
    let people = grantees.iter().filter_map(|grantee| match grantee {
        Grantee::Professional(user) | Grantee::Carer(user) => Some(user.0),
        Grantee::Team(_) => None,
    });
    let (teams, people) = (list(teams), list(people));
    let row = |row: &dyn Row| Ok((row.int(0)?, row.opt_text(1)?, row.text(2)?));
    let mut named = HashMap::new();
    for (id, public_id, name) in store.db.page(TEAMS, args![&teams], row).await? {
        named.insert(Grantee::Team(TeamId(id)), KnownGrantee { id: public_id.unwrap_or_default(), name });
    }
    for (number, patient, name) in store.db.page(PEOPLE, args![&people], row).await? {
        let user = UserId(number);
        let id = number.to_string();
        named.insert(Grantee::Professional(user), KnownGrantee { id: id.clone(), name: name.clone() });
        named.insert(Grantee::Carer(user), KnownGrantee { id: patient.unwrap_or(id), name });
    }
    Ok(named)
}

/// The account of the patient of this FHIR id.
pub async fn account_of(store: &Store, patient: &str) -> Result<Option<UserId>> {
    store.db.read_one(ACCOUNT, args![patient], |row| row.id(0)).await
}

/// An account, as it is told of in the custom REST API.
#[derive(Clone, Debug)]
pub struct AccountName {
    pub user: UserId,
    pub user_type: UserType,
    /// The FHIR id of their own Patient.
    pub patient: Option<String>,
}

/// The accounts of these user names.
pub async fn accounts(store: &Store, usernames: &[&str]) -> Result<HashMap<String, AccountName>> {
    let usernames: BTreeSet<&str> = usernames.iter().copied().collect();
    let row = |row: &dyn Row| {
        let account =
            AccountName { user: row.id(1)?, user_type: row.word(2, UserType::named)?, patient: row.opt_text(3)? };
        Ok((row.text(0)?, account))
    };
    let found = store.db.page(ACCOUNTS, args![&list_of_texts(usernames)], row).await?;
    Ok(found.into_iter().collect())
}
