//! `pg_read_ratio` and `pg_read_vs_parts`: patients reading their own record through a node on PostgreSQL, beside a bare loop
//! of the same statements, and beside a bare hyper server before such a loop. All three in the same rounds.

use super::ground::Ground;
use super::reads::Reads;
use crate::bare::order::Work;
use crate::bare::postgres_reads::PostgresReads;
use crate::bare::worker;
use crate::http::driver::CONNECTIONS;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;

pub(crate) const RATIO: &str = "pg_read_ratio";
pub(crate) const VS_PARTS: &str = "pg_read_vs_parts";
const GOAL: Goal = Goal::AtLeast(0.6);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    reads: &Reads,
    (url, durability): (&str, &str),
) -> Result<[Figure; 2], Trouble> {
    progress::say(RATIO);
    let statements = PostgresReads::open(url).await?;
    let parts = reads.counterpart(&Work::PostgresRead { url: url.to_owned() }).await?;
    let clients = u32::try_from(CONNECTIONS)?;
    let sides = [Side::Service, Side::Bare, Side::Parts];
    let [service, bare, together] = alternate(ground.plan.rounds, sides, async |side| {
        let window = ground.plan.window();
        if side == Side::Bare {
            return worker::round(window, statements.clients(clients)).await;
        }
        let server = if side == Side::Service { ground.service } else { &parts };
        Ok(server.load(window, reads.walks()).await?.0)
    })
    .await?;
    parts.stop().await?;
    let durability = format!(
        "the answer waits for no write; the ledger of who looked follows within seconds; all sides on one {durability}"
    );
    let vs_bare = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    let vs_parts = Sides { service: &service, other: &together, other_rate: "parts_per_second" };
    Ok([
        Figure::ratio(RATIO, Some(GOAL), vs_bare, durability.clone())
            .with("service_cpu_us", cpu_us(&service))
            .with("service_p99_ms", p99_ms(&service))
            .with("bare_p99_ms", p99_ms(&bare)),
        Figure::ratio(VS_PARTS, None, vs_parts, durability)
            .with("service_cpu_us", cpu_us(&service))
            .with("parts_cpu_us", cpu_us(&together))
            .with("service_p99_ms", p99_ms(&service))
            .with("parts_p99_ms", p99_ms(&together)),
    ])
}
