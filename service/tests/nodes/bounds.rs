//! The bounds that an operator sets on a node's use of the database, as they show from outside.

use crate::fleet::Fleet;
use crate::terminal::patience::{PATIENCE, until};
use crate::terminal::program::Program;
use std::sync::mpsc;

/// One write on its way and one waiting; all patience is longer than the test.
const ONE_AND_ONE: [(&str, &str); 7] = [
    ("RECORDGATE_POSTGRES_READ_CONNECTIONS", "8"),
    ("RECORDGATE_POSTGRES_WRITE_CONNECTIONS", "1"),
    ("RECORDGATE_POSTGRES_QUEUE_LIMIT", "1"),
    ("RECORDGATE_POSTGRES_CONNECT_TIMEOUT_MS", "60000"),
    ("RECORDGATE_POSTGRES_WAIT_TIMEOUT_MS", "120000"),
    ("RECORDGATE_POSTGRES_STATEMENT_TIMEOUT_MS", "120000"),
    ("RECORDGATE_POSTGRES_ANSWER_WITHIN_MS", "300000"),
];

/// Keeps everybody from deciding about sessions, until there is a line in the table `let_go`; not for ever, so that a
/// test that fails ends.
const HOLD: &str = "DO $$ BEGIN
    LOCK TABLE sessions IN EXCLUSIVE MODE;
    FOR i IN 1..6000 LOOP EXIT WHEN EXISTS (SELECT FROM let_go); PERFORM pg_sleep(0.01); END LOOP;
END $$";
const HELD: &str = "SELECT count(*) > 0 FROM pg_locks
    WHERE relation = CAST('sessions' AS regclass) AND mode = 'ExclusiveLock' AND granted";

/// Answers to refreshes with these tokens, sent all at once, as they come: the status, and whether it says when to
/// try again.
fn refreshed(node: &Program, tokens: &[String], heard: impl FnOnce(mpsc::Receiver<(u16, bool)>)) {
    let (say, answers) = mpsc::channel();
    std::thread::scope(|scope| {
        for token in tokens {
            let say = say.clone();
            scope.spawn(move || {
                let answer = node.refresh(token);
                say.send((answer.status, answer.headers.contains_key("retry-after"))).unwrap();
            });
        }
        drop(say);
        heard(answers);
    });
}

#[test]
fn with_a_pool_of_one_and_a_queue_of_one_the_third_write_is_turned_away_at_once_and_the_first_waits_as_long_as_it_may()
{
    let fleet = Fleet::start();
    let node = fleet.node_with(&ONE_AND_ONE);
    let tokens: Vec<String> = (0..8).map(|_| fleet.issue("amina").1).collect();
    fleet.sql("CREATE TABLE let_go (now INTEGER)");
    std::thread::scope(|scope| {
        scope.spawn(|| fleet.sql(HOLD));
        until("the table is locked", || fleet.sql(HELD) == "t");
        refreshed(&node, &tokens, |answers| {
            for _ in 0..tokens.len() - 2 {
                assert_eq!(answers.recv_timeout(PATIENCE).unwrap(), (503, true));
            }
            // Longer than a statement may take by default, the silence that is granted on top of it included.
            fleet.sql("SELECT pg_sleep(3)");
            fleet.sql("INSERT INTO let_go VALUES (1)");
            let rest: Vec<_> = (0..2).map(|_| answers.recv_timeout(PATIENCE).unwrap()).collect();
            assert!(rest.contains(&(200, false)), "{rest:?}");
        });
    });
}
