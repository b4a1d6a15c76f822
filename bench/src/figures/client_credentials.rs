//! `client_credentials_ratio`: a System Client asking for tokens, beside a bare hyper server that answers one.

use super::ground::Ground;
use crate::bare::order::{self, Work};
use crate::http::driver::CONNECTIONS;
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::people::{SYSTEM, SYSTEM_SECRET};
use std::sync::Arc;

pub(crate) const NAME: &str = "client_credentials_ratio";
const GOAL: Goal = Goal::AtLeast(0.68);

/// What the System Client sends, every time alike.
pub(crate) fn request(host: &str) -> Vec<u8> {
    requests::form_with_secret(host, "/apiToken.action", SYSTEM, SYSTEM_SECRET, "grant_type=client_credentials")
}

pub(crate) async fn measure(ground: &Ground<'_>) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let request = request(&ground.service.host());
    let (head, body) = ground.service.sample(&request).await?;
    let counterpart = Server::bare(&order::line(&head, &body, &Work::Nothing)?).await?;
    let all: Arc<[Vec<u8>]> = Arc::new([request]);
    let [service, bare] = alternate(ground.plan.rounds, [Side::Service, Side::Bare], async |side| {
        let server = if side == Side::Service { ground.service } else { &counterpart };
        Ok(server.load(ground.plan.window(), Walk::together(&all, CONNECTIONS)).await?.0)
    })
    .await?;
    counterpart.stop().await?;
    let durability = "nothing is written: a System Client's token is sealed, not stored".to_owned();
    let sides = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok(Figure::ratio(NAME, Some(GOAL), sides, durability)
        .with("service_cpu_us", cpu_us(&service))
        .with("bare_cpu_us", cpu_us(&bare))
        .with("service_p99_ms", p99_ms(&service))
        .with("bare_p99_ms", p99_ms(&bare)))
}
