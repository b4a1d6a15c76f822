//! One run from an empty folder to the report.

use crate::args::Plan;
use crate::figures::reads::Reads;
use crate::figures::{Ground, client_credentials, mixed, process, reads, refreshes};
use crate::machine::Machine;
use crate::others::Watch;
use crate::report::Report;
use crate::scratch::Scratch;
use crate::service::Recordgate;
use crate::{Trouble, peers, progress, table, world};
use std::path::Path;

pub(crate) async fn measure(plan: Plan) -> Result<String, Trouble> {
    if cfg!(debug_assertions) && !plan.quick {
        return Err("an unoptimised build has no figures worth printing: cargo run --release -p bench".into());
    }
    let scratch = Scratch::new()?;
    let outcome = figures(plan, scratch.path()).await;
    progress::done();
    let report = outcome?;
    Ok(if plan.json { report.json() } else { table::of(&report) })
}

async fn figures(plan: Plan, directory: &Path) -> Result<Report, Trouble> {
    let service = Recordgate::find(directory, None)?;
    let machine = Machine::look(directory)?;
    let watch = Watch::begin()?;
    let mut sessions = world::lay(&service, directory, plan.patients).await?;
    let (server, [memory, start]) = process::measure(&service, plan.rounds).await?;
    let ground = Ground { plan, service: &server };
    let reads = Reads::prepare(&server, &mut sessions).await?;
    let mut figures = Vec::new();
    if plan.wants(reads::NAME) {
        figures.push(reads::measure(&ground, &reads).await?);
    }
    if plan.wants(client_credentials::NAME) {
        figures.push(client_credentials::measure(&ground).await?);
    }
    if plan.wants(refreshes::NAME) {
        figures.push(refreshes::measure(&ground, &mut sessions, &machine, directory).await?);
    }
    if plan.wants(mixed::NAME) {
        figures.push(mixed::measure(&ground, &reads, &mut sessions, &machine).await?);
    }
    let rss_after_load_mib = server.resident_mib()?;
    let idle = [memory.value, start.value];
    figures.extend([memory, start]);
    let peers = match plan.peers {
        true => Some(peers::measure(&ground, &reads, &mut sessions, idle).await?),
        false => None,
    };
    reads.bare.stop().await?;
    server.stop().await?;
    Ok(Report { plan, machine, figures, rss_after_load_mib, peers, busy_with_others: watch.share()? })
}
