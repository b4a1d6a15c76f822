//! One run from an empty folder to the report.

use crate::bare::order::Work;
use crate::figures::ground::Ground;
use crate::figures::plan::Plan;
use crate::figures::reads::Reads;
use crate::figures::record::Record;
use crate::figures::{
    client_credentials, clinician_reads, consent_changes, creates, custom_rest, growth, imports, mixed, neighbours,
    pg_reads, pg_refreshes, process, read_ratio, refreshes, searches, worst_bodies, worst_stall,
};
use crate::measure::figure::Figure;
use crate::measure::machine::Machine;
use crate::measure::processor_time::Watch;
use crate::measure::progress;
use crate::measure::scratch::Scratch;
use crate::measure::trouble::Trouble;
use crate::peers;
use crate::peers::records::FhirPeer;
use crate::postgres::database::Database;
use crate::report::summary::Summary;
use crate::report::{json, table};
use crate::service::recordgate::Recordgate;
use crate::service::sessions;
use std::path::Path;

/// The figures that need a PostgreSQL.
const ON_POSTGRES: [&str; 4] = [pg_reads::RATIO, pg_reads::VS_PARTS, pg_refreshes::NAME, imports::PG_RATE];

/// The figures of a store with a record of its own.
const OF_A_RECORD: [&str; 12] = [
    imports::RATE,
    imports::DISK,
    imports::MEMORY,
    searches::NAME,
    searches::IDENTIFIER,
    creates::NAME,
    custom_rest::LIST,
    custom_rest::SEARCH,
    custom_rest::CREATE,
    neighbours::NAME,
    neighbours::BARE,
    worst_bodies::NAME,
];

pub(crate) async fn measure(plan: Plan) -> Result<String, Trouble> {
    if cfg!(debug_assertions) && !plan.quick {
        return Err("an unoptimised build has no figures worth printing: cargo run --profile dist -p bench".into());
    }
    if plan.only.is_some_and(|only| ON_POSTGRES.contains(&only) != plan.database.is_some()) {
        return Err("this figure is of the other engine: pg_… are measured with --database, the others without".into());
    }
    let scratch = Scratch::new()?;
    let outcome = match &plan.database {
        None => figures(plan.clone(), scratch.path()).await,
        Some(place) => {
            progress::say("starting PostgreSQL");
            let database = Database::start(place).await?;
            let outcome = figures_on_postgres(plan.clone(), &database, scratch.path()).await;
            database.remove().await?;
            outcome
        }
    };
    progress::done();
    let summary = outcome?;
    Ok(if plan.json { json::of(&summary) } else { table::of(&summary) })
}

async fn figures_on_postgres(plan: Plan, database: &Database, directory: &Path) -> Result<Summary, Trouble> {
    let service = Recordgate::find(directory, Some(&database.url))?;
    let profile = service.profile().to_owned();
    let machine = Machine::look(directory)?;
    let watch = Watch::begin()?;
    let durability = database.durability().await?;
    let mut sessions = sessions::lay(&service, plan.patients).await?;
    let (server, [memory, start]) = process::measure(&service, plan.rounds).await?;
    let ground = Ground { plan: &plan, service: &server };
    let reads = Reads::prepare(&server, &mut sessions).await?;
    let place = (database.url.as_str(), durability.as_str());
    let mut figures = Vec::new();
    if plan.wants(&[pg_reads::RATIO, pg_reads::VS_PARTS]) {
        figures.extend(pg_reads::measure(&ground, &reads, place).await?);
    }
    if plan.wants(&[pg_refreshes::NAME]) {
        figures.push(pg_refreshes::measure(&ground, &mut sessions, place).await?);
    }
    let rss_after_load_mib = server.resident_mib()?;
    server.stop().await?;
    if plan.wants(&[imports::PG_RATE]) {
        figures.push(imports::measure_on_postgres(service, directory, plan.quick, &durability).await?);
    }
    figures.extend([memory, start]);
    Ok(Summary {
        plan,
        profile,
        machine,
        figures,
        rss_after_load_mib,
        peers: None,
        fhir_peer: None,
        busy_with_others: watch.share()?,
    })
}

