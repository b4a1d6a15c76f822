//! A store with a record: invented people with years of care, imported by the operator's own command, and a System Client who
//! asks for them.

use super::client_credentials;
use crate::http::requests;
use crate::http::scripts::member;
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people;
use crate::service::recordgate::{Recordgate, Weight};
use ::people::{Person, Population};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

/// Decides who the people are; the same in every run, so that runs can be compared.
const SEED: u64 = 11;
const YEARS: i64 = 8;

#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) service: Recordgate,
    pub(crate) people: Vec<Somebody>,
    /// How many resources there are, and what it took to import them.
    pub(crate) count: f64,
    pub(crate) weight: Weight,
}

/// One of the people, as searches name them.
#[derive(Debug)]
pub(crate) struct Somebody {
    pub(crate) id: String,
    pub(crate) identifier: String,
}

/// What is asked about one of them, by its path.
pub(crate) type Question = fn(&Somebody) -> String;

impl Record {
    /// How many resources the figures of a record are measured with.
    pub(crate) const fn least(quick: bool) -> u32 {
        if quick { 2_000 } else { 100_000 }
    }

    /// In an embedded store of its own, in a new folder of this name.
    pub(crate) async fn lay(directory: &Path, name: &str, least: u32) -> Result<Self, Trouble> {
        let home = directory.join(name);
        std::fs::create_dir(&home)?;
        let service = Recordgate::find(&home, None)?;
        people::lay_organisation(&service).await?;
        Self::import(service, &home, least).await
    }

    /// Has the command import as many people as it takes.
    pub(crate) async fn import(service: Recordgate, home: &Path, least: u32) -> Result<Self, Trouble> {
        progress::say("inventing people");
        let file = home.join("people.ndjson");
        let (people, count) = write(&file, least)?;
        progress::say("importing the records of people");
        let words = ["import", "--organisation", people::ORGANISATION, "--team", people::TEAM];
        let weight = service.weigh(&words, &file).await?;
        std::fs::remove_file(&file)?;
        Ok(Self { service, people, count: f64::from(count), weight })
    }

    /// A request for each of the people, by the System Client for its organisation.
    pub(crate) async fn requests(
        &self,
        server: &Server,
        path: impl Fn(&Somebody) -> String,
    ) -> Result<Arc<[Vec<u8>]>, Trouble> {
        let (host, token) = (server.host(), token(server).await?);
        let request = |somebody: &Somebody| requests::read_for(&host, &path(somebody), &token, people::ORGANISATION);
        Ok(self.people.iter().map(request).collect())
    }
}

/// A System Client's token, just issued.
pub(crate) async fn token(server: &Server) -> Result<String, Trouble> {
    let (_, answer) = server.sample(&client_credentials::request(&server.host())).await?;
    Ok(member(&answer, "access_token")?.to_owned())
}

/// The people of a store with at least so many resources, each with all of theirs as JSON texts; the same people in every run.
pub(crate) fn everybody(least: u32) -> impl Iterator<Item = (Person, Vec<String>)> + Send {
    let mut before = 0;
    Population::of(SEED, "Bench Team").map_while(move |person| {
        let resources: Vec<String> = (before < least as usize).then(|| person.resources(YEARS).collect())?;
        before += resources.len();
        Some((person, resources))
    })
}

/// Writes the records of people, one resource in a line; who they are, and how many lines there are.
fn write(path: &Path, least: u32) -> Result<(Vec<Somebody>, u32), Trouble> {
    let (mut file, mut people, mut count) = (BufWriter::new(File::create(path)?), Vec::new(), 0);
    for (person, resources) in everybody(least) {
        for resource in resources {
            writeln!(file, "{resource}")?;
            count += 1;
        }
        people.push(Somebody { id: person.subject.id, identifier: person.identifier });
    }
    file.flush()?;
    Ok((people, count))
}
