//! Why somebody sees an item, or does not: told to operators and to the patient, and never otherwise than it is decided.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, amina_is_deceased, import, letter_of, observation};
use crate::kit::{HILLSIDE, HILLSIDE_TEAM, MINUTE, RIVERSIDE, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use rules::labels::{Label, Labels};
use serde_json::{Value, json};
use service::explanation::explained::Explanation;
use service::operator::consent_declaration::{ConsentDeclaration, EndDeclaration};
use service::operator::{ChosenNames, Progress, Recipient, Reply, Request, WhyQuestion, execute};
use std::sync::Arc;
use store::organisations;
use store::sharing::declared::GranteeName;
use store::world::{self, WantedTeam, World as Declared};

async fn asks(w: &World, request: Request) -> Reply {
    let unheard: Progress = Arc::new(|_, _| ());
    execute(&w.app, request, &unheard).await
}

/// The question of an operator, and the answer or the refusal.
async fn asked(w: &World, question: WhyQuestion) -> Result<Explanation, Vec<String>> {
    match asks(w, Request::Why(Box::new(question))).await {
        Reply::Why(told) => Ok(*told),
        Reply::Refused(why) => Err(why),
        other => panic!("{other:?}"),
    }
}

fn question(viewer: &str, patient: &str, item: &str) -> WhyQuestion {
    let item = Some(item.trim_start_matches("/fhir/").to_owned());
    WhyQuestion { viewer: viewer.parse().unwrap(), patient: patient.into(), item, at: None, glass: false }
}

async fn why(w: &World, viewer: &str, patient: &str, item: &str) -> Explanation {
    asked(w, question(viewer, patient, item)).await.unwrap()
}

fn labels(labels: &[Label]) -> Option<Labels> {
    Some(labels.iter().copied().collect())
}

async fn shares(w: &World, to: GranteeName, labels: Option<Labels>, ends_at: Option<EndDeclaration>) {
    let wanted = ConsentDeclaration {
        at: String::new(),
        patient: AMINA.into(),
        to,
        labels,
        basis: None,
        manages: None,
        ends_at,
        discharged: None,
        locked: None,
    };
    let reply = asks(w, Request::SetConsent { wanted: Box::new(wanted) }).await;
    assert!(matches!(reply, Reply::Consent { .. }), "{reply:?}");
}

fn team(id: &str) -> GranteeName {
    GranteeName::Team(id.into())
}

fn labelled(mut resource: Value, label: &str) -> Value {
    resource["meta"] = json!({ "security": [{ "system": "urn:recordgate:privacy-label", "code": label }] });
    resource
}

/// A session of a person that the operator opens, about a record of somebody whom they care for.
async fn cares<'w>(w: &'w World, username: &str, record: &str) -> Caller<'w> {
    let app = w.client("Sleep Diary");
    let choice = ChosenNames { record: Some(record.into()), team: None };
    let who = Recipient::Users(vec![username.into()]);
    let client_id = app.registration.client_id.to_owned();
    let reply = asks(w, Request::Issue { client_id, who, choice, check_only: false }).await;
    let Reply::Issued(report) = reply else { panic!("{reply:?}") };
    assert_eq!(report.problem, None);
    let refresh = report.tokens[0].refresh_token.reveal();
    let access = app.asks_for_tokens(&app.refreshment(refresh)).await.granted().access;
    Caller { world: w, access, organisation: None }
}

/// A viewer as an operator spells one, the record that the session is about, if it is about one, and a session.
struct Looking<'w> {
    viewer: String,
    about: Option<&'static str>,
    caller: Caller<'w>,
}