/// Those of a store that has a record, and what it comes to beside another FHIR server.
async fn figures_of_a_record(plan: &Plan, directory: &Path) -> Result<(Vec<Figure>, Option<FhirPeer>), Trouble> {
    let record = Record::lay(directory, "record", Record::least(plan.quick)).await?;
    let imported = imports::figures(&record)?;
    let [_, disk, _] = &imported;
    let disk = disk.value;
    let mut figures = Vec::from(imported);
    let server = record.service.serve().await?;
    figures.extend(searches::measure(plan, &record, &server).await?);
    figures.extend(custom_rest::measure(plan, &record, &server).await?);
    // The last without a peer, because it fills the store with Observations that nobody asks for.
    if plan.wants(&[creates::NAME]) {
        figures.push(creates::measure(plan, &record, &server).await?);
    }
    let peer = match plan.peers {
        true => Some(peers::records::measure(plan, (&record, disk), &server, directory).await?),
        false => None,
    };
    server.stop().await?;
    // Each with a process of its own: what they leave behind is measured by nobody else.
    if plan.wants(&[worst_bodies::NAME]) {
        figures.push(worst_bodies::measure(plan, &record).await?);
    }
    if plan.wants(&[neighbours::NAME, neighbours::BARE]) {
        figures.extend(neighbours::measure(plan, &record).await?);
    }
    Ok((figures, peer))
}

async fn figures(plan: Plan, directory: &Path) -> Result<Summary, Trouble> {
    let service = Recordgate::find(directory, None)?;
    let machine = Machine::look(directory)?;
    let watch = Watch::begin()?;
    let mut sessions = sessions::lay(&service, plan.patients).await?;
    let (server, [memory, start]) = process::measure(&service, plan.rounds).await?;
    let ground = Ground { plan: &plan, service: &server };
    let reads = Reads::prepare(&server, &mut sessions).await?;
    let bare = reads.counterpart(&Work::Nothing).await?;
    let mut figures = Vec::new();
    // The first, because the ledger has most to do after reads, and would do it beside them.
    if plan.wants(&[refreshes::VS_PARTS, refreshes::RATIO]) {
        let place = (directory, service.sessions_page_bytes()?);
        figures.extend(refreshes::measure(&ground, &mut sessions, &machine, place).await?);
    }
    if plan.wants(&[read_ratio::NAME]) {
        figures.push(read_ratio::measure(&ground, &reads, &bare).await?);
    }
    if plan.wants(&[clinician_reads::NAME]) {
        figures.push(clinician_reads::measure(&ground, &service).await?);
    }
    if plan.wants(&[client_credentials::NAME]) {
        figures.push(client_credentials::measure(&ground).await?);
    }
    if plan.wants(&[mixed::NAME]) {
        figures.push(mixed::measure(&ground, (&reads, &bare), &mut sessions, &machine).await?);
    }
    let rss_after_load_mib = server.resident_mib()?;
    let idle = [memory.value, start.value];
    let peers = match plan.peers {
        true => Some(peers::run::measure(&ground, &reads, &mut sessions, idle).await?),
        false => None,
    };
    // The last of this process, because it fills the store with sessions that nobody uses.
    if plan.wants(&[worst_stall::NAME]) {
        figures.push(worst_stall::measure(&ground, &service, &reads, &machine).await?);
    }
    server.stop().await?;
    if plan.wants(&[read_ratio::BEFORE_ANSWER]) {
        figures.push(read_ratio::measure_before_answer(&service, &plan, (&reads, &bare)).await?);
    }
    bare.stop().await?;
    let mut fhir_peer = None;
    if plan.wants(&OF_A_RECORD) {
        let (of_a_record, peer) = figures_of_a_record(&plan, directory).await?;
        figures.extend(of_a_record);
        fhir_peer = peer;
    }
    if plan.wants(&[consent_changes::NAME]) {
        figures.push(consent_changes::measure(&plan, directory).await?);
    }
    if plan.growth || plan.only == Some(growth::READ) {
        figures.extend(growth::measure(&plan, directory).await?);
    }
    figures.extend([memory, start]);
    let (profile, busy_with_others) = (service.profile().to_owned(), watch.share()?);
    Ok(Summary { plan, profile, machine, figures, rss_after_load_mib, peers, fhir_peer, busy_with_others })
}
