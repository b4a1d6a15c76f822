//! One run from an empty folder to the report.

use crate::args::Plan;
use crate::bare_postgres::BarePostgres;
use crate::database::Database;
use crate::figures::reads::Reads;
use crate::figures::{Ground, client_credentials, mixed, pg_reads, pg_refreshes, process, reads, refreshes};
use crate::machine::Machine;
use crate::others::Watch;
use crate::report::Report;
use crate::scratch::Scratch;
use crate::service::Recordgate;
use crate::{Trouble, peers, progress, table, world};
use std::path::Path;

/// The figures that need a PostgreSQL.
const ON_POSTGRES: [&str; 2] = [pg_reads::NAME, pg_refreshes::NAME];

pub(crate) async fn measure(plan: Plan) -> Result<String, Trouble> {
    if cfg!(debug_assertions) && !plan.quick {
        return Err("an unoptimised build has no figures worth printing: cargo run --release -p bench".into());
    }
    if plan.only.is_some_and(|only| ON_POSTGRES.contains(&only) != plan.database.is_some()) {
        return Err("this figure is of the other engine: pg_… are measured with --database, the others without".into());
    }
    let scratch = Scratch::new()?;
    let outcome = match &plan.database {
        None => figures(plan.clone(), scratch.path()).await,
        Some(wanted) => {
            progress::say("starting PostgreSQL");
            let database = Database::start(wanted).await?;
            let outcome = figures_on_postgres(plan.clone(), &database, scratch.path()).await;
            database.remove().await?;
            outcome
        }
    };
    progress::done();
    let report = outcome?;
    Ok(if plan.json { report.json() } else { table::of(&report) })
}

async fn figures_on_postgres(plan: Plan, database: &Database, directory: &Path) -> Result<Report, Trouble> {
    let service = Recordgate::find(directory, Some(&database.url))?;
    let machine = Machine::look(directory)?;
    let watch = Watch::begin()?;
    let durability = database.durability().await?;
    let mut sessions = world::lay(&service, directory, plan.patients).await?;
    let (server, [memory, start]) = process::measure(&service, plan.rounds).await?;
    let ground = Ground { plan: &plan, service: &server };
    let reads = Reads::prepare(&server, &mut sessions).await?;
    let bare = BarePostgres::open(&database.url).await?;
    let mut figures = Vec::new();
    if plan.wants(pg_reads::NAME) {
        figures.push(pg_reads::measure(&ground, &reads, &bare, &durability).await?);
    }
    if plan.wants(pg_refreshes::NAME) {
        figures.push(pg_refreshes::measure(&ground, &mut sessions, &bare, &durability).await?);
    }
    let rss_after_load_mib = server.resident_mib()?;
    figures.extend([memory, start]);
    reads.bare.stop().await?;
    server.stop().await?;
    Ok(Report { plan, machine, figures, rss_after_load_mib, peers: None, busy_with_others: watch.share()? })
}

async fn figures(plan: Plan, directory: &Path) -> Result<Report, Trouble> {
    let service = Recordgate::find(directory, None)?;
    let machine = Machine::look(directory)?;
    let watch = Watch::begin()?;
    let mut sessions = world::lay(&service, directory, plan.patients).await?;
    let (server, [memory, start]) = process::measure(&service, plan.rounds).await?;
    let ground = Ground { plan: &plan, service: &server };
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
