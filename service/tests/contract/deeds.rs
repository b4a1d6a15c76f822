//! What is done beside looks and grants, as the patient concerned and whoever must answer for it read it: who wrote what, for
//! which team somebody looked, who was registered where, and which operator did what.

use crate::kit::clients;
use crate::kit::records::{AMINA, BEN, document, import, letter, letter_of};
use crate::kit::{DAY, RIVERSIDE, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use serde_json::json;
use service::app::access_writer;
use service::operator::{Account, Progress, Reply, Request, execute};
use service::secrets::secret::Secret;
use std::sync::Arc;
use store::ledger::{self, Event, LedgerSpan, NamedLine};

/// Every line of an event, in the order of the ledger.
async fn lines(w: &World, event: Event) -> Vec<NamedLine> {
    access_writer::flush(&w.app).await;
    let mut lines = Vec::new();
    let keep = |line: NamedLine| {
        lines.push(line);
        true
    };
    ledger::each(&w.app.store, LedgerSpan::ALL, |line| line.event == event, keep).await.unwrap();
    lines
}

async fn asks(w: &World, request: Request) -> Reply {
    let unheard: Progress = Arc::new(|_, _| ());
    execute(&w.app, request, &unheard).await
}

async fn log_of_amina(w: &World) -> String {
    w.amina().signs_in().await.sees("/access-log").await.html
}

/// A clinician of two teams looks by the one that the patient is registered with, whichever comes first.
// gaps: Records and reach > The team of a look
#[tokio::test]
async fn a_clinicians_look_names_the_team_by_which_the_record_was_seen() {
    let w = World::new().await;
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM, SLEEP_TEAM]).await;
    let okafor = w.dr_okafor().caller_from_before().await;
    let mut teams = Vec::new();
    for team in [SLEEP_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM] {
        w.amina().is_of(&[team]).await;
        okafor.get(&format!("/fhir/DocumentReference/{}", letter_of(AMINA).0)).await.opened();
        access_writer::flush(&w.app).await;
        teams.push(store::organisations::find_team(&w.app.store, team).await.unwrap().unwrap().name);
    }
    let looks = lines(&w, Event::Accessed).await;
    let told: Vec<&str> = looks.iter().filter_map(|line| line.team.as_deref()).collect();
    assert_eq!(told, teams);
    assert!(looks.iter().all(|line| line.username.as_deref() == Some(w.dr_okafor().account.username)), "{looks:?}");
}

/// Each time, whoever opens it, and each letter by itself.
// gaps: Pages > Access log
#[tokio::test]
async fn a_letter_is_named_each_time_it_is_opened() {
    let w = World::new().await;
    let other = json!({ "contentType": "text/plain", "title": "Scan of the knee", "data": "SGk=" });
    import(&w.app.store, RIVERSIDE, &[document("scan", AMINA, "S-1", other)], w.now()).await;
    let (letter, content) = letter_of(AMINA);
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    for _ in 0..2 {
        amina.get(&format!("/fhir/Binary/{content}")).await.opened();
        access_writer::flush(&w.app).await;
        w.after(60);
    }
    for _ in 0..3 {
        okafor.get("/fhir/DocumentReference/scan").await.opened();
        okafor.get(&format!("/fhir/DocumentReference/{letter}")).await.opened();
    }
    let log = log_of_amina(&w).await;
    assert_eq!(log.matches("Opened a letter “Clinic letter”, for you").count(), 2, "{log}");
    assert!(log.contains("Opened the details of a letter “Clinic letter”, 3 times"), "{log}");
    assert!(log.contains("Opened the details of a letter “Scan of the knee”, 3 times"), "{log}");
}

