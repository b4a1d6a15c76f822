//! Files of a store that are damaged, missing or something else: told in words, and never taken for whole.

use crate::home::place;
use crate::shelf::prepared;
use crate::world::World;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use store::checks::{self, Fault, Findings};
use store::{Error, backup};

/// Writes rubbish into the middle of a file.
pub fn overwrite(file: &Path, at: u64) {
    let mut file = std::fs::File::options().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[0xa5; 4096]).unwrap();
}

async fn found(directory: &Path) -> Result<(Findings, Vec<String>), Error> {
    let mut faults = Vec::new();
    let mut tell = |check: &'static str, fault: &Fault| faults.push(format!("{check} {}: {}", fault.at, fault.problem));
    let findings = checks::run(&place(directory), Arc::new(prepared), None, &mut tell, &mut |_, _, _| ()).await?;
    Ok((findings, faults))
}

/// A backup of the small world, and the directory that it is in.
async fn copy() -> (tempfile::TempDir, std::path::PathBuf) {
    let w = World::new().await;
    w.connected().await;
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("copy");
    backup::copy(&w.store, &copy, |_, _| {}).unwrap();
    (home, copy)
}

#[tokio::test]
async fn a_backup_is_found_whole_and_nothing_is_added_to_it() {
    let (_home, copy) = copy().await;
    let (findings, faults) = found(&copy).await.unwrap();
    assert_eq!((findings.faults, faults.len()), (0, 0));
    assert!(findings.checked.contains(&("files", 3)));
    assert_eq!(std::fs::read_dir(&copy).unwrap().count(), 3);
}

#[tokio::test]
async fn a_page_of_rubbish_a_file_that_is_no_database_and_one_that_is_missing_are_faults_of_that_file() {
    let rubbish = |file: &Path| overwrite(file, 8192);
    let other = |file: &Path| std::fs::write(file, "this is no database, whatever its name is").unwrap();
    let missing = |file: &Path| std::fs::remove_file(file).unwrap();
    let damages: [&dyn Fn(&Path); 3] = [&rubbish, &other, &missing];
    for damage in damages {
        for name in ["records.sqlite", "sessions.sqlite", "ledger.sqlite"] {
            let (_home, copy) = copy().await;
            damage(&copy.join(name));
            let (findings, faults) = found(&copy).await.unwrap();
            assert!(findings.faults > 0 && faults[0].starts_with(&format!("files {name}: ")), "{faults:?}");
        }
    }
}

#[tokio::test]
async fn a_reference_to_a_row_that_is_not_there_is_a_fault_of_its_file() {
    let (_home, copy) = copy().await;
    crate::home::beside(&copy).execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM organisations").unwrap();
    let (_, faults) = found(&copy).await.unwrap();
    assert!(faults.iter().any(|fault| fault.contains("of teams refers to a row of organisations")), "{faults:?}");
}

#[tokio::test]
async fn what_is_no_store_or_an_earlier_ones_could_not_be_checked_and_is_left_as_it_is() {
    let nothing = tempfile::tempdir().unwrap();
    let said = found(nothing.path()).await.expect_err("there is nothing").to_string();
    assert!(said.contains("there is no data in"), "{said}");
    assert_eq!(std::fs::read_dir(nothing.path()).unwrap().count(), 0);
    let (_home, copy) = copy().await;
    crate::home::beside(&copy).execute_batch("DELETE FROM migrations WHERE name = 'records/0009_hashes'").unwrap();
    let said = found(&copy).await.expect_err("of an earlier release").to_string();
    assert!(said.contains("earlier recordgate"), "{said}");
    crate::home::beside(&copy).execute_batch("INSERT INTO migrations VALUES ('records/9999_later')").unwrap();
    let said = found(&copy).await.expect_err("of a later release").to_string();
    assert!(said.contains("newer recordgate"), "{said}");
}
