//! The `[connections]` table: how many there may be, and how much of their answers may lie unread for how long.

use super::layers::Layers;
use crate::app::bounds::ConnectionBounds;
use std::ops::RangeInclusive;
use std::time::Duration;
use store::Place;

const CONNECTIONS: RangeInclusive<usize> = 1..=1_000_000;
const SECONDS: RangeInclusive<usize> = 1..=3600;
const MIB: RangeInclusive<usize> = 1..=65_536;

/// The bounds as the layers have them; `None` where a number of them will not do.
pub(super) fn bounds(layers: &mut Layers) -> Option<ConnectionBounds> {
    let in_all = number(layers, "connections.in_all", "a number", CONNECTIONS);
    let per_address = number(layers, "connections.per_address", "a number", CONNECTIONS);
    let seconds = number(layers, "connections.delivery_seconds", "a number of seconds", SECONDS);
    let unread = number(layers, "connections.unread_mib", "a number of MiB", MIB);
    let per_caller = number(layers, "connections.unread_per_caller_mib", "a number of MiB", MIB);
    Some(ConnectionBounds {
        in_all: in_all?,
        per_address: per_address?,
        delivery: Duration::from_secs(seconds? as u64),
        unread: unread? * 1024 * 1024,
        unread_per_caller: per_caller? * 1024 * 1024,
        ..ConnectionBounds::default()
    })
}

/// Each connection to a database is a file that is opened later, and must find room.
pub(super) fn beside(bounds: ConnectionBounds, database: &Place) -> ConnectionBounds {
    let later = match database {
        Place::Postgres(place) => place.options.read_connections + place.options.write_connections,
        Place::Sqlite(_) => 0,
    };
    ConnectionBounds { other_files: bounds.other_files + later, ..bounds }
}

fn number(layers: &mut Layers, key: &'static str, sort: &str, range: RangeInclusive<usize>) -> Option<usize> {
    let must_be = format!("{sort} from {} to {}", range.start(), range.end());
    layers.value(key, &must_be, |text| text.parse().ok().filter(|number| range.contains(number)))
}
