//! A service on the database that release 0.1.0 wrote: its tokens are good, its records are there, on both engines.

use crate::kit::reply::Reply;
use crate::kit::requests::{fields, form_request, request};
use crate::kit::{LOCAL, place};
use axum::body::Body;
use axum::http::Method;
use serde_json::Value;
use service::app::clock::Clock;
use service::app::config::{Config, Sources};
use service::app::{App, CLOCK_OFFSET};
use service::routes::dispatch::Dispatch;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use store::{Store, settings};
use tempfile::TempDir;
use tokio_postgres::NoTls;

const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/tests/released/0.1.0");
const NORTHMOOR: &str = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01";

/// The service of now on a copy of what was released, at the moment at which its tokens were good.
struct Upgraded {
    dispatch: Arc<Dispatch>,
    _files: TempDir,
}

impl Upgraded {
    async fn on_each_engine() -> [Self; 2] {
        let url = cluster::shared().new_database();
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let statements = std::fs::read_to_string(format!("{RELEASED}/postgres.sql")).unwrap();
        client.batch_execute(&statements).await.unwrap();
        let [directory, beside] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        for name in ["records.sqlite", "sessions.sqlite"] {
            std::fs::copy(format!("{RELEASED}/sqlite/{name}"), directory.path().join(name)).unwrap();
        }
        let embedded = format!("sqlite:{}", directory.path().display());
        [Self::open(&embedded, directory).await, Self::open(&url, beside).await]
    }

    async fn open(database: &str, files: TempDir) -> Self {
        let keys = files.path().join("keys");
        std::fs::copy(format!("{RELEASED}/sqlite/keys"), &keys).unwrap();
        std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o600)).unwrap();
        // Only a sandbox's clock is moved, by what its database says.
        let moved_by = token("at").parse::<i64>().unwrap() - Clock::running(0).now().0;
        let store = Store::open(&place(database), 1).await.unwrap();
        settings::set(&store, CLOCK_OFFSET, moved_by.to_string()).await.unwrap();
        drop(store);
        let app = App::open(&config(database, &keys), true).await.unwrap();
        Self { dispatch: Arc::new(Dispatch::new(app)), _files: files }
    }

    async fn get(&self, access: &str, path: &str) -> Reply {
        let builder = request(Method::GET, path).header("authorization", format!("Bearer {}", token(access)));
        let builder = builder.header("x-org-public-id", NORTHMOOR);
        Reply::read(path, self.dispatch.clone().answer(builder.body(Body::empty()).unwrap(), LOCAL).await).await
    }

    async fn refresh(&self, client: &str, refresh_token: &str) -> Reply {
        let body = fields([("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", refresh_token)]);
        let path = "/apiToken.action";
        Reply::read(path, self.dispatch.clone().answer(form_request(path, &body), LOCAL).await).await
    }
}

fn config(database: &str, keys: &Path) -> Config {
    let (database, keys) = (database.to_owned(), keys.display().to_string());
    let environment = |name: &str| match name {
        "RECORDGATE_DATABASE" => Some(database.clone()),
        "RECORDGATE_KEYS" => Some(keys.clone()),
        _ => None,
    };
    Config::read(&Sources { options: Vec::new(), file: None, environment: &environment, defaults: Vec::new() }).unwrap()
}

/// What the release wrote down under this name.
fn token(name: &str) -> String {
    let all = std::fs::read_to_string(format!("{RELEASED}/tokens.txt")).unwrap();
    let line = all.lines().find_map(|line| line.split_once(" = ").filter(|(known, _)| *known == name));
    line.unwrap_or_else(|| panic!("no {name}")).1.to_owned()
}

#[tokio::test]
async fn access_tokens_of_the_release_before_open_what_they_opened() {
    for service in Upgraded::on_each_engine().await {
        for (access, path) in [
            ("patient_access", "/fhir/Patient/amina-osei"),
            ("rotated_access", "/json/users/self"),
            ("clinician_access", "/fhir/Patient/amina-osei"),
            ("site_access", "/fhir/Patient/amina-osei"),
            ("system_access", "/fhir/Patient/ben-ferrar"),
        ] {
            let reply = service.get(access, path).await;
            assert_eq!(reply.status, 200, "{access} {path}: {}", reply.text());
        }
        service.get("revoked_access", "/fhir/Patient/amina-osei").await.says(401, "API_SESSION_INVALID");
        service.get("clinician_access", "/fhir/Patient/ben-ferrar").await.says(404, "NOT_FOUND");
        service.get("patient_access", "/fhir/Patient/ben-ferrar").await.says(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn refresh_tokens_of_the_release_before_are_used_once_and_a_used_one_is_taken_for_theft() {
    for service in Upgraded::on_each_engine().await {
        for (name, client) in
            [("patient_refresh", "diary"), ("clinician_refresh", "diary"), ("site_refresh", "clinic-link")]
        {
            let renewed = service.refresh(client, &token(name)).await;
            let next = renewed.opened().json()["refresh_token"].as_str().unwrap().to_owned();
            service.refresh(client, &next).await.opened();
        }
        for dead in [token("revoked_refresh"), token("rotated_refresh_used"), token("rotated_refresh")] {
            let refused = service.refresh("diary", &dead).await;
            assert_eq!((refused.status, &refused.json()["error"]), (400, &Value::from("invalid_grant")));
        }
        service.get("rotated_access", "/json/users/self").await.says_in_rest(401, "session has been revoked;");
    }
}

#[tokio::test]
async fn records_of_the_release_before_are_read_found_and_have_their_first_version() {
    for service in Upgraded::on_each_engine().await {
        let note = format!("/fhir/DocumentReference/{}", token("note_id"));
        let letter = "/fhir/DocumentReference/letter-1";
        for (access, path) in [
            ("patient_access", note.as_str()),
            ("clinician_access", &note),
            ("patient_access", letter),
            ("system_access", letter),
            ("patient_access", "/fhir/Patient/amina-osei"),
            ("system_access", "/fhir/Patient/ben-ferrar"),
        ] {
            let now = service.get(access, path).await;
            let first = service.get(access, &format!("{path}/_history/1")).await;
            assert_eq!(first.opened().text(), now.opened().text(), "{access} {path}");
            assert_eq!(first.header("etag"), Some("W/\"1\""));
            let history = service.get(access, &format!("{path}/_history")).await.opened().json();
            assert_eq!(history["entry"].as_array().unwrap().len(), 1);
        }
        let content = service.get("patient_access", "/fhir/Binary/letter-1-content").await;
        assert_eq!(content.opened().text(), "Dear Amina, your appointment is on Tuesday.");
        service.get("patient_access", "/fhir/Binary/scan-1").await.says(404, "NOT_FOUND");
        for (access, search, expected) in [
            ("patient_access", "9990000018", vec!["amina-osei"]),
            ("clinician_access", "https://fhir.nhs.uk/Id/nhs-number%7C9990000018", vec!["amina-osei"]),
            ("clinician_access", "9990000026", vec![]),
            ("system_access", "9990000018,9990000026", vec!["ben-ferrar", "amina-osei"]),
        ] {
            let found = service.get(access, &format!("/fhir/Patient?identifier={search}")).await.found();
            assert_eq!(found, expected, "{access} {search}");
        }
    }
}
