//! The table of searches, tests/search/queries.txt: every line asked of the routes, by query and by form.

use crate::kit::records::import;
use crate::kit::{BASE, DAY, World};
use crate::kit::{caller::Caller, clients, reply::Reply};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::Value;
use std::collections::HashSet;
use store::world::{WantedGrant, WantedOrganisation};

const TABLE: &str = include_str!("../../../tests/search/queries.txt");
const FIRST: &str = include_str!("../../../tests/search/first.ndjson");
const LATER: &str = include_str!("../../../tests/search/later.ndjson");
const ELSEWHERE: &str = include_str!("../../../tests/search/elsewhere.ndjson");
/// The organisation that asks, and another.
const HOME: &str = "5e0c8a4e-2f0b-4b53-9a5c-6d3b1f7e9a10";
const AWAY: &str = "c1d2e3f4-0a1b-4c2d-8e3f-9a0b1c2d3e4f";
/// What a query of the table says as people write it, and a URL does not. A percent sign is already an escape.
const WRITTEN: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'+').add(b'\\').add(b'|').add(b'[').add(b']').add(b'#');

/// One line: what is asked, and what has to be answered.
struct Line<'t> {
    number: usize,
    text: &'t str,
    query: String,
    expected: Expected,
}

enum Expected {
    Refusal { status: u16, words: String },
    Result { total: Option<u64>, pages: Option<Vec<Page>>, ordered: bool },
}

#[derive(Debug, PartialEq)]
struct Page {
    matches: Vec<String>,
    included: Vec<String>,
}

// gaps: FHIR, where R4 leaves it open > Searches that R4 refuses
#[tokio::test]
async fn every_query_of_the_table_finds_what_the_text_of_r4_says() {
    let w = World::new().await;
    let caller = settled(&w).await;
    let lines = lines();
    assert!(lines.len() >= 400, "the table has {} lines", lines.len());
    let mut wrong = Vec::new();
    for line in &lines {
        if let Err(words) = hold(&caller, line).await {
            wrong.push(format!("queries.txt:{}: {}\n    {words}", line.number, line.text));
        }
    }
    assert!(wrong.is_empty(), "{} of {} lines differ:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn the_table_says_nothing_twice_and_names_only_records_that_there_are() {
    let records: Vec<Value> = [FIRST, LATER, ELSEWHERE].iter().flat_map(|file| resources(file)).collect();
    let known: HashSet<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(known.len(), records.len(), "an id is there twice");
    let mut seen = HashSet::new();
    for line in lines() {
        assert!(seen.insert(line.query.clone()), "line {} is there twice: {}", line.number, line.text);
        let Expected::Result { pages: Some(pages), .. } = line.expected else { continue };
        for id in pages.iter().flat_map(|page| page.matches.iter().chain(&page.included)) {
            assert!(known.contains(id.as_str()), "line {} names {id:?}: {}", line.number, line.text);
        }
    }
}

/// The records of both organisations, the later ones a day later, and the System Client of the first.
async fn settled(w: &World) -> Caller<'_> {
    let lab_link = clients::named("Lab Link").client_id.to_owned();
    let declared = store::world::World {
        organisations: vec![WantedOrganisation::of(HOME, "Home"), WantedOrganisation::of(AWAY, "Away")],
        organisation_grants: vec![WantedGrant::of(HOME, &lab_link)],
        ..Default::default()
    };
    store::world::apply(&w.app.store, declared, w.now()).await.unwrap();
    import(&w.app.store, HOME, &resources(FIRST), w.now()).await;
    import(&w.app.store, AWAY, &resources(ELSEWHERE), w.now()).await;
    w.after(DAY);
    import(&w.app.store, HOME, &resources(LATER), w.now()).await;
    Caller { organisation: Some(HOME.to_owned()), ..w.system().await }
}

