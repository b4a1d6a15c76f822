//! Chaos: clients refresh, replay, race and are revoked on several nodes over one PostgreSQL, while nodes and the
//! database are killed and started again at random. Afterwards the history is held to the contract.

use super::client::Client;
use super::dice::Dice;
use super::nodes::Nodes;
use super::operator;
use super::plan::{CLIENTS, ChaosPlan};
use super::report::ChaosReport;
use super::scene::Scene;
use super::schedule::{self, Death};
use crate::measure::progress;
use crate::measure::scratch::Scratch;
use crate::measure::trouble::Trouble;
use crate::postgres::database::Database;
use crate::service::child::Server;
use crate::service::people::{self, APP, RETRYING_APP};
use crate::service::recordgate::Recordgate;
use crate::service::sessions;
use cluster::Stop;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

const PATIENTS: usize = 50;
/// Sessions of each sort of client at the start, and for each second of the run: misdeeds, kills and the operator use
/// them up.
const SESSIONS: (usize, usize) = (100, 25);
/// What a client may need at the end to be answered, with every node and the database back.
const LAST_ANSWERS: Duration = Duration::from_secs(60);

pub(crate) async fn run(plan: &ChaosPlan) -> Result<ChaosReport, Trouble> {
    let scratch = Scratch::new()?;
    progress::say("starting PostgreSQL");
    let database = Database::start(&plan.database).await?;
    let outcome = on(plan, &database, scratch.path()).await;
    progress::done();
    database.remove().await?;
    outcome
}

async fn on(plan: &ChaosPlan, database: &Database, directory: &Path) -> Result<ChaosReport, Trouble> {
    let service = Recordgate::find(directory, Some(&database.url))?;
    let durability = database.durability().await?;
    people::lay(&service, PATIENTS).await?;
    let count = SESSIONS.0 + SESSIONS.1 * usize::try_from(plan.length.as_secs())?;
    let owners: Vec<usize> = (0..count).map(|number| number % PATIENTS).collect();
    let strict = sessions::open(&service, APP, &owners).await?;
    let retrying = sessions::open(&service, RETRYING_APP, &owners).await?;
    let (nodes, servers) = Nodes::start(&service, plan.nodes).await?;
    let scene = Arc::new(Scene::new(nodes, strict, retrying, CLIENTS));
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        let dice = Dice::of(plan.seed, 10_000 + number as u64);
        clients.spawn(Client::new(Arc::clone(&scene), number, dice).live());
    }
    let operator = operator::work(&scene, &service, Dice::of(plan.seed, 9_999));
    let faults = async {
        let suffered = suffer(plan, &scene, &service, servers, database).await;
        scene.end();
        suffered
    };
    let (suffered, ()) = tokio::join!(faults, operator);
    let (servers, deaths) = suffered?;
    progress::say("asking every client once more");
    let last = async {
        while let Some(ended) = clients.join_next().await {
            ended??;
        }
        Ok::<_, Trouble>(())
    };
    timeout(LAST_ANSWERS, last).await.map_err(|_| "the service did not resume: clients are still put off")??;
    for server in servers {
        server.stop().await?;
    }
    Ok(ChaosReport::new(plan, &scene.recorder.take(), deaths, durability))
}

/// Kills and starts again until the time is up; hands over the nodes when all are back, and how often the database died.
async fn suffer(
    plan: &ChaosPlan,
    scene: &Scene,
    service: &Recordgate,
    servers: Vec<Server>,
    database: &Database,
) -> Result<(Vec<Server>, usize), Trouble> {
    let end = Instant::now() + plan.length;
    let with = (service, &scene.recorder, end);
    let nodes = servers.into_iter().enumerate().map(|(place, server)| {
        let faults = schedule::of_node(plan.seed, place);
        scene.nodes.suffer(place, server, faults, with)
    });
    let (servers, deaths, ()) = tokio::join!(
        futures_util::future::try_join_all(nodes),
        kill_database(database, plan.seed, end),
        tell(scene, plan.length, end),
    );
    Ok((servers?, deaths?))
}

/// Only a private server is ours to kill.
async fn kill_database(database: &Database, seed: u64, end: Instant) -> Result<usize, Trouble> {
    let mut deaths = 0;
    for fault in schedule::of_database(seed).take_while(|_| database.is_private()) {
        if Instant::now() + fault.after >= end {
            break;
        }
        sleep(fault.after).await;
        let how = match fault.what {
            Death::Immediate => Stop::Crash,
            Death::Kill => Stop::Kill,
        };
        database.stop(how).await?;
        sleep(fault.away).await;
        database.start_again().await?;
        deaths += 1;
    }
    Ok(deaths)
}

/// Says how far it is, until the time is up.
async fn tell(scene: &Scene, length: Duration, end: Instant) {
    while Instant::now() < end {
        let (left, calls) = (end.duration_since(Instant::now()), scene.recorder.calls());
        progress::say(&format!("chaos: {} s of {} s left, {calls} requests", left.as_secs(), length.as_secs()));
        sleep(Duration::from_millis(500).min(left)).await;
    }
}