fn looking(viewer: String, caller: Caller<'_>) -> Looking<'_> {
    Looking { viewer, about: None, caller }
}

/// An item, and whose record it is in.
type ItemPlace = (String, &'static str);

/// Asks and reads: what is told to be seen is answered, and nothing else is.
async fn hold(w: &World, state: &str, lookers: &[Looking<'_>], items: &[ItemPlace]) -> usize {
    let mut seen = 0;
    for Looking { viewer, about, caller } in lookers {
        for (item, patient) in items {
            let status = caller.status(item).await;
            let told = asked(w, question(viewer, about.unwrap_or(patient), item)).await;
            let sees = told.as_ref().is_ok_and(|told| told.sees);
            assert_eq!(sees, status == 200, "{state}: {viewer} reads {item}: {status}, and is told {told:?}");
            if let Ok(told) = &told {
                let heard = told.answer.split([' ', ':']).next().unwrap();
                assert_eq!(heard, if sees { "shown".to_owned() } else { status.to_string() }, "{state}: {told:?}");
                assert_eq!(told.right.is_some(), sees, "{told:?}");
            }
            seen += usize::from(sees);
        }
    }
    seen
}

/// Every viewer before every item, in one state of consents, record and account after the other.
#[tokio::test]
async fn why_says_that_somebody_sees_an_item_exactly_where_their_read_is_answered_with_it() {
    let w = World::new().await;
    import(
        &w.app.store,
        RIVERSIDE,
        &[json!({ "resourceType": "Organization", "id": "ward", "name": "Ward 4" })],
        w.now(),
    )
    .await;
    w.dr_silva().is_of(&[]).await;
    let (ben, silva) = (w.ben().account.username, w.dr_silva().account.username);
    let everyday = [Label::GeneralHealth, Label::SocialCare];
    let own = w.ben().caller().await;
    shares(&w, GranteeName::Carer(ben.into()), labels(&everyday), None).await;
    let (amina, okafor, lab) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
    let carer = cares(&w, ben, AMINA).await;
    let mut items: Vec<ItemPlace> = Vec::new();
    for label in Label::ALL {
        items.push((amina.makes(&labelled(observation(AMINA), label.code())).await, AMINA));
        items.push((okafor.makes(&labelled(observation(AMINA), label.code())).await, AMINA));
    }
    items.push((okafor.makes(&observation(AMINA)).await, AMINA));
    items.push((lab.makes(&labelled(observation(AMINA), "GENERAL_HEALTH")).await, AMINA));
    items.push((carer.makes(&labelled(observation(AMINA), "GENERAL_HEALTH")).await, AMINA));
    let gone = amina.makes(&observation(AMINA)).await;
    assert_eq!(amina.delete(&gone).await.status, 204);
    items.push((gone, AMINA));
    for patient in [AMINA, BEN] {
        let (letter, content) = letter_of(patient);
        items.push((format!("/fhir/DocumentReference/{letter}"), patient));
        items.push((format!("/fhir/Binary/{content}"), patient));
        items.push((format!("/fhir/Patient/{patient}"), patient));
    }
    items.push((own.makes(&observation(BEN)).await, BEN));
    items.push(("/fhir/Organization/ward".into(), AMINA));
    items.push(("/fhir/Observation/none".into(), AMINA));
    let given = why(&w, &format!("team:{RIVERSIDE_TEAM}"), AMINA, "Patient/amina").await;
    items.push((format!("/fhir/Consent/{}", given.consents[0].id), AMINA));

    let user = |name: &str| format!("user:{name}");
    let lookers = [
        Looking { about: Some(AMINA), ..looking(user(w.amina().account.username), amina) },
        Looking { about: Some(BEN), ..looking(user(ben), own) },
        Looking { about: Some(AMINA), ..looking(user(ben), carer) },
        looking(user(w.dr_okafor().account.username), okafor),
        looking(user(silva), w.dr_silva().caller().await),
        looking(user(w.grace().account.username), w.grace().caller().await),
        looking(format!("team:{RIVERSIDE_TEAM}"), w.site().await),
        looking(format!("organisation:{RIVERSIDE}"), lab),
        looking(format!("organisation:{HILLSIDE}"), w.system_for_hillside().await),
    ];
    let at_first = hold(&w, "registered", &lookers, &items).await;
    shares(&w, team(RIVERSIDE_TEAM), labels(&[Label::MentalHealth]), None).await;
    let narrowed = hold(&w, "narrowed", &lookers, &items).await;
    assert!(narrowed < at_first, "{narrowed} of {at_first}");
    shares(
        &w,
        GranteeName::Professional(silva.into()),
        labels(&Label::ALL),
        Some(EndDeclaration::At(w.now().0 + 60_000)),
    )
    .await;
    let widened = hold(&w, "a professional", &lookers, &items).await;
    assert!(widened > narrowed, "{widened} of {narrowed}");
    w.after(60);
    assert_eq!(hold(&w, "the professional's consent is over", &lookers, &items).await, narrowed);
    shares(&w, GranteeName::Professional(silva.into()), labels(&Label::ALL), Some(EndDeclaration::Never)).await;
    let record = |frozen| Request::FreezeRecord { patient: AMINA.into(), frozen, reason: "tried".into() };
    asks(&w, record(true)).await;
    assert!(hold(&w, "frozen record", &lookers, &items).await < widened);
    asks(&w, record(false)).await;
    assert_eq!(hold(&w, "not frozen any more", &lookers, &items).await, widened);
    w.dr_okafor().is_frozen().await;
    assert!(hold(&w, "frozen account", &lookers, &items).await < widened);
    w.dr_okafor().is_let_in_again().await;
    asks(&w, Request::DisableSharing { patient: AMINA.into(), disabled: true, reason: "tried".into() }).await;
    hold(&w, "sharing disabled", &lookers, &items).await;
    amina_is_deceased(&w.app.store, w.now()).await;
    hold(&w, "deceased", &lookers, &items).await;
}

/// A broken glass is told of, and looked through where that is asked: as the calls that present its token, and no others.
#[tokio::test]
async fn a_glass_is_told_and_opens_what_the_token_opens() {
    let w = World::new().await;
    let riverside = organisations::find_team(&w.app.store, RIVERSIDE_TEAM).await.unwrap().unwrap();
    let wanted =
        WantedTeam { break_glass: Some(true), ..WantedTeam::of(&riverside.public_id, &riverside.name, RIVERSIDE) };
    world::apply(&w.app.store, Declared { teams: vec![wanted], ..Declared::default() }, w.now()).await.unwrap();
    let (okafor, viewer) = (w.dr_okafor().caller().await, format!("team:{RIVERSIDE_TEAM}"));
    let item = w.ben().caller().await.makes(&observation(BEN)).await;
    let through = |glass| WhyQuestion { glass, ..question(&viewer, BEN, &item) };
    let none = asked(&w, through(true)).await.unwrap_err();
    assert!(none[0].contains("no glass of the team Riverside Diabetes Team is open"), "{none:?}");
    let reason =
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "reason", "valueString": "unconscious" }] });
    let broken = okafor.post("/fhir/Patient/ben/$break-glass", &reason).await.json();
    let token = broken["parameter"].as_array().unwrap().iter().find(|one| one["name"] == "token").unwrap();
    let header = [("breaktheglass", token["valueString"].as_str().unwrap())];

    let (without, with) = (asked(&w, through(false)).await.unwrap(), asked(&w, through(true)).await.unwrap());
    assert_eq!((without.sees, okafor.status(&item).await), (false, 404));
    assert!(without.notes.iter().any(|note| note.contains("a glass is broken")), "{without:?}");
    assert_eq!((with.sees, okafor.get_with(&item, &header).await.status), (true, 200));
    assert_eq!(with.right.as_deref(), Some("glass"));
    let glass = with.glass.unwrap();
    assert_eq!((glass.broken_by.as_str(), glass.reason.as_deref()), ("Dr Okafor", Some("unconscious")));
    let later = WhyQuestion { at: Some(w.now().0 + 30 * MINUTE * 1000), ..through(true) };
    assert!(asked(&w, later).await.is_err(), "it is over by then");
}

