//! helios-hfs, a FHIR server in Rust on SQLite: found where its owner installed it, started with HL7's search parameters, and
//! given the people of the bench.

use super::npm;
use crate::figures::record::everybody;
use crate::http::driver::Script;
use crate::http::requests;
use crate::http::response::Response;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use crate::service::child::{Server, free_port, without_settings};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::process::Command;

/// What its package calls the program.
const PROGRAM: &str = "hfs";
const FILES: [(&str, &str); 2] = [
    ("package.json", include_str!("../../peers/helios-hfs/package.json")),
    ("package-lock.json", include_str!("../../peers/helios-hfs/package-lock.json")),
];
/// Under this name it looks for the search parameters.
const PARAMETERS: &str = "search-parameters-r4.json";
/// Longer than it takes to bring in a hundred thousand resources.
const LOADING: Duration = Duration::from_secs(3600);

#[derive(Debug)]
pub(super) struct Helios {
    pub(super) version: String,
    home: PathBuf,
}

impl Helios {
    /// None where it is not installed. Its data will lie in this new folder.
    pub(super) async fn find(home: PathBuf) -> Result<Option<Self>, Trouble> {
        match Command::new(PROGRAM).arg("--version").stdin(Stdio::null()).output().await {
            Ok(output) => Ok(version(&output.stdout).map(|version| Self { version, home })),
            Err(trouble) if trouble.kind() == ErrorKind::NotFound => Ok(None),
            Err(trouble) => Err(trouble.into()),
        }
    }

    /// Without its pages, and without a log, tokens or accounts: as fast as it can be.
    pub(super) async fn serve(&self) -> Result<Server, Trouble> {
        std::fs::create_dir(&self.home)?;
        let package = npm::install("helios-hfs", &FILES).await?.join("node_modules/hl7.fhir.r4.examples");
        std::fs::write(self.home.join(PARAMETERS), parameters(&package)?)?;
        let address = free_port()?;
        let mut command = Command::new(PROGRAM);
        without_settings(&mut command, "HFS_");
        command.env("HFS_UI_ENABLED", "false");
        command.args(["--host", "127.0.0.1", "--port", &address.port().to_string(), "--log-level", "error"]);
        command.arg("--database-url").arg(self.home.join("fhir.db")).arg("--data-dir").arg(&self.home);
        command.current_dir(&self.home).stdout(Stdio::null()).stderr(Stdio::null());
        Server::start(command, address, "/health").await
    }

    /// What its database takes on the disk.
    pub(super) fn data_bytes(&self) -> Result<u64, Trouble> {
        let mut bytes = 0;
        for entry in std::fs::read_dir(&self.home)? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().starts_with(b"fhir.db") {
                bytes += entry.metadata()?.len();
            }
        }
        Ok(bytes)
    }
}

/// The version that it tells of itself; none of another program that is called so.
fn version(told: &[u8]) -> Option<String> {
    let (name, version) = std::str::from_utf8(told).ok()?.trim().split_once(' ')?;
    let version = version.split_whitespace().next()?;
    (name == PROGRAM && version.starts_with(|first: char| first.is_ascii_digit())).then(|| version.to_owned())
}

/// Brings in the same people, a transaction for each; how many resources a second that made.
pub(super) async fn bring_in(server: &Server, least: u32) -> Result<f64, Trouble> {
    let began = Instant::now();
    let window = Window::after(Duration::ZERO, LOADING);
    let (_, admissions) = server.load(window, vec![Admission::new(server.host(), least)]).await?;
    let count: u32 = admissions.iter().map(|admission| admission.count).sum();
    Ok(f64::from(count) / began.elapsed().as_secs_f64())
}

/// Sends the record of one person after the other.
struct Admission {
    host: String,
    people: Box<dyn Iterator<Item = Vec<String>> + Send>,
    /// The request for the next person; none when all have been sent.
    next: Option<Vec<u8>>,
    sent: Vec<u8>,
    count: u32,
}

impl Admission {
    fn new(host: String, least: u32) -> Self {
        let people = Box::new(everybody(least).map(|(_, resources)| resources));
        let mut admission = Self { host, people, next: None, sent: Vec::new(), count: 0 };
        admission.next = admission.prepare();
        admission
    }

    fn prepare(&mut self) -> Option<Vec<u8>> {
        let resources = self.people.next()?;
        self.count += u32::try_from(resources.len()).ok()?;
        Some(requests::create_openly(&self.host, "/", &transaction(&resources)?))
    }
}

impl Script for Admission {
    fn request(&mut self) -> &[u8] {
        self.sent = self.next.take().unwrap_or_default();
        &self.sent
    }

    fn answered(&mut self, _: &Response<'_>) -> Result<(), Trouble> {
        self.next = self.prepare();
        Ok(())
    }

    fn finished(&self) -> bool {
        self.next.is_none()
    }
}

/// A transaction that puts each resource under the id that it has.
fn transaction(resources: &[String]) -> Option<String> {
    let entry = |text: &String| {
        let resource: Value = serde_json::from_str(text).ok()?;
        let member = |name| resource.get(name).and_then(Value::as_str);
        let url = format!("{}/{}", member("resourceType")?, member("id")?);
        Some(json!({ "request": { "method": "PUT", "url": url }, "resource": resource }))
    };
    let entries: Option<Vec<Value>> = resources.iter().map(entry).collect();
    Some(json!({ "resourceType": "Bundle", "type": "transaction", "entry": entries? }).to_string())
}

/// HL7's definitions of search parameters, as one Bundle.
fn parameters(package: &Path) -> Result<String, Trouble> {
    let mut entries = Vec::new();
    for file in std::fs::read_dir(package)? {
        let file = file?;
        if file.file_name().as_encoded_bytes().starts_with(b"SearchParameter-") {
            let resource: Value = serde_json::from_slice(&std::fs::read(file.path())?)?;
            entries.push(json!({ "resource": resource }));
        }
    }
    if entries.is_empty() {
        return Err(format!("{} holds no search parameters", package.display()).into());
    }
    Ok(json!({ "resourceType": "Bundle", "type": "collection", "entry": entries }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_people_are_those_of_the_service_each_under_their_own_ids() {
        let (least, mut count) = (300, 0);
        for (person, resources) in everybody(least) {
            let bundle: Value = serde_json::from_str(&transaction(&resources).unwrap()).unwrap();
            let entries = bundle["entry"].as_array().unwrap();
            assert_eq!(entries[0]["request"]["url"], format!("Patient/{}", person.subject.id));
            assert!(entries.iter().all(|entry| entry["request"]["method"] == "PUT"));
            assert_eq!(entries.len(), resources.len());
            count += entries.len();
        }
        let last = Admission::new(String::new(), least);
        assert!(count >= 300 && !last.finished());
        assert_eq!(Admission::new(String::new(), 0).next, None, "nobody is left to send");
    }

    #[test]
    fn it_is_known_by_the_version_that_it_tells_and_another_program_is_not_taken_for_it() {
        assert_eq!(version(b"hfs 0.2.7 (git 1a2b3c4d5)\n").as_deref(), Some("0.2.7"));
        assert_eq!(version(b"hfs 0.2.7\n").as_deref(), Some("0.2.7"));
        for other in ["", "hfs", "hfs: unknown option --version", "usage: hfs FILE", "hfsutils 3.2"] {
            assert_eq!(version(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn what_has_no_id_is_no_part_of_a_transaction() {
        assert_eq!(transaction(&["{\"resourceType\":\"Patient\"}".to_owned()]), None);
    }
}
