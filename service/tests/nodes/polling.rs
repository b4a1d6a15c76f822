//! Many write at once through several processes: who polls misses nothing, and what is sent again is there once.

use crate::fleet::Fleet;
use crate::terminal::program::Program;
use crate::terminal::world::CLINIC;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;

const WRITERS: usize = 16;
const EACH: usize = 8;

fn get(node: &Program, path: &str, access: &str) -> Value {
    let answer = node.get(path, &[("Authorization", &format!("Bearer {access}"))]);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

fn made(node: &Program, path: &str, access: &str, body: &Value) -> String {
    let answer = node.post_json(path, access, &body.to_string());
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()["id"].as_str().unwrap().to_owned()
}

fn ids(items: &Value) -> impl Iterator<Item = String> + '_ {
    items.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned())
}

#[test]
fn who_polls_on_any_process_misses_nothing_that_is_written_at_once_on_two() {
    let fleet = Fleet::start();
    fleet.imports_patient("amina-osei");
    let nodes = [fleet.node(), fleet.node()];
    let access = nodes[0].refresh(&fleet.issue("amina").1).tokens().access;
    let (access, under_way) = (access.as_str(), AtomicUsize::new(WRITERS));
    let write = |number: usize| {
        let node = &nodes[number % 2];
        let message = json!({ "content": "Hello", "recipients": [{ "type": "TEAM", "id": CLINIC }] });
        let entry = json!({ "text": "Slept well.", "date": "2026-11-01" });
        let of =
            |_| [("/json/messages", &message), ("/json/journal", &entry)].map(|(to, one)| made(node, to, access, one));
        let written: Vec<[String; 2]> = (0..EACH).map(of).collect();
        under_way.fetch_sub(1, Ordering::SeqCst);
        written
    };
    let messages = || {
        let (mut seen, mut time, mut looks) = (BTreeSet::new(), "0".to_owned(), 0);
        loop {
            let is_last = under_way.load(Ordering::SeqCst) == 0;
            looks += 1;
            let page = get(&nodes[looks % 2], &format!("/json/messages/after/{time}?limit=7"), access);
            seen.extend(ids(&page["messages"]));
            let next = page["nextTime"].as_str().unwrap();
            if is_last && next == time {
                return seen;
            }
            time = next.to_owned();
        }
    };
    let journal = || {
        let (mut seen, mut since, mut looks) = (BTreeSet::new(), "1970-01-01T00:00:00Z".to_owned(), 0);
        loop {
            let is_last = under_way.load(Ordering::SeqCst) == 0;
            looks += 1;
            let new = get(&nodes[looks % 2], &format!("/json/journal?since={since}"), access);
            seen.extend(ids(&new));
            let newest = new.as_array().unwrap().iter().filter_map(|one| one["dateUpdated"].as_str()).max();
            since = newest.map_or(since, String::from);
            if is_last {
                return seen;
            }
        }
    };
    let (sent, messages, journal) = scope(|all| {
        let writers: Vec<_> = (0..WRITERS).map(|number| all.spawn(move || write(number))).collect();
        let (messages, journal) = (all.spawn(messages), all.spawn(journal));
        let sent: Vec<[String; 2]> = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        (sent, messages.join().unwrap(), journal.join().unwrap())
    });
    let of = |index: usize| sent.iter().map(|one| one[index].clone()).collect::<BTreeSet<_>>();
    assert_eq!(sent.len(), WRITERS * EACH);
    assert_eq!((messages, journal), (of(0), of(1)));
}

#[test]
fn of_64_equal_posts_on_two_processes_with_one_external_id_one_makes_an_item() {
    let fleet = Fleet::start();
    fleet.imports_patient("amina-osei");
    let nodes = [fleet.node(), fleet.node()];
    let access = nodes[0].refresh(&fleet.issue("amina").1).tokens().access;
    let weight =
        json!({ "apiRef": "weight", "value": 64, "dateTaken": "2026-11-01", "externalId": "watch-1" }).to_string();
    let post = |node: &Program| node.post_json("/json/measurements", &access, &weight);
    let send = |number: usize| nodes[number % 2].until_answered(post);
    let answers = scope(|all| {
        let senders: Vec<_> = (0..64).map(|number| all.spawn(move || send(number))).collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in &answers {
        assert!([200, 201].contains(&answer.status), "{} {}", answer.status, answer.body);
    }
    let listed = get(&nodes[1], "/json/measurements", &access);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["version"]), (1, &json!(1)));
}