#[tokio::test]
async fn the_consent_is_told_with_its_giver_and_what_changed_since_the_moment_that_is_asked_about() {
    let w = World::new().await;
    let before = w.now();
    let (amina, viewer) = (w.amina().caller().await, format!("team:{RIVERSIDE_TEAM}"));
    let item = amina.makes(&labelled(observation(AMINA), "MENTAL_HEALTH")).await;
    let seen = why(&w, &viewer, AMINA, &item).await;
    assert_eq!((seen.right.as_deref(), seen.answer.as_str()), (Some("consent"), "shown"));
    assert_eq!(seen.steps[3], "consent: yes, the patient shares with the team Riverside Diabetes Team what it needs");
    assert_eq!((seen.held.len(), seen.notes.len()), (4, 0), "{seen:?}");
    w.after(60);
    shares(&w, team(RIVERSIDE_TEAM), labels(&[Label::GeneralHealth]), None).await;
    let hidden = why(&w, &viewer, AMINA, &item).await;
    let missing = "not seen: it needs MENTAL_HEALTH, and the team Riverside Diabetes Team holds GENERAL_HEALTH";
    assert_eq!(hidden.steps.last().map(String::as_str), Some(missing));
    assert!(hidden.answer.starts_with("404 NOT_FOUND"), "{hidden:?}");
    let consent = &hidden.consents[0];
    assert_eq!((consent.state.as_str(), consent.labels.as_slice()), ("ACTIVE", &["GENERAL_HEALTH".to_owned()][..]));
    assert_eq!(consent.changed_by, "the operator or a System Client");
    let past = WhyQuestion { at: Some(before.0 + 1), ..question(&viewer, AMINA, &item) };
    let notes = asked(&w, past).await.unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("the consent was changed at")), "{notes:?}");
}