/// The patient hears who wrote about them, and the ledger with which session.
// gaps: Operation > Lines of what is written
#[tokio::test]
async fn whoever_writes_about_a_patient_is_in_their_log() {
    let w = World::new().await;
    w.after(DAY);
    let mut sent = letter(AMINA);
    sent["description"] = "Knee clinic".into();
    assert_eq!(w.dr_okafor().caller().await.post("/fhir/DocumentReference", &sent).await.status, 201);
    assert_eq!(w.system().await.post("/fhir/DocumentReference", &letter(AMINA)).await.status, 201);
    assert_eq!(w.system().await.post("/fhir/DocumentReference", &letter(BEN)).await.status, 422);
    let created = lines(&w, Event::Created).await;
    // Each letter brought its content, which is a Binary and has a line of its own.
    let [.., content, clinicians, other_content, systems] = created.as_slice() else { panic!("{created:?}") };
    for (written, what) in [
        (content, "Binary/"),
        (clinicians, "DocumentReference/"),
        (other_content, "Binary/"),
        (systems, "DocumentReference/"),
    ] {
        assert!(written.detail.as_deref().is_some_and(|detail| detail.starts_with(what)), "{written:?}");
    }
    for clinicians in [content, clinicians] {
        assert_eq!(clinicians.username.as_deref(), Some(w.dr_okafor().account.username));
        assert!(clinicians.session.is_some() && clinicians.team.is_some() && clinicians.product.is_some());
    }
    for systems in [other_content, systems] {
        assert_eq!((systems.session, systems.user.as_deref()), (None, None));
        assert!(systems.organisation.is_some() && systems.product.as_deref() == Some("Lab Link"));
    }
    let log = log_of_amina(&w).await;
    assert!(log.contains("Wrote a letter “Knee clinic”, for Dr Okafor, Riverside Diabetes Team"), "{log}");
    assert!(log.contains("Wrote a letter, for Riverside"), "{log}");
}

/// Who sees a record changes with a registration, and the patient hears of it.
// gaps: Operation > Lines of who belongs to whom
#[tokio::test]
async fn a_registration_is_in_the_patients_log_in_words() {
    let w = World::new().await;
    w.amina().is_of(&[SLEEP_TEAM]).await;
    let log = log_of_amina(&w).await;
    assert!(log.contains("You were registered with Riverside Diabetes Team, which sees your record"), "{log}");
    assert!(log.contains("Your registration with Riverside Diabetes Team ended"), "{log}");
    assert!(log.contains("Your account was made"), "{log}");
}

/// By the account of the process, never by what a request says.
// gaps: Operation > Lines of operators
#[tokio::test]
async fn what_an_operator_does_is_told_with_their_account_and_what_is_refused_is_not_told() {
    let w = World::new().await;
    let username = w.amina().account.username.to_owned();
    let freeze = |frozen| asks(&w, Request::Freeze { username: username.clone(), frozen });
    assert!(matches!(freeze(true).await, Reply::Changed(true)));
    assert!(matches!(freeze(true).await, Reply::Changed(false)));
    assert!(matches!(freeze(false).await, Reply::Changed(true)));
    let nobody = Request::Freeze { username: "nobody".into(), frozen: true };
    assert!(matches!(asks(&w, nobody).await, Reply::Refused(_)));
    let password = Secret::new("maple-thunder-quilt-90".into());
    let set = Request::SetPassword { username: username.clone(), password, end_sessions: false };
    assert!(matches!(asks(&w, set).await, Reply::Ended(0)));
    let account = Account::of_this_process().to_string();
    for event in [Event::Frozen, Event::Unfrozen, Event::PasswordChanged] {
        let told = lines(&w, event).await;
        let [line] = told.as_slice() else { panic!("{event:?}: {told:?}") };
        assert_eq!((line.operator.as_ref(), line.username.as_ref()), (Some(&account), Some(&username)));
    }
    let mut amina = crate::kit::browser::Browser::new(&w);
    assert_eq!(amina.signs_in(&username, "maple-thunder-quilt-90").await.status, 303);
    let log = amina.sees("/access-log").await.html;
    let (_, operators) = log.split_once("<h3>The operator of this service").expect("a heading");
    assert!(operators.contains("Your password was changed") && operators.contains("Your account was frozen"), "{log}");
}

/// What the operator's keys become is told too.
// gaps: Operation > Lines of accounts, clients and keys
#[tokio::test]
async fn a_rotated_key_and_a_new_secret_are_told_without_the_key_and_the_secret() {
    let w = World::new().await;
    assert!(matches!(asks(&w, Request::RotateKey).await, Reply::Keys(keys) if keys.len() == 2));
    let client_id = clients::named("Lab Link").client_id.to_owned();
    let Reply::Secret(made) = asks(&w, Request::RotateSecret { client_id }).await else { panic!("a secret") };
    let added = lines(&w, Event::KeyAdded).await;
    assert_eq!(added.len(), 2, "the first and the new one");
    assert_eq!(added.last().unwrap().detail.as_ref(), w.app.keys.ids().last());
    let changed = lines(&w, Event::ClientSecretChanged).await;
    assert_eq!((changed.len(), changed[0].product.as_deref()), (1, Some("Lab Link")));
    assert!(changed.iter().all(|line| line.detail.is_none()) && !made.secret.reveal().is_empty());
}
