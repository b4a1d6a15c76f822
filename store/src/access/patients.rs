//! Patients: each has a number of ours, whether or not there is a Patient resource or an account yet.

use super::sessions;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, list_of_texts, statements};
use crate::store::Store;
use rules::consent::state::PatientState;
use rules::ids::{PatientId, UserId};
use rules::moment::Moment;

statements! {
    NUMBER = "SELECT id FROM patients WHERE fhir_id = $1";
    NEW = "INSERT INTO patients (id, fhir_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    FHIR_ID = "SELECT fhir_id FROM patients WHERE id = $1";
    NUMBERS = "SELECT p.id FROM patients p JOIN json_each($1) l ON p.fhir_id = l.value ORDER BY p.id";
    HOLD = "SELECT id FROM patients WHERE id = $1";
    SET_DECEASED = "UPDATE patients SET deceased = $2 WHERE id = $1 AND deceased <> $2";
    ACCOUNTS = "SELECT id FROM users WHERE patient_id = $1";
    STATE = "SELECT id, frozen_at, sharing_disabled_at, deceased FROM patients WHERE id = $1";
}

/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[HOLD];

/// The id of the Patient of this number.
pub async fn fhir_id(store: &Store, number: PatientId) -> Result<Option<String>> {
    store.db.read_one(FHIR_ID, args![number], |row| row.text(0)).await
}

/// The number of the patient of this FHIR id, if we have ever heard of them.
pub async fn find(store: &Store, fhir_id: &str) -> Result<Option<PatientId>> {
    store.db.read_one(NUMBER, args![fhir_id], |row| row.id(0)).await
}

/// The numbers of those of these patients of whom we have ever heard.
pub async fn find_some(store: &Store, fhir_ids: &[&str]) -> Result<Vec<PatientId>> {
    let list = list_of_texts(fhir_ids.iter().copied());
    store.db.page(NUMBERS, args![&list], |row| row.id(0)).await
}

/// The states of a record. When its patient was born says the Patient resource, which whoever needs to know it reads.
pub async fn state(store: &Store, patient: PatientId) -> Result<Option<PatientState>> {
    store.db.read_one(STATE, args![patient], state_row).await
}

/// The same, as a transaction sees it.
pub(crate) async fn load_state(tx: &mut Tx<'_>, patient: PatientId) -> Result<Option<PatientState>> {
    tx.query_one(STATE, args![patient], state_row).await
}

pub(crate) fn state_row(row: &dyn Row) -> Result<PatientState> {
    let (frozen, sharing_disabled) = (row.opt_int(1)?.is_some(), row.opt_int(2)?.is_some());
    Ok(PatientState { id: row.id(0)?, frozen, sharing_disabled, deceased: row.flag(3)?, born: None })
}

/// The number of the patient of this FHIR id, as a transaction sees it.
pub(crate) async fn load_number(tx: &mut Tx<'_>, fhir_id: &str) -> Result<Option<PatientId>> {
    tx.query_one(NUMBER, args![fhir_id], |row| row.id(0)).await
}

/// The number of the patient of this FHIR id, made if need be.
pub(crate) async fn number(tx: &mut Tx<'_>, ids: &Ids, fhir_id: &str, now: Moment) -> Result<PatientId> {
    number_as(tx, PatientId(ids.next(now)), fhir_id).await
}

/// The number of the patient of this FHIR id: from now on the one that is wanted, if there was none.
pub(crate) async fn number_as(tx: &mut Tx<'_>, wanted: PatientId, fhir_id: &str) -> Result<PatientId> {
    loop {
        if let Some(number) = tx.query_one(NUMBER, args![fhir_id], |row| row.id(0)).await? {
            return Ok(number);
        }
        // Another node may be as quick; then the patient is looked up again.
        tx.execute(NEW, args![wanted, fhir_id]).await?;
    }
}

/// Notes whether the patient has died. What is remembered of sessions of the patient's own account is forgotten.
pub(crate) async fn set_deceased(tx: &mut Tx<'_>, patient: PatientId, deceased: bool) -> Result<()> {
    if tx.execute(SET_DECEASED, args![patient, deceased]).await? == 0 {
        return Ok(());
    }
    tx.touch(|touched| touched.sight.push(patient));
    forget_accounts(tx, patient).await
}

/// Forgets what is remembered of sessions of the patient's own account.
pub(crate) async fn forget_accounts(tx: &mut Tx<'_>, patient: PatientId) -> Result<()> {
    let accounts: Vec<UserId> = tx.query(ACCOUNTS, args![patient], |row| row.id(0)).await?;
    for account in accounts {
        tx.touch(|touched| {
            touched.users.insert(account);
        });
        sessions::forget_user(tx, account);
    }
    Ok(())
}

/// Lets nobody else decide about this patient until the transaction has ended.
pub(crate) async fn hold(tx: &mut Tx<'_>, patient: PatientId) -> Result<()> {
    tx.lock_one(HOLD, args![patient], |_| Ok(())).await.map(|_| ())
}