#[tokio::test]
async fn whoever_does_not_exist_or_looks_at_no_record_is_refused_in_words() {
    let w = World::new().await;
    w.dr_okafor().is_of(&[RIVERSIDE_TEAM, SLEEP_TEAM]).await;
    let okafor = w.dr_okafor().account.username;
    for (viewer, patient, item, words) in [
        (format!("team:{HILLSIDE}"), AMINA, "Patient/amina", "there is no team"),
        ("user:nobody".into(), AMINA, "Patient/amina", "there is no user nobody"),
        (format!("organisation:{RIVERSIDE_TEAM}"), AMINA, "Patient/amina", "there is no organisation"),
        (format!("organisation:{RIVERSIDE}+{HILLSIDE_TEAM}"), AMINA, "Patient/amina", "is no team of the organisation"),
        (format!("user:{}", w.admin().account.username), AMINA, "Patient/amina", "who looks at no record"),
        (format!("user:{okafor}"), AMINA, "Patient/amina", "looks for one team at a time"),
        (format!("user:{okafor}+{HILLSIDE_TEAM}"), AMINA, "Patient/amina", "is no member of the team"),
        (format!("team:{RIVERSIDE_TEAM}"), "nobody", "Patient/nobody", "there is no patient nobody"),
        (format!("team:{RIVERSIDE_TEAM}"), AMINA, "Patient/ben", "there is no Patient/ben in the record of amina"),
        (format!("team:{RIVERSIDE_TEAM}"), AMINA, "Letter/1", "names no item"),
    ] {
        let why = asked(&w, question(&viewer, patient, item)).await.unwrap_err();
        assert!(why[0].contains(words), "{viewer}, {item}: {why:?}");
    }
    assert!(why(&w, &format!("user:{okafor}+{RIVERSIDE_TEAM}"), AMINA, "Patient/amina").await.sees);
}

/// Where the line of a log leads that has these words, if it leads anywhere.
fn link_of(log: &str, words: &str) -> Option<String> {
    let line = log.split("<li>").skip(1).find(|line| line.contains(words))?.split("</li>").next()?;
    let (_, link) = line.split_once("href=\"")?;
    link.split('"').next().map(String::from)
}

