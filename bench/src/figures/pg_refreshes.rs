//! `pg_refresh_ratio`: clients that refresh durably through a node on PostgreSQL, beside a bare loop of the same statements
//! in the same transactions.

use super::ground::Ground;
use crate::bare::postgres_refreshes::PostgresRefreshes;
use crate::bare::worker;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::people::APP;
use crate::service::sessions::{REFRESHERS, Sessions};

pub(crate) const NAME: &str = "pg_refresh_ratio";
const GOAL: Goal = Goal::AtLeast(0.6);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    sessions: &mut Sessions,
    (url, durability): (&str, &str),
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let statements = PostgresRefreshes::open(url, APP).await?;
    let mut chains = ground.chains(&std::mem::take(&mut sessions.of_refreshers));
    let [service, bare] = alternate(ground.plan.rounds, [Side::Service, Side::Bare], async |side| {
        if side == Side::Bare {
            let clients = statements.clients(REFRESHERS);
            return worker::round(ground.plan.window(), clients).await;
        }
        let (tally, back) = ground.service.load(ground.plan.window(), std::mem::take(&mut chains)).await?;
        chains = back;
        Ok(tally)
    })
    .await?;
    let durability = format!("answered after the commit; both sides on one {durability}");
    let sides = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok(Figure::ratio(NAME, Some(GOAL), sides, durability)
        .with("service_cpu_us", cpu_us(&service))
        .with("service_p99_ms", p99_ms(&service))
        .with("bare_p99_ms", p99_ms(&bare)))
}
