//! One soak from an empty folder to the report: rounds on one store, each judged when it is over.

use super::crowd;
use super::lives::{Begun, Keeper, Life};
use super::nuisances::{self, DEAF, SLOW, STORMING};
use super::plan::SoakPlan;
use super::report::SoakReport;
use crate::chaos::client::Client;
use crate::chaos::dice::Dice;
use crate::chaos::history::record::History;
use crate::chaos::nodes::Nodes;
use crate::chaos::operator;
use crate::chaos::scene::Scene;
use crate::measure::machine::Machine;
use crate::measure::progress;
use crate::measure::scratch::Scratch;
use crate::measure::trouble::Trouble;
use crate::measure::wall_clock;
use crate::service::people::{self, APP, RETRYING_APP};
use crate::service::recordgate::Recordgate;
use crate::service::sessions;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

const PATIENTS: usize = 50;
/// Clients that refresh, read and search, and what they wait between two steps, in milliseconds: a soak is long, not fast.
const CLIENTS: usize = 24;
const PAUSES: (u64, u64) = (5, 40);
const SYSTEMS: usize = 4;
const SIGNERS: usize = 3;
/// Sessions of each sort of client at the start, and for each second: misdeeds, kills and the operator use them up.
const SESSIONS: (usize, usize) = (100, 20);
/// What everybody may need at the end to be answered.
const LAST_ANSWERS: Duration = Duration::from_secs(60);

pub(crate) async fn run(plan: &SoakPlan) -> Result<SoakReport, Trouble> {
    let scratch = Scratch::new()?;
    let service = Recordgate::find(scratch.path(), None)?;
    let machine = Machine::look(scratch.path())?;
    people::lay(&service, PATIENTS).await?;
    people::lay_signers(&service, SIGNERS).await?;
    let mut report = SoakReport::new(plan, machine.durability());
    for (number, length) in plan.rounds().into_iter().enumerate() {
        // Another seed for each round, or all rounds would be the same.
        let seed = plan.seed.wrapping_add(number as u64);
        let (history, lives) = round(&service, length, seed).await?;
        report.add(&history, lives);
    }
    progress::done();
    Ok(report)
}

async fn round(service: &Recordgate, length: Duration, seed: u64) -> Result<(History, Vec<Life>), Trouble> {
    let count = SESSIONS.0 + SESSIONS.1 * usize::try_from(length.as_secs())?;
    let owners: Vec<usize> = (0..count).map(|number| number % PATIENTS).collect();
    let strict = sessions::open(service, APP, &owners).await?;
    let retrying = sessions::open(service, RETRYING_APP, &owners).await?;
    let since = wall_clock::now();
    let (nodes, servers) = Nodes::start(service, 1).await?;
    let server = servers.into_iter().next().ok_or("there is no service")?;
    let first = Begun::new(server, since)?;
    let scene = Arc::new(Scene::new(nodes, strict, retrying, CLIENTS));
    let mut honest = honest(&scene, seed);
    let mut nuisances = nuisances(&scene, seed);
    let keeper = Keeper { scene: &scene, service, patients: PATIENTS };
    let end = Instant::now() + length;
    let faults = async {
        let suffered = keeper.suffer(first, seed, end).await;
        scene.end();
        suffered
    };
    let operator = operator::work(&scene, service, Dice::of(seed, 9_999));
    let (suffered, (), ()) = tokio::join!(faults, operator, tell(&scene, length, end));
    let (mut lives, last) = suffered?;
    progress::say("asking everybody once more");
    let ends = async {
        while let Some(ended) = honest.join_next().await {
            ended??;
        }
        while let Some(ended) = nuisances.join_next().await {
            ended?;
        }
        Ok::<_, Trouble>(())
    };
    timeout(LAST_ANSWERS, ends).await.map_err(|_| "the service did not resume: clients are still put off")??;
    lives.push(keeper.stop(last).await?);
    Ok((scene.recorder.take(), lives))
}

fn honest(scene: &Arc<Scene>, seed: u64) -> JoinSet<Result<(), Trouble>> {
    let dice = |number: usize| Dice::of(seed, 10_000 + number as u64);
    let mut all = JoinSet::new();
    for number in 0..CLIENTS {
        all.spawn(Client::new(Arc::clone(scene), number, dice(number)).with_pauses(PAUSES.0, PAUSES.1).live());
    }
    for number in 0..SYSTEMS {
        all.spawn(crowd::get_tokens(Arc::clone(scene), number, dice(1000 + number)));
    }
    for number in 0..SIGNERS {
        all.spawn(crowd::sign_in(Arc::clone(scene), number, dice(2000 + number)));
    }
    all
}

fn nuisances(scene: &Arc<Scene>, seed: u64) -> JoinSet<()> {
    let dice = |number: usize| Dice::of(seed, 20_000 + number as u64);
    let mut all = JoinSet::new();
    for number in 0..DEAF {
        all.spawn(nuisances::be_deaf(Arc::clone(scene), dice(number)));
    }
    for number in 0..SLOW {
        all.spawn(nuisances::be_slow(Arc::clone(scene), dice(1000 + number)));
    }
    for number in 0..STORMING {
        all.spawn(nuisances::storm(Arc::clone(scene), number, dice(2000 + number)));
    }
    all
}

/// Says how far it is, until the time is up.
async fn tell(scene: &Scene, length: Duration, end: Instant) {
    while Instant::now() < end {
        let (left, calls) = (end.duration_since(Instant::now()), scene.recorder.calls());
        progress::say(&format!("soak: {} s of {} s left, {calls} requests", left.as_secs(), length.as_secs()));
        sleep(Duration::from_millis(500).min(left)).await;
    }
}