/// An operator's question is in the log of the patient, who asks the same on a page, from the line that tells of a look.
// gaps: Pages > Why could they see this?
#[tokio::test]
async fn a_patient_asks_why_from_a_line_of_the_log_and_sees_who_asked_before() {
    let w = World::new().await;
    let letter = format!("/fhir/DocumentReference/{}", letter_of(AMINA).0);
    w.dr_okafor().caller().await.get(&letter).await.opened();
    why(&w, &format!("team:{RIVERSIDE_TEAM}"), AMINA, &letter).await;
    let mut amina = w.amina().signs_in().await;
    let log = amina.sees("/access-log").await;
    assert!(log.html.contains("Looked up who sees what of your record, and why"), "{}", log.html);
    let link = link_of(&log.html, "Dr Okafor").unwrap();
    let page = amina.sees(&link).await.html;
    for told in [
        "Opened the details of a letter",
        "for Dr Okafor, Riverside Diabetes Team",
        "<strong>the team Riverside Diabetes Team</strong> can see a letter.",
        "consent: yes, the patient shares with the team Riverside Diabetes Team what it needs",
        "general health, mental health, sexual health, social care",
        "It is in force.",
    ] {
        assert!(page.contains(told), "{told} in {page}");
    }
    assert!(!page.contains("<script"));
    shares(&w, team(RIVERSIDE_TEAM), labels(&[]), None).await;
    let page = amina.sees(&link).await.html;
    assert!(page.contains("cannot see a letter any more") && page.contains("nothing but what they wrote"), "{page}");
}

/// A line of another's log, one that is none, and one's own looks are no pages.
#[tokio::test]
async fn nobody_asks_about_the_lines_of_another_log() {
    let w = World::new().await;
    w.dr_okafor().caller().await.get("/fhir/Patient/amina").await.opened();
    let mut amina = w.amina().signs_in().await;
    let link = link_of(&amina.sees("/access-log").await.html, "Dr Okafor").unwrap();
    let mut ben = w.ben().signs_in().await;
    ben.get(&link).await.error_page(404);
    w.grace().signs_in().await.get(&link).await.error_page(403);
    w.amina().caller().await.get("/fhir/Patient/amina").await.opened();
    let log = amina.sees("/access-log").await.html;
    assert!(log.contains("for you") && link_of(&log, "for you").is_none(), "not of one's own looks: {log}");
    for (broken, status) in [("", 400), ("?line=", 400), ("?line=x.y", 400), ("?line=1.1", 404), ("?line=%FF", 400)] {
        amina.get(&format!("/access-log/why{broken}")).await.error_page(status);
    }
}

#[tokio::test]
async fn of_messages_and_drafts_is_told_what_is_decided_of_them() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let message = |status: &str, members: Value| {
        let mut message = json!({ "resourceType": "Communication", "status": status,
            "subject": { "reference": format!("Patient/{AMINA}") }, "payload": [{ "contentString": "It leaks." }],
            "recipient": [{ "reference": format!("Organization/{SLEEP_TEAM}") }] });
        members.as_object().unwrap().iter().for_each(|(name, value)| message[name] = value.clone());
        message
    };
    let secret = json!({ "extension": [{ "url": "urn:recordgate:private", "valueBoolean": true }] });
    let private = amina.makes(&message("completed", secret)).await;
    let draft = okafor.makes(&message("preparation", json!({}))).await;
    let (sleep, riverside) = (format!("team:{SLEEP_TEAM}"), format!("team:{RIVERSIDE_TEAM}"));
    let (okafor, amina) = ("user:okafor@riverside.example", "user:amina@example.org");
    for (viewer, item, right) in [
        (sleep.as_str(), &private, Some("participant")),
        (&riverside, &private, None),
        (amina, &private, Some("self")),
        (okafor, &draft, Some("participant")),
        (&riverside, &draft, None),
        (&sleep, &draft, None),
        (amina, &draft, None),
    ] {
        let told = why(&w, viewer, AMINA, item).await;
        assert_eq!((told.sees, told.right.as_deref()), (right.is_some(), right), "{viewer} {item}: {told:?}");
    }
}
