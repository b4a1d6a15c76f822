//! `mixed_ratio`: the reads again while other clients refresh durably as fast as they can, beside the bare reads alone.

use super::ground::Ground;
use super::reads::Reads;
use crate::http::driver::load;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::machine::Machine;
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, p99_ms, rate};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::sessions::Sessions;

pub(crate) const NAME: &str = "mixed_ratio";
const GOAL: Goal = Goal::AtLeast(0.45);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    (reads, bare): (&Reads, &Server),
    sessions: &mut Sessions,
    machine: &Machine,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let mut chains = ground.chains(&std::mem::take(&mut sessions.of_refreshers_beside_reads));
    let mut refreshes = Vec::new();
    let [service, bare] = alternate(ground.plan.rounds, [Side::Service, Side::Bare], async |side| {
        let window = ground.plan.window();
        if side == Side::Bare {
            return Ok(load(bare.address, window, reads.walks()).await?.0);
        }
        let address = ground.service.address;
        let (read, refresh) = tokio::try_join!(
            load(address, window, reads.walks()),
            load(address, window, std::mem::take(&mut chains)),
        )?;
        refreshes.push(refresh.0);
        chains = refresh.1;
        Ok(read.0)
    })
    .await?;
    let durability = format!("reads wait for no write; refreshes are {}", machine.durability());
    let sides = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok(Figure::ratio(NAME, Some(GOAL), sides, durability)
        .with("read_p99_ms", p99_ms(&service))
        .with("bare_read_p99_ms", p99_ms(&bare))
        .with("refreshes_per_second", rate(&refreshes))
        .with("refresh_p99_ms", p99_ms(&refreshes)))
}
