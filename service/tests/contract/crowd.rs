//! Many at once: callers of one patient while registrations change, and operators who change what callers stand on.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, letter};
use crate::kit::{RIVERSIDE, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use serde_json::json;
use store::people::User;

const READERS: usize = 40;
const AMINA_PATH: &str = "/fhir/Patient/amina";

/// Reads while registrations change find the record or nothing, and writes are made or refused; when all is quiet, what
/// was declared last holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn forty_callers_of_one_patient_hear_yes_or_no_while_registrations_change() {
    let w = World::new().await;
    let (okafor, silva) = (w.dr_okafor().caller().await, w.dr_silva().caller().await);
    let (amina, lab) = (w.amina().caller().await, w.system().await);
    let note = "/fhir/DocumentReference/note";
    for round in 0..4 {
        let calls = (0..READERS).map(|number| match number % 8 {
            0 => okafor.get_request(AMINA_PATH),
            1 => silva.get_request(AMINA_PATH),
            2 => okafor.get_request("/fhir/Patient?identifier=9990000018"),
            3 => silva.get_request(&format!("{note}/_history")),
            4 => silva.post_request("/fhir/DocumentReference", &letter(AMINA)),
            5 => okafor.post_request("/fhir/DocumentReference", &letter(AMINA)),
            6 => lab.post_request("/fhir/DocumentReference", &letter(AMINA)),
            _ => amina.get_request(note),
        });
        let teams: &[&str] = if round % 2 == 0 { &[SLEEP_TEAM] } else { &[RIVERSIDE_TEAM] };
        let person = w.amina();
        let changes = async {
            for teams in [&[RIVERSIDE_TEAM, SLEEP_TEAM][..], &[], teams] {
                person.is_of(teams).await;
            }
        };
        let (replies, ()) = tokio::join!(w.shoots(calls.collect()), changes);
        for (number, reply) in replies.iter().enumerate() {
            let expected: &[u16] = match number % 8 {
                2 | 7 => &[200],
                // A team that the patient has left knows them still, and holds no label.
                4 | 5 => &[201, 403, 422],
                6 => &[201],
                _ => &[200, 404],
            };
            assert!(expected.contains(&reply.status), "{number}: {} {}", reply.status, reply.text());
        }
        let sees = async |caller: &Caller<'_>| caller.status(note).await == 200;
        let registered = (sees(&okafor).await, sees(&silva).await);
        assert_eq!(registered, (round % 2 == 1, round % 2 == 0), "round {round}");
    }
}

/// Writers about the same two patients, each naming them in another order, do not wait for each other for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_about_the_same_two_patients_are_all_served() {
    let w = World::new().await;
    for person in [w.amina(), w.ben()] {
        person.is_of(&[RIVERSIDE_TEAM]).await;
    }
    w.dr_silva().is_of(&[RIVERSIDE_TEAM]).await;
    let writers = [w.dr_okafor().caller().await, w.dr_silva().caller().await, w.system().await, w.site().await];
    let about = |subject: &str, author: &str| {
        let mut letter = letter(subject);
        letter["author"] = json!([{ "reference": format!("Patient/{author}") }]);
        letter
    };
    for _ in 0..3 {
        let shots = writers.iter().cycle().take(READERS).enumerate().map(|(number, writer)| {
            let (subject, author) = if number % 2 == 0 { (AMINA, BEN) } else { (BEN, AMINA) };
            writer.post_request("/fhir/DocumentReference", &about(subject, author))
        });
        for reply in w.shoots(shots.collect()).await {
            assert_eq!(reply.status, 201, "{}", reply.text());
        }
    }
}

/// A grant that is withdrawn holds for no call that begins afterwards, and for none that is made of a token from before.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_withdrawn_grant_ends_a_system_clients_calls_from_then_on() {
    let w = World::new().await;
    let lab = w.system().await;
    let shots = (0..READERS).map(|_| lab.get_request(AMINA_PATH)).collect();
    let (replies, ()) = tokio::join!(w.shoots(shots), w.withdraws(RIVERSIDE, "Lab Link"));
    assert!(replies.iter().all(|reply| [200, 403].contains(&reply.status)));
    for path in [AMINA_PATH, "/fhir/Patient/amina/_history", "/fhir/Patient/amina/_history/1"] {
        lab.get(path).await.says(403, "ORGANISATION_NOT_GRANTED");
    }
    lab.post("/fhir/DocumentReference", &letter(AMINA)).await.says(403, "ORGANISATION_NOT_GRANTED");
    w.system().await.get(AMINA_PATH).await.says(403, "ORGANISATION_NOT_GRANTED");
    w.grants(RIVERSIDE, "Lab Link").await;
    lab.get(AMINA_PATH).await.opened();
}

/// Two users that the operator edits concern nobody else: others stay signed in, and hear what they heard.
#[tokio::test]
async fn editing_two_users_signs_nobody_else_out_and_changes_nobody_elses_answers() {
    let w = World::new().await;
    let (amina, okafor, lab) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
    let (ben, silva) = (w.ben().caller().await, w.dr_silva().caller().await);
    let (mut browser, mut frozen) = (w.amina().signs_in().await, w.ben().signs_in().await);
    let before = answers(&[&amina, &okafor, &lab]).await;
    let (silvas, ben_is) = (answers(&[&silva]).await, answers(&[&ben]).await);
    w.ben().is_frozen().await;
    let rename = |user: &mut User| user.name = "Dr Silva-Braga".into();
    let now = w.now();
    store::people::change(&w.app.store, "silva@riverside.example".into(), rename, now).await.unwrap().unwrap();
    assert_eq!(answers(&[&amina, &okafor, &lab]).await, before);
    assert_eq!(browser.get("/connected-apps").await.status, 200);
    assert_eq!(frozen.get("/connected-apps").await.redirect().to, "/sign-in");
    ben.get("/fhir/Patient/ben").await.says(403, "ACCESS_FROZEN_OUTWARD");
    assert_ne!(answers(&[&ben]).await, ben_is);
    assert_eq!(silva.get("/json/users/self").await.opened().json()["lastName"], "Silva-Braga", "not from memory");
    assert_ne!(answers(&[&silva]).await, silvas);
}

async fn answers(callers: &[&Caller<'_>]) -> Vec<(u16, Vec<u8>)> {
    let mut answers = Vec::new();
    for caller in callers {
        for path in [AMINA_PATH, "/fhir/Patient/ben", "/fhir/DocumentReference/note", "/json/users/self"] {
            // An error tells the id of its request.
            let reply = caller.get_with(path, &[("x-request-id", "the-same")]).await;
            answers.push((reply.status, reply.body));
        }
    }
    answers
}
