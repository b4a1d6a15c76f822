//! `worst_stall_ms`: the longest wait of a refresh while very many accesses are noted and very many grants issued beside it, and
//! a client writes the most that requests may. All are jobs for the one writer or for the disk under it, and none may hold it.

use super::ground::Ground;
use super::largest_writes::Largest;
use super::reads::Reads;
use crate::http::driver::{self, Script};
use crate::http::response::Response;
use crate::http::scripts::{RefreshChain, Walk};
use crate::measure::figure::{Figure, Goal};
use crate::measure::longest_gap::LongestGap;
use crate::measure::machine::Machine;
use crate::measure::progress;
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use crate::service::people::{APP, username};
use crate::service::recordgate::Recordgate;
use crate::service::sessions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

pub(crate) const NAME: &str = "worst_stall_ms";
const GOAL: Goal = Goal::AtMost(50.0);

/// Few enough that what they wait for is the service and not each other.
const REFRESHERS: usize = 4;
const READERS: usize = 8;
/// Connections of the client that writes the most that requests may: two, so that what one looked for is changed by the other.
const WRITERS: usize = 2;
/// What was noted last is added to the ledger by then.
const SETTLING: Duration = Duration::from_secs(2);
/// More than any machine needs.
const LONGEST: Duration = Duration::from_secs(1800);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    service: &Recordgate,
    reads: &Reads,
    machine: &Machine,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let stage = Stage { ground, service, reads };
    let without = stage.play(0).await?;
    let with = stage.play(WRITERS).await?;
    let [of_resources, of_transactions, of_conditional] = with.written;
    let worst = with.waits.percentile_ms(1.0);
    let (accesses, grants) = stage.jobs();
    let durability = format!(
        "the longest wait of {} refreshes beside {accesses} accesses, {grants} grants and the largest writes that are allowed; {}",
        with.waits.count(),
        machine.durability()
    );
    let rate = |count: u32, took: Duration| f64::from(count) / took.as_secs_f64().max(1e-3);
    Ok(Figure::of(NAME, worst, Some(GOAL), durability)
        .with("worst_stall_without_ms", without.waits.percentile_ms(1.0))
        .with("machine_stall_ms", with.machine_ms)
        .with("machine_stall_without_ms", without.machine_ms)
        .with("refreshes_per_second", rate(with.waits.count(), with.took))
        .with("accesses_per_second", rate(accesses, with.noted))
        .with("grants_per_second", rate(grants, with.issued))
        .with("refresh_p99_ms", with.waits.percentile_ms(0.99))
        .with("refresh_p50_ms", with.waits.percentile_ms(0.5))
        .with("refresh_without_p99_ms", without.waits.percentile_ms(0.99))
        .with("largest_resources", f64::from(of_resources))
        .with("longest_transactions", f64::from(of_transactions))
        .with("conditional_bundles", f64::from(of_conditional))
        .with("largest_writes_refused", f64::from(with.refused)))
}

/// Who is there to refresh, to read and to issue.
struct Stage<'a> {
    ground: &'a Ground<'a>,
    service: &'a Recordgate,
    reads: &'a Reads,
}

/// What came of it.
struct Stall {
    waits: Tally,
    took: Duration,
    noted: Duration,
    issued: Duration,
    /// By how much the machine itself was late at the most.
    machine_ms: f64,
    /// The largest writes that were made, of each sort, and those that were refused.
    written: [u32; 3],
    refused: u32,
}

impl Stage<'_> {
    /// How many accesses are noted, and grants issued.
    const fn jobs(&self) -> (u32, u32) {
        if self.ground.plan.quick { (2_000, 1_000) } else { (150_000, 200_000) }
    }

    async fn play(&self, writers: usize) -> Result<Stall, Trouble> {
        let Self { ground, service, reads } = *self;
        let (accesses, grants) = self.jobs();
        let address = ground.service.address;
        let owners: Vec<usize> = (0..REFRESHERS).collect();
        let opened = sessions::open(service, APP, &owners).await?;
        let over = Arc::new(AtomicBool::new(false));
        let largest = match writers {
            0 => Vec::new(),
            _ => Largest::find(ground.service, ground.plan.patients, ground.plan.quick).await?.writers(writers, &over),
        };
        progress::say(NAME);
        let chain = |token: &str| RefreshChain::new(&ground.service.host(), APP, token);
        let chains = opened.iter().map(|new| UntilOver { chain: chain(&new.refresh_token), over: Arc::clone(&over) });
        let window = Window::after(Duration::ZERO, LONGEST);
        let (gap, began) = (LongestGap::watch(), Instant::now());
        let jobs = async {
            let done = tokio::try_join!(note(ground, reads, accesses, window), issue(ground, service, grants));
            sleep(SETTLING).await;
            over.store(true, Ordering::Relaxed);
            done
        };
        let refreshes = async {
            let waits = driver::load(address, window, chains.collect()).await;
            waits.map(|(waits, _)| (waits, began.elapsed()))
        };
        let (waits, writes, done) = tokio::join!(refreshes, driver::load(address, window, largest), jobs);
        let machine_ms = gap.end_ms()?;
        let ((waits, took), (_, writers), (noted, issued)) = (waits?, writes?, done?);
        let mut written = [0; 3];
        for writer in &writers {
            written.iter_mut().zip(writer.written).for_each(|(all, one)| *all += one);
        }
        let refused = writers.iter().map(|writer| writer.refused).sum();
        Ok(Stall { waits, took, noted, issued, machine_ms, written, refused })
    }
}

/// Reads records, one patient after another: within the tenth of a second that the ledger puts together hardly any is read twice, so
/// that nearly every access is a line of its own.
async fn note(ground: &Ground<'_>, reads: &Reads, accesses: u32, window: Window) -> Result<Duration, Trouble> {
    let began = Instant::now();
    let each = accesses.div_ceil(u32::try_from(READERS)?);
    let walks = Walk::together(&reads.requests, READERS).into_iter().map(|walk| Stretch { walk, left: each });
    driver::load(ground.service.address, window, walks.collect()).await?;
    Ok(began.elapsed())
}

/// Issues grants by the operator's own command, for all patients in turn.
async fn issue(ground: &Ground<'_>, service: &Recordgate, grants: u32) -> Result<Duration, Trouble> {
    let began = Instant::now();
    let names = (0..grants as usize).map(|number| username(number % ground.plan.patients) + "\n").collect();
    service.run_unheard(&["grant", "issue", "--client", APP, "--json", "--users"], "many-usernames", names).await?;
    Ok(began.elapsed())
}

/// A client that refreshes until all is over.
struct UntilOver {
    chain: RefreshChain,
    over: Arc<AtomicBool>,
}

impl Script for UntilOver {
    fn request(&mut self) -> &[u8] {
        self.chain.request()
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        self.chain.answered(answer)
    }

    fn finished(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// So many steps of a walk.
struct Stretch {
    walk: Walk,
    left: u32,
}

impl Script for Stretch {
    fn request(&mut self) -> &[u8] {
        self.walk.request()
    }

    fn answered(&mut self, _: &Response<'_>) -> Result<(), Trouble> {
        self.left -= 1;
        Ok(())
    }

    fn finished(&self) -> bool {
        self.left == 0
    }
}
