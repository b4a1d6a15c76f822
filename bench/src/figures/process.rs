//! `start_ms` and `rss_idle_mib`: how soon the service answers, and what it weighs before any load.

use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::tally::median;
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::recordgate::Recordgate;
use std::time::Duration;

const START_GOAL: Goal = Goal::AtMost(150.0);
const MEMORY_GOAL: Goal = Goal::AtMost(40.0);
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
    let start = Figure {
        name: "start_ms",
        value: median(&times),
        goal: Some(START_GOAL),
        details: Vec::new(),
        rounds: times,
        durability: "from exec to the first 200 on /healthz, over the full store after an orderly stop".to_owned(),
    };
    let memory = Figure {
        name: "rss_idle_mib",
        value: resident,
        goal: Some(MEMORY_GOAL),
        details: Vec::new(),
        rounds: vec![resident],
        durability: "the full store is open; nothing was asked of it yet".to_owned(),
    };
    Ok((server, [memory, start]))
}

fn millis(server: &Server) -> f64 {
    server.started_in.as_secs_f64() * 1e3
}
