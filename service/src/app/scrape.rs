//! What is read only when somebody asks for the metrics: the store, the key ring, the build.

use super::metrics::{Reading, ReadingValue, catalogue};
use super::state::App;
use store::figures::Figures;

/// The text of `/metrics`.
pub async fn text(app: &App) -> String {
    let figures = app.store.figures().await;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let labels = vec![("version", version), ("engine", figures.engine.to_owned())];
    let mut readings = vec![Reading::new(catalogue::BUILD, labels, ReadingValue::Presence)];
    readings.extend(of_store(figures));
    let now = app.clock.now();
    let age = app.keys.changed_at().map(|changed| (now.0 - changed.0).max(0) as f64 / 1000.0);
    readings.extend(age.map(|age| Reading::level(catalogue::KEY_RING_AGE, age)));
    readings.push(Reading::level(catalogue::KEY_RING_KEYS, app.keys.ids().len() as f64));
    readings.push(Reading::level(catalogue::LEDGER_LAG, app.ledger_lag.seconds(now)));
    if let Some(spans) = &app.spans {
        let (exported, lost) = spans.counts();
        for (outcome, count) in [("exported", exported), ("lost", lost)] {
            let labels = vec![("outcome", outcome.to_owned())];
            readings.push(Reading::new(catalogue::SPANS, labels, ReadingValue::Count(count)));
        }
    }
    app.metrics.text(readings)
}

/// The readings of one metric one after the other.
fn of_store(figures: Figures) -> Vec<Reading> {
    let Figures { writes_waiting, groups, writes, pool_waits, memories, sizes, free, .. } = figures;
    let mut readings = vec![Reading::level(catalogue::WRITES_WAITING, writes_waiting as f64)];
    let groups = groups.map(ReadingValue::Numbers);
    readings.extend(groups.map(|groups| Reading::new(catalogue::GROUP_WRITES, Vec::new(), groups)));
    let writes = writes.map(ReadingValue::Seconds);
    readings.extend(writes.map(|writes| Reading::new(catalogue::WRITE_SECONDS, Vec::new(), writes)));
    readings.extend(pool_waits.into_iter().map(|(pool, waits)| {
        Reading::new(catalogue::POOL_WAIT, vec![("pool", pool.to_owned())], ReadingValue::Seconds(waits))
    }));
    for (memory, looks) in memories {
        for (outcome, count) in [("hit", looks.hits), ("miss", looks.misses)] {
            let labels = vec![("memory", memory.to_owned()), ("outcome", outcome.to_owned())];
            readings.push(Reading::new(catalogue::CACHE_LOOKS, labels, ReadingValue::Count(count)));
        }
    }
    readings.extend(sizes.into_iter().map(|(part, bytes)| {
        Reading::new(catalogue::STORE_BYTES, vec![("part", part)], ReadingValue::Level(bytes as f64))
    }));
    readings.extend(free.map(|free| Reading::level(catalogue::FREE_BYTES, free as f64)));
    readings
}
