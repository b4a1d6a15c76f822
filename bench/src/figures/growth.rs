//! How much slower the slowest hundredth of an answer comes from a store that is ten times as large, and from fifty thousand
//! patients who share one number.

use super::plan::Plan;
use super::record::{Question, Record, token};
use super::searches::{by_identifier, newest_weights};
use crate::http::requests;
use crate::http::scripts::Walk;
use crate::measure::figure::{Figure, Goal};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, p99_ms};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use crate::service::child::Server;
use crate::service::people::{ORGANISATION, TEAM};
use crate::service::recordgate::Recordgate;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// The first of them, by which all are asked for.
pub(crate) const READ: &str = "read_growth";
const SHARED: &str = "shared_identifier_growth";

const GOAL: Goal = Goal::AtMost(1.5);
const SHARED_GOAL: Goal = Goal::AtMost(2.0);
/// Few enough that nobody waits for another: this is about one answer, not about a crowd.
const CONNECTIONS: usize = 2;
/// Longer than it takes to ask once for everybody in the large store.
const FIRST_WALK: Duration = Duration::from_secs(600);
/// How many share a number: a placeholder that a feed sends for everybody, and a number that a family shares.
const SHARERS: [(&str, usize); 2] = [("0000000000", 50_000), ("1111111111", 50)];

/// What is asked of the small store and of the large one.
const ASKED: [(&str, Question); 5] = [
    (READ, |somebody| format!("/fhir/Patient/{}", somebody.id)),
    ("identifier_search_growth", by_identifier),
    ("patient_search_growth", newest_weights),
    ("include_growth", |somebody| {
        format!(
            "/fhir/Encounter?patient={}&_include=Encounter:patient&_revinclude=Observation:encounter&_count=5",
            somebody.id
        )
    }),
    ("chain_growth", |somebody| {
        format!(
            "/fhir/Observation?patient.identifier=https://fhir.nhs.uk/Id/nhs-number%7C{}&_count=10",
            somebody.identifier
        )
    }),
];

pub(crate) async fn measure(plan: &Plan, directory: &std::path::Path) -> Result<Vec<Figure>, Trouble> {
    let least = Record::least(plan.quick);
    let small = Record::lay(directory, "small", least).await?;
    let large = Record::lay(directory, "large", least * 10).await?;
    let (small_server, large_server) = (small.service.serve().await?, large.service.serve().await?);
    let mut figures = Vec::new();
    for (name, path) in ASKED {
        progress::say(name);
        let asked = [small.requests(&small_server, path).await?, large.requests(&large_server, path).await?];
        let servers = (&small_server, &large_server);
        let sizes = format!("{} resources and {}", small.count, large.count);
        figures.push(Growth::measure(plan, servers, &asked).await?.figure(name, GOAL, sizes));
    }
    large_server.stop().await?;
    small_server.stop().await?;
    let server = lay_sharers(&small.service, plan.quick).await?;
    figures.push(shared(plan, &server).await?);
    server.stop().await?;
    Ok(figures)
}

/// What two stores were asked, and how late they answered.
struct Growth {
    /// Everything once, of the small store and of the large one.
    first: [Tally; 2],
    /// The rounds.
    smaller: Vec<Tally>,
    larger: Vec<Tally>,
}

impl Growth {
    /// Asks first for everything once. What is asked for the first time is read from the files, and is slower; how often that is
    /// so in a round depends on its length and on how many different things are asked for, ten times as many of the large store.
    /// So it is told by itself.
    async fn measure(
        plan: &Plan,
        (small, large): (&Server, &Server),
        [of_small, of_large]: &[Arc<[Vec<u8>]>; 2],
    ) -> Result<Self, Trouble> {
        let first = [first_walk(small, of_small).await?, first_walk(large, of_large).await?];
        let round = async |side| {
            let (server, requests) = if side == Side::Service { (large, of_large) } else { (small, of_small) };
            Ok(server.load(plan.window(), Walk::together(requests, CONNECTIONS)).await?.0)
        };
        let [smaller, larger] = alternate(plan.rounds, [Side::Bare, Side::Service], round).await?;
        Ok(Self { first, smaller, larger })
    }

    fn figure(&self, name: &'static str, goal: Goal, sizes: String) -> Figure {
        let (before, after) = (p99_ms(&self.smaller), p99_ms(&self.larger));
        let value = after / before;
        let [first_before, first_after] = self.first.each_ref().map(|first| first.percentile_ms(0.99));
        Figure::of(name, value, Some(goal), sizes)
            .with("small_p99_ms", before)
            .with("large_p99_ms", after)
            .with("small_first_p99_ms", first_before)
            .with("large_first_p99_ms", first_after)
    }
}

async fn first_walk(server: &Server, requests: &Arc<[Vec<u8>]>) -> Result<Tally, Trouble> {
    let window = Window::after(Duration::ZERO, FIRST_WALK);
    Ok(server.load(window, vec![Walk::once_through(requests)]).await?.0)
}

/// Adds to a store the patients who share a number.
async fn lay_sharers(service: &Recordgate, quick: bool) -> Result<Server, Trouble> {
    progress::say("importing patients who share a number");
    let mut lines = String::new();
    for (place, (number, count)) in SHARERS.into_iter().enumerate() {
        for sharer in 0..if quick { count.min(500) } else { count } {
            let patient = json!({
                "resourceType": "Patient",
                "id": format!("{place:08}-0000-4000-9000-{sharer:012}"),
                "identifier": [{ "system": "https://hospital.example/mrn", "value": number }],
                "name": [{ "family": format!("Sharer{sharer}") }],
            });
            lines.push_str(&format!("{patient}\n"));
        }
    }
    service.run_over(&["import", "--organisation", ORGANISATION, "--team", TEAM], "sharers.ndjson", lines).await?;
    service.serve().await
}

/// A page of the many beside a page of the few.
async fn shared(plan: &Plan, server: &Server) -> Result<Figure, Trouble> {
    progress::say(SHARED);
    let (host, token) = (server.host(), token(server).await?);
    let page = |number: &str| -> Arc<[Vec<u8>]> {
        let path = format!("/fhir/Patient?identifier=https://hospital.example/mrn%7C{number}&_count=20");
        Arc::new([requests::read_for(&host, &path, &token, ORGANISATION)])
    };
    let [(many, _), (few, _)] = SHARERS;
    let growth = Growth::measure(plan, (server, server), &[page(few), page(many)]).await?;
    Ok(growth.figure(SHARED, SHARED_GOAL, "one page of those who share a number: 50 and 50,000".into()))
}
