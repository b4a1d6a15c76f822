//! `worst_stall_ms`: the longest wait of a refresh while very many accesses are noted and very many grants issued beside it.
//! Both are jobs for the one writer or for the disk under it, and neither may hold it.

use super::ground::Ground;
use super::reads::Reads;
use crate::http::driver::{self, Script};
use crate::http::response::Response;
use crate::http::scripts::{RefreshChain, Walk};
use crate::measure::figure::{Figure, Goal};
use crate::measure::machine::Machine;
use crate::measure::progress;
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
    let (accesses, grants) = if ground.plan.quick { (2_000, 1_000) } else { (150_000, 200_000) };
    let owners: Vec<usize> = (0..REFRESHERS).collect();
    let opened = sessions::open(service, APP, &owners).await?;
    progress::say(NAME);
    let over = Arc::new(AtomicBool::new(false));
    let chain = |token: &str| RefreshChain::new(&ground.service.host(), APP, token);
    let chains = opened.iter().map(|new| UntilOver { chain: chain(&new.refresh_token), over: Arc::clone(&over) });
    let window = Window::after(Duration::ZERO, LONGEST);
    let began = Instant::now();
    let jobs = async {
        let done = tokio::try_join!(note(ground, reads, accesses, window), issue(ground, service, grants));
        sleep(SETTLING).await;
        over.store(true, Ordering::Relaxed);
        done
    };
    let (waits, done) = tokio::join!(driver::load(ground.service.address, window, chains.collect()), jobs);
    let (noted, issued) = done?;
    let (waits, _) = waits?;
    let worst = waits.percentile_ms(1.0);
    let rate = |count: u32, took: Duration| f64::from(count) / took.as_secs_f64().max(1e-3);
    Ok(Figure {
        name: NAME,
        value: worst,
        goal: Some(GOAL),
        details: vec![
            ("refreshes_per_second", rate(waits.count(), began.elapsed())),
            ("accesses_per_second", rate(accesses, noted)),
            ("grants_per_second", rate(grants, issued)),
            ("refresh_p99_ms", waits.percentile_ms(0.99)),
            ("refresh_p50_ms", waits.percentile_ms(0.5)),
        ],
        rounds: vec![worst],
        durability: format!(
            "the longest wait of {} refreshes beside {accesses} accesses and {grants} grants; {}",
            waits.count(),
            machine.durability()
        ),
    })
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
