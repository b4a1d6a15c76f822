//! `client_credentials_ratio`: a System Client asking for tokens, beside a bare hyper server that answers one.

use super::{CONNECTIONS, Figure, Goal, Ground};
use crate::Trouble;
use crate::child::Server;
use crate::rounds::{alternate, cpu_us, p99_ms};
use crate::scripts::Walk;
use crate::world::{SYSTEM, SYSTEM_SECRET};
use crate::{bare, driver, progress, requests};
use std::sync::Arc;

pub(crate) const NAME: &str = "client_credentials_ratio";
const GOAL: Goal = Goal::AtLeast(0.5);

/// What the System Client sends, every time alike.
pub(crate) fn request(host: &str) -> Vec<u8> {
    requests::form_with_secret(host, "/apiToken.action", SYSTEM, SYSTEM_SECRET, "grant_type=client_credentials")
}

pub(crate) async fn measure(ground: &Ground<'_>) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let request = request(&ground.service.host());
    let (status, head, body) = driver::once(ground.service.address, &request).await?;
    if status != 200 {
        return Err(format!("the System Client was answered {status}: {}", String::from_utf8_lossy(&body)).into());
    }
    let bare = Server::bare(&bare::order(&head, &body)?).await?;
    let all: Arc<[Vec<u8>]> = Arc::new([request]);
    let side = async |server: &Server| {
        let walks = Walk::together(&all, CONNECTIONS);
        server.load(ground.window(), walks).await.map(|(tally, _)| tally)
    };
    let rounds = alternate(ground.plan.rounds, async || side(ground.service).await, async || side(&bare).await).await?;
    bare.stop().await?;
    let durability = "nothing is written: a System Client's token is sealed, not stored".to_owned();
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability)
        .with("service_cpu_us", cpu_us(&rounds.ours))
        .with("bare_cpu_us", cpu_us(&rounds.theirs))
        .with("service_p99_ms", p99_ms(&rounds.ours))
        .with("bare_p99_ms", p99_ms(&rounds.theirs)))
}
