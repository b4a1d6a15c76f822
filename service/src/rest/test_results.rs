//! Tests: which a record has results of, and their results.

use super::answer;
use super::body::{self, pairs};
use super::list::{self, ListAsker};
use crate::callers::api::{RestPatient, RestTeamReader};
use crate::http::call::Call;
use crate::interactions::items::kind::{Criterion, ItemKind, tests};
use crate::interactions::items::record::{self, ItemRecord};
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};
use views::kinds::test_list;
use views::kinds::test_result::{TestResult, test_code};
use views::list::{ListQuery, OwnParameter};

const TEST_IDS: &str = "testIds";
const PATIENT_ID: &str = "patientId";
/// The most tests that a list names.
const MOST_TESTS: usize = 100;

/// `GET /json/tests`.
pub(crate) async fn own(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let record = record::of_session(&call.app, &caller).await?;
    listed(ListAsker::of(&caller, &call), &record).await
}

/// `GET /json/tests/forPatient/{patientId}`.
pub(crate) async fn of_patient(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let record = record::named(&call.app, &caller, &call.part(PATIENT_ID).unwrap_or_default()).await?;
    listed(ListAsker::of(&caller, &call), &record).await
}

async fn listed(asker: ListAsker<'_>, record: &ItemRecord) -> Result<Response, ApiStop> {
    let (query, criteria) = (ListQuery::default(), TestResult::criteria());
    let results = list::page::<TestResult>(asker, record, &query, criteria, |_| true).await?.items;
    answer::json(StatusCode::OK, &test_list::tests(results.iter().map(|result| &result.view)))
}

/// `GET /json/tests/results`.
pub(crate) async fn own_results(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read(&pairs(&call)?, &[OwnParameter::Several(TEST_IDS, MOST_TESTS)])?;
    let record = record::of_session(&call.app, &caller).await?;
    results(ListAsker::of(&caller, &call), &record, &query).await
}

/// `GET /json/tests/results/forPatient/{patientId}`.
pub(crate) async fn results_of(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read(&pairs(&call)?, &[OwnParameter::Several(TEST_IDS, MOST_TESTS)])?;
    let record = record::named(&call.app, &caller, &call.part(PATIENT_ID).unwrap_or_default()).await?;
    results(ListAsker::of(&caller, &call), &record, &query).await
}

/// `GET /json/tests/results/forPatient/byTestIds`: the same, with the patient and the tests in the query.
pub(crate) async fn by_test_ids(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let own = [OwnParameter::Text(PATIENT_ID), OwnParameter::Several(TEST_IDS, MOST_TESTS)];
    let query = ListQuery::read(&pairs(&call)?, &own)?;
    for name in [PATIENT_ID, TEST_IDS] {
        if query.own(name).is_none() {
            let why = ValueFault::Empty.words();
            return Err(RestError::BadRequest(ShapeFault::Parameter { name, why: &why }.words()).into());
        }
    }
    let record = record::named(&call.app, &caller, query.own(PATIENT_ID).unwrap_or_default()).await?;
    results(ListAsker::of(&caller, &call), &record, &query).await
}

async fn results(asker: ListAsker<'_>, record: &ItemRecord, query: &ListQuery) -> Result<Response, ApiStop> {
    let mut criteria: Vec<Vec<Criterion>> = TestResult::criteria();
    if query.own(TEST_IDS).is_some() {
        criteria.iter_mut().for_each(|one| one.push(tests(query.several(TEST_IDS))));
    }
    let is_wanted = |result: &TestResult| query.own(TEST_IDS).is_none() || is_named(query, result);
    list::answered::<TestResult>(asker, record, query, criteria, is_wanted).await
}

/// Whether a result is of a test that the list names, with its system or by its code alone.
fn is_named(query: &ListQuery, result: &TestResult) -> bool {
    let Some(id) = result.test_id.as_deref() else { return false };
    query.several(TEST_IDS).any(|wanted| wanted == id || test_code(id).code.as_deref() == Some(wanted))
}
