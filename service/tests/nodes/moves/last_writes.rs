//! SIGKILL in the one instant in which both databases are refused: the source is marked, the target not yet let go.

use crate::moves::mover::{Engine, Mover};
use crate::terminal::patience::until;
use std::process::Stdio;

const BOTH_WAYS_OUT: [&str; 2] = ["the same move again", "reopening the source"];

#[test]
fn killed_between_its_last_two_writes_a_move_can_be_ended_or_taken_back() {
    for way_out in BOTH_WAYS_OUT {
        let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
        mover.issue();
        half_done(&mover);
        kill_before_the_last_write(&mover);
        let refused = |database: &str| mover.on(database, &["client", "list"]).failed(1);
        assert!(refused(&mover.from).contains("was moved to"), "{way_out}");
        assert!(refused(&mover.to).contains("a move into this database was not finished"), "{way_out}");
        if way_out == BOTH_WAYS_OUT[0] {
            mover.moved();
            assert!(mover.on(&mover.to, &["grant", "list"]).fine().contains("sleep-diary"));
            assert!(refused(&mover.from).contains("was moved to"));
        } else {
            mover.run(&["move", "--reopen", &mover.from]).fine();
            assert!(mover.on(&mover.from, &["grant", "list"]).fine().contains("sleep-diary"));
            assert!(refused(&mover.to).contains("was not finished"));
        }
    }
}

/// Leaves a target behind that is marked and has its tables.
fn half_done(mover: &Mover) {
    mover.moved();
    mover.run(&["move", "--reopen", &mover.from]).fine();
    cluster::ask(&mover.to, "INSERT INTO migrations (name) VALUES ('move/unfinished')");
}

/// Moves while somebody else keeps the target's mark from being taken away, and kills the move once the source is marked.
fn kill_before_the_last_write(mover: &Mover) {
    let to = mover.to.clone();
    let holder = std::thread::spawn(move || {
        let hold = "BEGIN; LOCK TABLE migrations IN SHARE MODE; SELECT pg_sleep(600)";
        // It ends by being terminated, of which psql complains.
        std::panic::catch_unwind(|| cluster::ask(&to, hold)).is_err()
    });
    let held =
        "SELECT count(*) FROM pg_locks WHERE mode = 'ShareLock' AND relation = 'migrations'::regclass AND granted";
    until("somebody else holds the mark", || cluster::ask(&mover.to, held) == "1");
    let mut command = mover.operator.command(&["move", "--from", &mover.from, "--to", &mover.to]);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'migrations'::regclass AND NOT granted";
    until("the move waits for the mark", || {
        cluster::ask(&mover.to, waits) == "1" || process.try_wait().unwrap().is_some()
    });
    process.kill().unwrap();
    process.wait().unwrap();
    // The server would do what a dead process asked for last, had it not been for the lock.
    for who in ["application_name = 'recordgate'", "query LIKE '%pg_sleep%'"] {
        let all = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()";
        cluster::ask(&mover.to, &format!("{all} AND datname = current_database() AND {who}"));
        let left = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()";
        let left = format!("{left} AND datname = current_database() AND {who}");
        until("they are gone", || cluster::ask(&mover.to, &left) == "0");
    }
    assert!(holder.join().unwrap(), "nobody let go before");
}
