//! `--peers`: npm's oidc-provider beside the service, at what both can do.

mod install;
pub(crate) mod race;
mod script;

use crate::child::Server;
use crate::figures::reads::Reads;
use crate::figures::{CONNECTIONS, Figure, Goal, Ground, client_credentials};
use crate::rounds::{Rounds, alternate};
use crate::scripts::{Walk, member};
use crate::tally::median;
use crate::world::{APP, RACES, SYSTEM, SYSTEM_SECRET, Sessions, own_record};
use crate::{Trouble, driver, progress, requests};
use install::OidcProvider;
use race::{Door, Shot};
use script::Introspection;
use serde_json::{Value, json};
use std::sync::Arc;

const GOAL: Goal = Goal::AtLeast(8.0);
/// Node takes its time to start; the median of three is steady enough.
const STARTS: usize = 3;

/// Rounds of the peer that are not counted.
const WARMING: usize = 2;

/// Both sides of everything that was compared.
#[derive(Debug)]
pub(crate) struct Peers {
    pub(crate) figure: Figure,
    pub(crate) peer: String,
    pub(crate) client_credentials: [f64; 2],
    pub(crate) bearer_checks: [f64; 2],
    pub(crate) rss_idle_mib: [f64; 2],
    pub(crate) start_ms: [f64; 2],
    pub(crate) races: [Vec<Shot>; 2],
}

/// `idle` is what the service weighed and how soon it answered before the load, in that order.
pub(crate) async fn measure(
    ground: &Ground<'_>,
    reads: &Reads,
    sessions: &mut Sessions,
    idle: [f64; 2],
) -> Result<Peers, Trouble> {
    progress::say("installing oidc-provider");
    let program = OidcProvider::install().await?;
    progress::say("oidc-provider: start-up and memory");
    let mut peer = program.serve().await?;
    let mut starts = vec![peer.started_in.as_secs_f64() * 1e3];
    for _ in 1..STARTS {
        peer.stop().await?;
        peer = program.serve().await?;
        starts.push(peer.started_in.as_secs_f64() * 1e3);
    }
    let peer_rss = peer.resident_mib()?;
    let issued = client_credentials_rounds(ground, &peer).await?;
    let checked = bearer_check_rounds(ground, reads, &peer).await?;
    progress::say("the race: one refresh token, twenty refreshes at once");
    let races = [our_races(ground, sessions).await?, peer_races(&peer).await?];
    peer.stop().await?;
    let figure = Figure {
        name: "client_credentials_vs_peer",
        value: issued.ratio(),
        goal: GOAL,
        seen: vec![("service_per_second", issued.our_rate()), ("peer_per_second", issued.their_rate())],
        rounds: issued.ratios(),
        durability: "nothing is written by the service; the peer keeps its tokens in memory".to_owned(),
    };
    let [rss, start] = idle;
    Ok(Peers {
        figure,
        peer: format!("oidc-provider {} on Node {}", program.version, program.node),
        client_credentials: [issued.our_rate(), issued.their_rate()],
        bearer_checks: [checked.our_rate(), checked.their_rate()],
        rss_idle_mib: [rss, peer_rss],
        start_ms: [start, median(&starts)],
        races,
    })
}

async fn client_credentials_rounds(ground: &Ground<'_>, peer: &Server) -> Result<Rounds, Trouble> {
    progress::say("client_credentials_vs_peer");
    let ours: Arc<[Vec<u8>]> = Arc::new([client_credentials::request(&ground.service.host())]);
    let theirs: Arc<[Vec<u8>]> = Arc::new([peer_client_credentials(peer)]);
    let side = async |server: &Server, all: &Arc<[Vec<u8>]>| {
        let walks = Walk::together(all, CONNECTIONS);
        server.load(ground.window(), walks).await.map(|(tally, _)| tally)
    };
    // Node compiles what is hot only once it is; the peer deserves to be measured after that.
    for _ in 0..WARMING {
        side(peer, &theirs).await?;
    }
    alternate(ground.plan.rounds, async || side(ground.service, &ours).await, async || side(peer, &theirs).await).await
}

/// Ours is the whole read behind a bearer token, record and all; theirs is the introspection that an API beside
/// oidc-provider would make for each call, before it had read anything.
async fn bearer_check_rounds(ground: &Ground<'_>, reads: &Reads, peer: &Server) -> Result<Rounds, Trouble> {
    progress::say("bearer checks of both");
    let (_, _, issued) = driver::once(peer.address, &peer_client_credentials(peer)).await?;
    let token = member(&issued, "access_token")?;
    let introspect = introspect(peer, token);
    let ours = async || ground.service.load(ground.window(), reads.walks()).await;
    let theirs = async || {
        let scripts = vec![Introspection(introspect.clone()); CONNECTIONS];
        peer.load(ground.window(), scripts).await
    };
    for _ in 0..WARMING {
        theirs().await?;
    }
    alternate(ground.plan.rounds, async || Ok(ours().await?.0), async || Ok(theirs().await?.0)).await
}

async fn our_races(ground: &Ground<'_>, sessions: &mut Sessions) -> Result<Vec<Shot>, Trouble> {
    let host = ground.service.host();
    let mut shots = Vec::new();
    for (patient, token) in std::mem::take(&mut sessions.raced) {
        let door = Door {
            address: ground.service.address,
            refresh: &|token| refresh(&host, "/apiToken.action", token),
            check: &|token| own_record(&host, patient, token),
            accepted: &|status, _| status == 200,
        };
        shots.push(race::shoot(&door, &token).await?);
    }
    Ok(shots)
}

async fn peer_races(peer: &Server) -> Result<Vec<Shot>, Trouble> {
    let host = peer.host();
    let door = Door {
        address: peer.address,
        refresh: &|token| refresh(&host, "/token", token),
        check: &|token| introspect(peer, token),
        accepted: &|_, body| script::is_active(body),
    };
    let mut shots = Vec::new();
    for _ in 0..RACES {
        let (_, _, opened) = driver::once(peer.address, &requests::get(&host, "/open-session")).await?;
        shots.push(race::shoot(&door, member(&opened, "refresh_token")?).await?);
    }
    Ok(shots)
}

fn peer_client_credentials(peer: &Server) -> Vec<u8> {
    let body = "grant_type=client_credentials";
    requests::form_with_secret(&peer.host(), "/token", SYSTEM, SYSTEM_SECRET, body)
}

fn introspect(peer: &Server, token: &str) -> Vec<u8> {
    let body = format!("token={token}");
    requests::form_with_secret(&peer.host(), "/token/introspection", SYSTEM, SYSTEM_SECRET, &body)
}

fn refresh(host: &str, path: &str, token: &str) -> Vec<u8> {
    requests::form(host, path, &format!("grant_type=refresh_token&client_id={APP}&refresh_token={token}"))
}

impl Peers {
    pub(crate) fn json(&self) -> Value {
        let both = |[ours, theirs]: [f64; 2]| json!({ "service": crate::report::round(ours, 1), "peer": crate::report::round(theirs, 1) });
        let [our_races, peer_races] = &self.races;
        let shots = |shots: &[Shot]| shots.iter().map(Shot::json).collect::<Vec<_>>();
        json!({
            "peer": self.peer,
            "client_credentials_per_second": both(self.client_credentials),
            "bearer_checks_per_second": both(self.bearer_checks),
            "rss_idle_mib": both(self.rss_idle_mib),
            "start_ms": both(self.start_ms),
            "race": { "parallel_refreshes": race::PARALLEL, "service": shots(our_races), "peer": shots(peer_races) },
        })
    }
}
