//! The list of checks, and running them one after the other.

use super::examination::{Examination, Progress, Tell};
use super::fault::Fault;
use super::{chain, contents, derivation, extraction, files, hashes, past};
use crate::error::Result;
use crate::ledger::Notary;
use crate::place::Place;
use crate::store::Store;
use crate::upkeep::reindex::Reader;
use futures_util::future::BoxFuture;

/// One check: what it is called, what it holds to what, and how.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub name: &'static str,
    pub about: &'static str,
    subject: CheckSubject,
}

#[derive(Clone, Copy, Debug)]
enum CheckSubject {
    /// The files of an embedded store; a server looks after its own.
    Files(fn(&mut Examination<'_>) -> Result<()>),
    Rows(for<'x, 'e> fn(&'x mut Examination<'e>, &'x Store) -> BoxFuture<'x, Result<()>>),
}

/// Every check, in the order in which they are made. A new one is a file and a line here.
pub const CHECKS: [Check; 7] = [
    Check {
        name: "files",
        about: "each file by SQLite's own check, and every reference from row to row",
        subject: CheckSubject::Files(files::examine),
    },
    Check {
        name: "records",
        about: "every resource by its hashes",
        subject: CheckSubject::Rows(|examination, store| Box::pin(hashes::examine(examination, store))),
    },
    Check {
        name: "versions",
        about: "every past version by its hash",
        subject: CheckSubject::Rows(|examination, store| Box::pin(past::examine(examination, store))),
    },
    Check {
        name: "contents",
        about: "every piece of every Binary's content by its hash",
        subject: CheckSubject::Rows(|examination, store| Box::pin(contents::examine(examination, store))),
    },
    Check {
        name: "index",
        about: "labels, compartments and index of every resource against what its body says",
        subject: CheckSubject::Rows(|examination, store| Box::pin(extraction::examine(examination, store))),
    },
    Check {
        name: "sight",
        about: "who sees which patient against what it follows from",
        subject: CheckSubject::Rows(|examination, store| Box::pin(derivation::examine(examination, store))),
    },
    Check {
        name: "ledger",
        about: "every line by the hash of the one before and by whom it is found, and every closed month by its root",
        subject: CheckSubject::Rows(|examination, store| Box::pin(chain::examine(examination, store))),
    },
];

/// What an examination came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    pub faults: u64,
    /// Each check that was made, with how many things it looked at.
    pub checked: Vec<(&'static str, u64)>,
}

/// Looks at the store in `place`, beside whoever may be at work in it. An error: it could not be checked.
pub async fn run<'e>(
    place: &'e Place,
    reader: Reader,
    notary: Option<&'e dyn Notary>,
    tell: Tell<'e>,
    progress: Progress<'e>,
) -> Result<Findings> {
    let mut examination = Examination { place, reader, notary, check: "", done: 0, all: 0, faults: 0, tell, progress };
    let mut checked = Vec::new();
    let mut store = None;
    for check in CHECKS {
        examination.begin(check.name);
        let made = match check.subject {
            CheckSubject::Files(_) if place.directory().is_none() => continue,
            CheckSubject::Files(examine) => examine(&mut examination),
            CheckSubject::Rows(examine) => match opened(&examination, &mut store).await {
                Ok(store) => examine(&mut examination, store).await,
                Err(error) => Err(error),
            },
        };
        match made {
            Ok(()) => checked.push((check.name, examination.done)),
            // Where files are damaged already, what cannot be read is a part of that.
            Err(error) if examination.faults > 0 => {
                examination.tell(&Fault::new("", format!("the check went no further: {error}")));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Findings { faults: examination.faults, checked })
}

async fn opened<'s>(examination: &Examination<'_>, store: &'s mut Option<Store>) -> Result<&'s Store> {
    match store {
        Some(store) => Ok(store),
        None => Ok(store.insert(examination.open().await?)),
    }
}
