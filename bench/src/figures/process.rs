//! `start_ms` and `rss_idle_mib`: how soon the service answers, and what it weighs before any load.

use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::tally::median;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::recordgate::Recordgate;
use std::time::Duration;

const START_GOAL: Goal = Goal::AtMost(15.0);
const MEMORY_GOAL: Goal = Goal::AtMost(28.0);
/// Whatever a fresh process does in the background, it has done by then.
const SETTLING: Duration = Duration::from_secs(1);

/// Starts the service over the full store several times, and hands over the last one, still running.
pub(crate) async fn measure(service: &Recordgate, starts: usize) -> Result<(Server, [Figure; 2]), Trouble> {
    progress::say("start_ms, rss_idle_mib");
    let mut server = service.serve().await?;
    let mut times = vec![millis(&server)];
    for _ in 1..starts {
        server.stop().await?;
        server = service.serve().await?;
        times.push(millis(&server));
    }
    tokio::time::sleep(SETTLING).await;
    let resident = server.resident_mib()?;
    let how = "from exec to the first 200 on /healthz, over the full store after an orderly stop";
    let start = Figure::of("start_ms", median(&times), Some(START_GOAL), how.to_owned());
    let start = Figure { rounds: times, ..start };
    let how = "the full store is open; nothing was asked of it yet";
    let memory = Figure::of("rss_idle_mib", resident, Some(MEMORY_GOAL), how.to_owned());
    Ok((server, [memory, start]))
}

fn millis(server: &Server) -> f64 {
    server.started_in.as_secs_f64() * 1e3
}
