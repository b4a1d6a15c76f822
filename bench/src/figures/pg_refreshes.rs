//! `pg_refresh_ratio`: clients that refresh durably through a node on PostgreSQL, beside a bare loop of the same statements
//! in the same transactions.

use super::refreshes::chains;
use super::{Figure, Goal, Ground};
use crate::bare_postgres::{BarePostgres, Journey};
use crate::rounds::{alternate, cpu_us, p99_ms};
use crate::world::{REFRESHERS, Sessions};
use crate::{Trouble, progress};
use std::sync::Arc;

pub(crate) const NAME: &str = "pg_refresh_ratio";
const GOAL: Goal = Goal::AtLeast(0.5);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    sessions: &mut Sessions,
    bare: &Arc<BarePostgres>,
    durability: &str,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let mut chains = chains(ground, &std::mem::take(&mut sessions.refreshing));
    let plan = ground.plan;
    let rounds = alternate(
        plan.rounds,
        async || {
            let (tally, back) = ground.service.load(ground.window(), std::mem::take(&mut chains)).await?;
            chains = back;
            Ok(tally)
        },
        async || bare.round(Journey::Refresh, REFRESHERS, plan.warm_up(), plan.length).await,
    )
    .await?;
    let durability = format!("answered after the commit; both sides on one {durability}");
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability)
        .with("service_cpu_us", cpu_us(&rounds.ours))
        .with("service_p99_ms", p99_ms(&rounds.ours))
        .with("bare_p99_ms", p99_ms(&rounds.theirs)))
}
