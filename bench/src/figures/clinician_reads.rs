//! `clinician_read_ratio`: a clinician's session that reads the Patients of its team, beside a bare hyper server that answers the
//! same bytes. Its right may end with a registration, so that what is remembered of a patient's own session is not for it.

use super::ground::Ground;
use crate::bare::order::{self, Work};
use crate::http::driver::CONNECTIONS;
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use crate::service::child::Server;
use crate::service::clinicians;
use crate::service::people::patient_id;
use crate::service::recordgate::Recordgate;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const NAME: &str = "clinician_read_ratio";
const GOAL: Goal = Goal::AtLeast(0.45);
/// More than any machine needs to read every record once.
const LONGEST: Duration = Duration::from_secs(600);

pub(crate) async fn measure(ground: &Ground<'_>, service: &Recordgate) -> Result<Figure, Trouble> {
    let tokens = clinicians::tokens(service, ground.service, 1).await?;
    progress::say(NAME);
    let (host, token) = (ground.service.host(), tokens.first().ok_or("there is no clinician")?);
    let read = |number| requests::read(&host, &format!("/fhir/Patient/{}", patient_id(number)), token);
    let all: Arc<[Vec<u8>]> = (0..ground.plan.patients).map(read).collect();
    let whole = Window::after(Duration::ZERO, LONGEST);
    ground.service.load(whole, vec![Walk::once_through(&all)]).await?;
    let (head, body) = ground.service.sample(all.first().ok_or("there is no patient to read")?).await?;
    let counterpart = Server::bare(&order::line(&head, &body, &Work::Nothing)?).await?;
    let [service, bare] = alternate(ground.plan.rounds, [Side::Service, Side::Bare], async |side| {
        let server = if side == Side::Service { ground.service } else { &counterpart };
        Ok(server.load(ground.plan.window(), Walk::together(&all, CONNECTIONS)).await?.0)
    })
    .await?;
    counterpart.stop().await?;
    let durability = format!(
        "one session and {} patients; the answer waits for no write, and who looked is in the spool within 100 ms",
        all.len()
    );
    let sides = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok(Figure::ratio(NAME, Some(GOAL), sides, durability)
        .with("service_cpu_us", cpu_us(&service))
        .with("bare_cpu_us", cpu_us(&bare))
        .with("service_p99_ms", p99_ms(&service))
        .with("bare_p99_ms", p99_ms(&bare)))
}
