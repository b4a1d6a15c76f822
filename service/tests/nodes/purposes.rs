//! The service and the sandbox keep off each other's data, on both engines.

use crate::moves::mover::{DIRECTIONS, Engine, Mover};
use crate::terminal::program::Program;

const LISTEN: [&str; 2] = ["--listen", "127.0.0.1:0"];
const SANDBOXS: &str = "this is a sandbox's database: its passwords and secrets are published";
const SERVED: &str = "this database has been served: its data may be real";

impl Mover {
    /// What is said of a start that is refused.
    fn refused(&self, how: &str, database: &str) -> String {
        self.on(database, &[&[how], &LISTEN[..]].concat()).failed(1)
    }

    /// A start with an option that says that it is done knowingly.
    fn knowingly(&self, how: &str, option: &str, database: &str) -> Program {
        let arguments = [&[how, option], &LISTEN[..], &["--database", database]].concat();
        Program::start(self.operator.command(&arguments), self.operator.path(&format!("log-{how}-knowingly")))
    }
}

#[test]
fn what_was_served_is_no_sandbox_unless_one_says_so() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mover = Mover::new([engine, engine]);
        drop(mover.serve(&mover.from));
        let said = mover.refused("sandbox", &mover.from);
        assert!(said.contains(SERVED) && said.contains("--accept-real-data"), "{engine:?}: {said}");
        let sandbox = mover.knowingly("sandbox", "--accept-real-data", &mover.from);
        assert_eq!(sandbox.get("/sandbox/clock", &[]).status, 200);
        drop(sandbox);
        assert!(mover.refused("sandbox", &mover.from).contains(SERVED), "it is asked for every time");
        drop(mover.serve(&mover.from));
    }
}

#[test]
fn a_sandbox_is_not_served_unless_one_says_so() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mover = Mover::new([engine, engine]);
        // The ring in the working directory is the other database's.
        let _where_there_is_one = std::fs::remove_file(mover.operator.path("recordgate-keys"));
        drop(mover.sandbox(&mover.to));
        let said = mover.refused("serve", &mover.to);
        assert!(said.contains(SANDBOXS) && said.contains("--accept-sandbox-data"), "{engine:?}: {said}");
        let served = mover.knowingly("serve", "--accept-sandbox-data", &mover.to);
        assert_eq!(served.get("/sandbox/clock", &[]).status, 404);
        drop(served);
        assert!(mover.refused("serve", &mover.to).contains(SANDBOXS), "it is asked for every time");
        drop(mover.sandbox(&mover.to));
    }
}

#[test]
fn what_was_only_applied_is_still_free() {
    for how in ["serve", "sandbox"] {
        let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
        mover.import(1);
        drop(mover.operator.start(how, &mover.from, &[]));
        drop(mover.operator.start(how, &mover.from, &[]));
    }
}

#[test]
fn a_database_that_has_sessions_of_a_release_that_made_no_marks_is_taken_for_real() {
    let mover = Mover::new([Engine::Postgres, Engine::Sqlite]);
    mover.issue();
    assert!(mover.refused("sandbox", &mover.from).contains(SERVED));
    drop(mover.serve(&mover.from));
}

#[test]
fn a_sandbox_of_a_release_that_made_no_marks_is_taken_for_one() {
    let mover = Mover::new([Engine::Postgres, Engine::Sqlite]);
    drop(mover.sandbox(&mover.from));
    cluster::ask(&mover.from, "DELETE FROM settings WHERE name = 'purpose'");
    cluster::ask(&mover.from, "INSERT INTO settings (name, value) VALUES ('sandbox-world', 'loaded')");
    assert!(mover.refused("serve", &mover.from).contains(SANDBOXS));
}

#[test]
fn an_empty_database_that_was_served_gets_no_published_passwords() {
    let mover = Mover::new([Engine::Postgres, Engine::Sqlite]);
    drop(mover.serve(&mover.to));
    drop(mover.knowingly("sandbox", "--accept-real-data", &mover.to));
    assert_eq!(mover.on(&mover.to, &["user", "list", "--json"]).json().as_array().unwrap().len(), 0);
}

#[test]
fn a_move_and_a_backup_carry_the_mark() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        drop(mover.sandbox(&mover.from));
        mover.moved();
        assert!(mover.refused("serve", &mover.to).contains(SANDBOXS), "{direction:?}");
    }
    let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
    drop(mover.sandbox(&mover.from));
    mover.on(&mover.from, &["backup", "--to", "copy"]).fine();
    std::fs::copy(mover.operator.path("from/keys"), mover.operator.path("copy/keys")).unwrap();
    assert!(mover.refused("serve", "sqlite:copy").contains(SANDBOXS));
}
