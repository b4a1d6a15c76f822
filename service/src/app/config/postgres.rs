//! The `[postgres]` table: how many connections a node holds, and how long anyone waits. The defaults are the store's own.

use super::layers::Layers;
use std::ops::RangeInclusive;
use std::time::Duration;
use store::PostgresOptions;

const CONNECTIONS: RangeInclusive<usize> = 1..=1000;
const QUEUE: RangeInclusive<usize> = 1..=1_000_000;
/// PostgreSQL reads 0 as "no limit at all", and a wait without an end is what these settings are there to prevent.
const MILLISECONDS: RangeInclusive<u64> = 10..=600_000;

/// The options as the layers have them; `None` where one of them will not do.
pub(super) fn options(layers: &mut Layers) -> Option<PostgresOptions> {
    let read_connections = count(layers, "postgres.read_connections", CONNECTIONS);
    let write_connections = count(layers, "postgres.write_connections", CONNECTIONS);
    let queue_limit = count(layers, "postgres.queue_limit", QUEUE);
    let connect_timeout = time(layers, "postgres.connect_timeout_ms");
    let wait_timeout = time(layers, "postgres.wait_timeout_ms");
    let statement_timeout = time(layers, "postgres.statement_timeout_ms");
    let least = wait_timeout.zip(statement_timeout).map(|(wait, statement)| wait + statement);
    let answer_within = time(layers, "postgres.answer_within_ms").filter(|within| {
        let too_short = least.filter(|least| within < least);
        if let Some(least) = too_short {
            let least = least.as_millis();
            layers.complain(
                "postgres.answer_within_ms",
                &format!("at least {least}: wait_timeout_ms and statement_timeout_ms together"),
            );
        }
        too_short.is_none()
    });
    Some(PostgresOptions {
        read_connections: read_connections?,
        write_connections: write_connections?,
        queue_limit: queue_limit?,
        connect_timeout: connect_timeout?,
        wait_timeout: wait_timeout?,
        statement_timeout: statement_timeout?,
        answer_within: answer_within?,
    })
}

fn count(layers: &mut Layers, key: &'static str, range: RangeInclusive<usize>) -> Option<usize> {
    let must_be = format!("a number from {} to {}", range.start(), range.end());
    layers.value(key, &must_be, |text| text.parse().ok().filter(|count| range.contains(count)))
}

fn time(layers: &mut Layers, key: &'static str) -> Option<Duration> {
    let must_be = format!("a number of milliseconds from {} to {}", MILLISECONDS.start(), MILLISECONDS.end());
    let read = |text: &str| text.parse().ok().filter(|time| MILLISECONDS.contains(time));
    layers.value(key, &must_be, read).map(Duration::from_millis)
}
