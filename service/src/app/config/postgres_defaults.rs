//! The `[postgres]` table as the defaults have it: the store's own numbers.

use store::PostgresOptions;

/// The table as a file holds it, with the store's defaults.
pub(super) fn defaults() -> String {
    let PostgresOptions {
        read_connections,
        write_connections,
        queue_limit,
        connect_timeout,
        wait_timeout,
        statement_timeout,
        answer_within,
    } = PostgresOptions::default();
    let [connect, wait, statement, answer] =
        [connect_timeout, wait_timeout, statement_timeout, answer_within].map(|time| time.as_millis());
    format!(
        "# Only with database = \"postgres://…\".
[postgres]
# Connections that reads share, each with many reads under way at once.
read_connections = {read_connections}
# Connections for writes, one transaction each at a time.
write_connections = {write_connections}
# Writes that may wait for a connection, and reads that may be under way on one. Whoever comes on top of that is turned
# away at once, with 503 and Retry-After.
queue_limit = {queue_limit}
# For one host to let us in. A connect_timeout in the URL goes before it.
connect_timeout_ms = {connect}
# For a free connection, made anew if need be. After that, 503.
wait_timeout_ms = {wait}
# For one statement, waiting for locks included; the server keeps it. After that, 503.
statement_timeout_ms = {statement}
# For the whole of a call, finding out about a lost commit included: at least the two waits above together.
answer_within_ms = {answer}
"
    )
}
