//! The lives of the service: each from a start to a kill, or to the orderly stop of the last; what it weighed, and the looks that
//! the ledger tells of.

use super::looks::{self, Looks};
use crate::chaos::history::record::Process;
use crate::chaos::scene::Scene;
use crate::chaos::schedule;
use crate::measure::trouble::Trouble;
use crate::measure::wall_clock;
use crate::service::child::Server;
use crate::service::recordgate::Recordgate;
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, sleep};

/// The place of the one node among the nodes.
const PLACE: usize = 0;
/// The ledger is asked for what comes before a moment; the last look of a life is not behind this.
const JUST_AFTER: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(super) struct Life {
    pub(super) process: Process,
    pub(super) length: Duration,
    /// Resident memory at the start and at the end, in MiB.
    pub(super) resident: [f64; 2],
    pub(super) looks: Looks,
}

/// A life that goes on.
pub(super) struct Begun {
    server: Server,
    began: (Instant, SystemTime),
    resident: f64,
}

/// Those who look after the lives.
pub(super) struct Keeper<'a> {
    pub(super) scene: &'a Scene,
    pub(super) service: &'a Recordgate,
    pub(super) patients: usize,
}

impl Begun {
    /// `since` is a moment before the start.
    pub(super) fn new(server: Server, since: SystemTime) -> Result<Self, Trouble> {
        let resident = server.resident_mib()?;
        Ok(Self { server, began: (Instant::now(), since), resident })
    }
}

impl Keeper<'_> {
    /// Kills and starts again until the time is up. Gives the lives that ended, and the one that goes on.
    pub(super) async fn suffer(&self, mut life: Begun, seed: u64, end: Instant) -> Result<(Vec<Life>, Begun), Trouble> {
        let mut lives = Vec::new();
        for fault in schedule::of_lone_node(seed) {
            if Instant::now() + fault.after >= end {
                break;
            }
            sleep(fault.after).await;
            let process = self.process()?;
            let (resident, length) = (life.server.resident_mib()?, life.began.0.elapsed());
            self.scene.recorder.kill(process);
            let killed = wall_clock::now();
            life.server.kill().await?;
            sleep(fault.away).await;
            let (since, until) = (life.began.1, killed + JUST_AFTER);
            let (resident, again) = ([life.resident, resident], wall_clock::now());
            life = Begun::new(self.scene.nodes.bring_back(self.service).await?, again)?;
            self.scene.nodes.enter(PLACE, &life.server);
            let looks = looks::told(self.service, (since, until), self.patients).await?;
            lives.push(Life { process, length, resident, looks });
        }
        sleep(end.saturating_duration_since(Instant::now())).await;
        Ok((lives, life))
    }

    /// Stops the last one as an operator would: it may forget nothing.
    pub(super) async fn stop(&self, life: Begun) -> Result<Life, Trouble> {
        let (process, length) = (self.process()?, life.began.0.elapsed());
        let resident = [life.resident, life.server.resident_mib()?];
        life.server.stop().await?;
        let looks = looks::told(self.service, (life.began.1, wall_clock::now()), self.patients).await?;
        Ok(Life { process, length, resident, looks })
    }

    fn process(&self) -> Result<Process, Trouble> {
        self.scene.nodes.at(PLACE).ok_or_else(|| "the service is not listed".into())
    }
}