fn resources(ndjson: &str) -> Vec<Value> {
    ndjson.replace("{base}", &format!("{BASE}/fhir")).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn lines() -> Vec<Line<'static>> {
    let numbered = TABLE.lines().enumerate().map(|(at, text)| (at + 1, text));
    let said = numbered.filter(|(_, text)| !text.starts_with('#') && !text.is_empty());
    said.map(|(number, text)| {
        let (query, expected) = text.split_once(" => ").unwrap_or_else(|| panic!("line {number} has no =>: {text}"));
        let query = query.replace("{base}", &format!("{BASE}/fhir")).replace("{home}", HOME);
        Line { number, text, expected: expectation(&query, expected), query }
    })
    .collect()
}

fn expectation(query: &str, text: &str) -> Expected {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    if let Ok(status) = first.parse() {
        return Expected::Refusal { status, words: rest.to_owned() };
    }
    let ordered = query.contains("_sort=") || query.contains("_count=");
    if first != "total" {
        return Expected::Result { total: None, pages: Some(pages(text)), ordered };
    }
    let (total, found) = rest.split_once(": ").map_or((rest, None), |(total, found)| (total, Some(pages(found))));
    Expected::Result { total: Some(total.parse().unwrap()), pages: found, ordered }
}

fn pages(text: &str) -> Vec<Page> {
    let ids = |text: &str| text.split_whitespace().filter(|id| *id != "none").map(String::from).collect::<Vec<_>>();
    let page = |text: &str| {
        let (matches, included) = text.split_once('+').unwrap_or((text, ""));
        Page { matches: ids(matches), included: ids(included) }
    };
    text.split(" / ").map(page).collect()
}

async fn hold(caller: &Caller<'_>, line: &Line<'_>) -> Result<(), String> {
    let url = utf8_percent_encode(&line.query, WRITTEN).to_string();
    let (resource_type, query) = url.split_once('?').unwrap_or((&url, ""));
    let by_query = caller.get(&format!("/fhir/{url}")).await;
    let by_form = caller.post_form(&format!("/fhir/{resource_type}/_search"), query).await;
    answered(caller, by_query, &line.expected).await?;
    answered(caller, by_form, &line.expected).await.map_err(|words| format!("in a form: {words}"))
}

async fn answered(caller: &Caller<'_>, first: Reply, expected: &Expected) -> Result<(), String> {
    match expected {
        Expected::Refusal { status, words } => {
            let said = first.text();
            let is_so = first.status == *status && said.contains(words.as_str());
            if is_so { Ok(()) } else { Err(format!("the answer is {} {said}", first.status)) }
        }
        Expected::Result { .. } if first.status != 200 => {
            Err(format!("the answer is {} {}", first.status, first.text()))
        }
        Expected::Result { total, pages, ordered } => {
            let said = first.json()["total"].as_u64();
            if total.is_some() && said != *total {
                return Err(format!("the total is {said:?}"));
            }
            let found = all_pages(caller, first, *ordered).await;
            match pages {
                Some(pages) if *pages.iter().map(|page| page.in_order(*ordered)).collect::<Vec<_>>() != found => {
                    Err(format!("found is {found:?}"))
                }
                None if found.iter().any(|page| !page.matches.is_empty()) => Err(format!("found is {found:?}")),
                _ => Ok(()),
            }
        }
    }
}

/// Follows the links to the next page, as a client does.
async fn all_pages(caller: &Caller<'_>, first: Reply, ordered: bool) -> Vec<Page> {
    let (mut found, mut reply) = (Vec::new(), first);
    loop {
        let bundle = reply.json();
        let of_mode = |mode: &str| {
            let entries = bundle["entry"].as_array().into_iter().flatten();
            let entries = entries.filter(|entry| entry["search"]["mode"] == mode);
            entries.map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect()
        };
        found.push(Page { matches: of_mode("match"), included: of_mode("include") }.in_order(ordered));
        let links = bundle["link"].as_array().unwrap();
        let Some(next) = links.iter().find(|link| link["relation"] == "next") else { return found };
        reply = caller.get(next["url"].as_str().unwrap().strip_prefix(BASE).unwrap()).await;
    }
}

impl Page {
    /// What comes along has no order, and what is found has one where it was asked for.
    fn in_order(&self, ordered: bool) -> Self {
        let (mut matches, mut included) = (self.matches.clone(), self.included.clone());
        included.sort_unstable();
        if !ordered {
            matches.sort_unstable();
        }
        Self { matches, included }
    }
}
