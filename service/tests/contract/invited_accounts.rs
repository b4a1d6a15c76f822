//! Accounts that patients made by invitation: which teams see them, who ends one, and the further code that some organisations ask for.

use crate::join::{EMAIL, PASSWORD, carlas, opened};
use crate::kit::browser::Browser;
use crate::kit::organisations::{HILLSIDE_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM};
use crate::kit::page::Page;
use crate::kit::people::Account;
use crate::kit::person::Person;
use crate::kit::reply::Reply as Answer;
use crate::kit::{DAY, RIVERSIDE, World, fields};
use crate::records::invitations::{registers, with_carla};
use rules::invitations::FurtherProof;
use rules::limits::{FAILURE_WINDOW_SECONDS, PAPER_SECONDS, PAPER_TRIES};
use rules::scope::UserType;
use service::app::access_writer;
use service::operator::declaration::{Declaration, Password, UserDeclaration};
use service::operator::{How, Reply, Request, execute, world_file};
use service::secrets::secret::Secret;
use std::sync::Arc;
use store::ledger::{self, Event, LedgerSpan, NamedLine};
use store::people;

const ACCOUNTS: &str = "/coordinator/accounts";
const NOT_THE_PAPER: &str = "This is not the code on the paper";
const CARLA: Account = Account {
    username: EMAIL,
    password: PASSWORD,
    name: "Carla Maria New",
    user_type: UserType::Patient,
    patient: Some("carla"),
    team: None,
};

async fn asks(w: &World, request: Request) -> Reply {
    let unheard: service::operator::Progress = Arc::new(|_, _| ());
    execute(&w.app, request, &unheard).await
}

fn refusal(reply: Reply) -> String {
    match reply {
        Reply::Refused(why) => why.join("\n"),
        other => panic!("not refused: {other:?}"),
    }
}

/// Fills the second page in and sends it, with this further code.
async fn chooses(browser: &mut Browser<'_>, page: &Page, paper: &str) -> Answer {
    let sealed = page.form("/join").sealed;
    let filled =
        [("form", sealed.as_str()), ("e", EMAIL), ("password", PASSWORD), ("repeated", PASSWORD), ("paper", paper)];
    browser.post("/join", &fields(filled)).await
}

/// Carla is invited and makes her account.
async fn joins(w: &World) {
    let one = carlas(w).await;
    let mut browser = Browser::new(w);
    let second = opened(&mut browser, &one).await;
    assert_eq!(chooses(&mut browser, &second, "").await.redirect().to, "/sign-in");
}

/// A world in which Carla, of Riverside and Hillside, has made an account by Riverside's invitation.
async fn with_account() -> World {
    let w = with_carla().await;
    registers(&w, "carla", &[RIVERSIDE_TEAM, HILLSIDE_TEAM]).await;
    joins(&w).await;
    w
}

fn carla(w: &World) -> Person<'_> {
    Person { world: w, account: &CARLA }
}

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

// gaps: Pages > Accounts of a team's patients
#[tokio::test]
async fn every_team_that_has_the_patient_sees_the_account_when_it_was_made_and_who_invited() {
    let w = with_account().await;
    for coordinator in [w.grace(), w.henry()] {
        let page = coordinator.signs_in().await.sees(ACCOUNTS).await.html;
        for told in [
            "Carla Maria New",
            "1985-02-01",
            "<code>carla</code>",
            "<td role=\"cell\" data-label=\"Invited by\">Riverside",
        ] {
            assert!(page.contains(told), "{told} in {page}");
        }
        assert!(page.contains("data-label=\"Made\"><time datetime="), "{page}");
        assert!(!page.contains(EMAIL), "how she signs in is her own: {page}");
    }
    registers(&w, "carla", &[RIVERSIDE_TEAM]).await;
    let page = w.henry().signs_in().await.sees(ACCOUNTS).await.html;
    assert!(!page.contains("Carla") && page.contains("No patient of your team"), "{page}");
}

/// The name of a patient is part of their record, so a look at the list is a look at it.
// gaps: Pages > Accounts of a team's patients
#[tokio::test]
async fn a_coordinators_look_at_the_list_is_in_the_patients_log() {
    let w = with_account().await;
    w.henry().signs_in().await.sees(ACCOUNTS).await;
    access_writer::flush(&w.app).await;
    let log = carla(&w).signs_in().await.sees("/access-log").await.html;
    for told in ["A page of this service", "Henry Osei", "Hillside Practice", "Opened your personal details"] {
        assert!(log.contains(told), "{told} in {log}");
    }
}

// gaps: Pages > Ending an account that was made by invitation
#[tokio::test]
async fn one_press_of_a_coordinator_ends_the_account_with_all_its_sessions() {
    let w = with_account().await;
    let (app, tokens) = carla(&w).approves("Sleep Diary").await;
    let (_, code) = carla(&w).gives_code("Sleep Diary").await;
    let mut hers = carla(&w).signs_in().await;
    let mut henry = w.henry().signs_in().await;
    let form = henry.sees(ACCOUNTS).await.form("/end/");
    let ended = henry.post(&form.action, &fields([("form", &form.sealed)])).await;
    assert_eq!((ended.redirect().to.as_str(), ended.redirect().get("ended")), (ACCOUNTS, Some("1")));
    let page = henry.sees(&format!("{ACCOUNTS}?ended=1")).await;
    assert!(
        page.html.contains("Nobody can sign in with it any more") && page.html.contains("Ended <time"),
        "{}",
        page.html
    );
    assert!(page.forms().iter().all(|form| !form.action.contains("/end/")), "{}", page.html);

    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&tokens).await.refused("invalid_grant");
    app.redeem(&code).await.refused("invalid_grant");
    assert_eq!(hers.get("/").await.status, 200);
    assert!(hers.sees("/").await.html.contains("href=\"/sign-in\""), "signed out");
    let mut browser = Browser::new(&w);
    assert_eq!(browser.signs_in(EMAIL, PASSWORD).await.status, 401);
    let told = lines(&w, Event::AccountEnded).await;
    let [line] = &told[..] else { panic!("{told:?}") };
    let by = (line.username.as_deref(), line.team.as_deref(), line.organisation.as_deref(), line.detail.as_deref());
    let henry = w.henry().account.username;
    assert_eq!(by, (Some(henry), Some("Hillside Practice"), Some("Riverside"), Some(EMAIL)));
}

// gaps: Pages > Ending an account that was made by invitation
#[tokio::test]
async fn whose_account_was_ended_is_invited_again_and_hears_what_became_of_the_first() {
    let w = with_account().await;
    let (_, tokens) = carla(&w).approves("Sleep Diary").await;
    assert!(matches!(asks(&w, Request::EndAccount { username: EMAIL.into() }).await, Reply::Ended(1)));
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    assert_eq!(Browser::new(&w).signs_in(EMAIL, PASSWORD).await.status, 401);
    joins(&w).await;
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    let mut again = carla(&w).signs_in().await;
    assert!(again.sees("/").await.html.contains("made by the invitation of <strong>Riverside</strong>"));
    let log = again.sees("/access-log").await.html;
    assert!(log.contains("The account that was made by the invitation of Riverside was ended"), "{log}");
    let page = w.grace().signs_in().await.sees(ACCOUNTS).await;
    assert_eq!(
        (page.html.matches("Carla Maria New</strong>").count(), page.html.matches("Ended <time").count()),
        (2, 1)
    );
}

/// Neither a coordinator of another team, nor one whose team the patient has left meanwhile.
// gaps: Pages > Ending an account that was made by invitation
#[tokio::test]
async fn only_a_coordinator_of_a_team_that_has_the_patient_ends_the_account() {
    let w = with_account().await;
    let (_, tokens) = carla(&w).approves("Sleep Diary").await;
    let (mut henry, mut grace) = (w.henry().signs_in().await, w.grace().signs_in().await);
    let form = henry.sees(ACCOUNTS).await.form("/end/");
    let borrowed = grace.post(&form.action, &fields([("form", &form.sealed)])).await;
    borrowed.error_page(400);
    registers(&w, "carla", &[SLEEP_TEAM]).await;
    let refused = henry.post(&form.action, &fields([("form", &form.sealed)])).await;
    assert_eq!(refused.redirect().get("not_ended"), Some("1"));
    w.calls_fhir_with(&tokens.access).await.opened();
    assert!(lines(&w, Event::AccountEnded).await.is_empty());
}

// gaps: Pages > Ending an account that was made by invitation
#[tokio::test]
async fn an_operator_ends_self_made_accounts_only_and_an_ended_one_stays_so() {
    let w = with_account().await;
    let others = w.amina().account.username;
    assert!(refusal(asks(&w, Request::EndAccount { username: others.into() }).await).contains("user freeze"));
    let user = people::find(&w.app.store, EMAIL).await.unwrap().unwrap();
    asks(&w, Request::EndAccount { username: EMAIL.into() }).await;
    let ended = format!("ended:{}", user.id);
    assert!(people::find(&w.app.store, &ended).await.unwrap().is_some_and(|user| user.is_shut_out()));
    for request in [
        Request::EndAccount { username: ended.clone() },
        Request::Freeze { username: ended.clone(), frozen: false },
        Request::SetPassword { username: ended.clone(), password: Secret::new(PASSWORD.into()), end_sessions: false },
    ] {
        refusal(asks(&w, request).await);
    }
    let file = format!("[[user]]\nusername = \"{ended}\"\npassword = \"{PASSWORD}\"\ntype = \"ADMIN\"\nname = \"A\"\n");
    let problems = world_file::read(&[("world.toml".into(), file)]).unwrap_err();
    assert!(problems.iter().any(|problem| problem.contains("accounts have which were ended")), "{problems:?}");
}

// gaps: Operation > An account that a patient made
#[tokio::test]
async fn apply_never_makes_an_account_of_another_type_of_one_that_a_patient_made() {
    let w = with_account().await;
    for how in [How::DryRun, How::Apply] {
        let user = UserDeclaration {
            at: "world.toml:7".into(),
            username: EMAIL.into(),
            password: Password::Kept,
            user_type: UserType::Clinician,
            name: "Dr New".into(),
            patient: None,
            teams: vec![RIVERSIDE_TEAM.into()],
            organisation: None,
            consents: Vec::new(),
        };
        let declared = Box::new(Declaration { users: vec![user], ..Declaration::default() });
        let why = refusal(asks(&w, Request::Apply { declared, how }).await);
        assert!(why.contains("world.toml:7") && why.contains("made this account by invitation"), "{why}");
    }
    let user = people::find(&w.app.store, EMAIL).await.unwrap().unwrap();
    assert_eq!((user.user_type, user.patient_id.as_deref()), (UserType::Patient, Some("carla")));
}

/// The further code on a paper that this coordinator prints.
async fn prints(browser: &mut Browser<'_>) -> String {
    let form = browser.sees(ACCOUNTS).await.form("/paper/carla");
    let printed = browser.post(&form.action, &fields([("form", &form.sealed)])).await;
    assert_eq!(printed.status, 200, "{}", printed.text());
    let html = printed.text();
    let (_, code) = html.split_once("<output id=\"paper-code\">").expect("a code");
    code.split('<').next().unwrap().to_owned()
}

async fn with_proof() -> World {
    let w = with_carla().await;
    registers(&w, "carla", &[RIVERSIDE_TEAM, HILLSIDE_TEAM]).await;
    let asked = Request::SetInvitationProof { organisation: RIVERSIDE.into(), proof: FurtherProof::Paper };
    assert!(matches!(asks(&w, asked).await, Reply::Changed(true)));
    w
}

// gaps: Pages > A further code on paper
#[tokio::test]
async fn whoever_has_the_letter_alone_makes_no_account_where_a_paper_is_asked_for() {
    let w = with_proof().await;
    let one = carlas(&w).await;
    let mut browser = Browser::new(&w);
    let second = opened(&mut browser, &one).await;
    assert!(second.html.contains("Code on the paper"), "{}", second.html);
    for guess in ["", "0000-0000-0000-0000", &one.token, &one.code] {
        let reply = chooses(&mut browser, &second, guess).await;
        assert!(reply.status == 400 && reply.text().contains(NOT_THE_PAPER), "{}", reply.text());
    }
    let mut henry = w.henry().signs_in().await;
    let code = prints(&mut henry).await;
    assert!(!henry.sees(ACCOUNTS).await.html.contains(&code), "it is shown once");
    let typed = code.to_lowercase().replace('-', " ");
    assert_eq!(chooses(&mut browser, &second, &typed).await.redirect().to, "/sign-in");
    carla(&w).signs_in().await;
    let told = lines(&w, Event::PaperPrinted).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].team.as_deref(), Some("Hillside Practice"));
    assert!(!henry.sees(ACCOUNTS).await.html.contains("/paper/"), "nobody needs one any more");
}

// gaps: Pages > A further code on paper
#[tokio::test]
async fn a_paper_ends_with_the_next_one_with_time_and_with_a_new_pair() {
    let w = with_proof().await;
    let one = carlas(&w).await;
    let (mut grace, mut browser) = (w.grace().signs_in().await, Browser::new(&w));
    let (first, code) = (prints(&mut grace).await, prints(&mut grace).await);
    let refuses = async |browser: &mut Browser<'_>, page: &Page, code: &str| {
        let reply = chooses(browser, page, code).await;
        assert!(reply.status == 400 && reply.text().contains(NOT_THE_PAPER), "{}", reply.text());
    };
    let second = opened(&mut browser, &one).await;
    refuses(&mut browser, &second, &first).await;
    w.after(PAPER_SECONDS);
    let second = opened(&mut browser, &one).await;
    refuses(&mut browser, &second, &code).await;
    let mut grace = w.grace().signs_in().await;
    let code = prints(&mut grace).await;
    let renewed = carlas(&w).await;
    let second = opened(&mut browser, &renewed).await;
    refuses(&mut browser, &second, &code).await;
    let code = prints(&mut grace).await;
    assert_eq!(chooses(&mut browser, &second, &code).await.redirect().to, "/sign-in");
}

/// Who has the letter and guesses the code does not have two weeks for it.
// gaps: Pages > A further code on paper
#[tokio::test]
async fn too_many_wrong_tries_end_the_paper() {
    let w = with_proof().await;
    let one = carlas(&w).await;
    let code = prints(&mut w.grace().signs_in().await).await;
    let mut browser = Browser::new(&w);
    for _ in 0..PAPER_TRIES {
        let second = opened(&mut browser, &one).await;
        assert!(chooses(&mut browser, &second, "wrong").await.text().contains(NOT_THE_PAPER));
        w.after(FAILURE_WINDOW_SECONDS);
    }
    let second = opened(&mut browser, &one).await;
    assert!(chooses(&mut browser, &second, &code).await.text().contains(NOT_THE_PAPER));
    let code = prints(&mut w.grace().signs_in().await).await;
    assert_eq!(chooses(&mut browser, &second, &code).await.redirect().to, "/sign-in");
}

/// Nor is one printed for somebody whom nobody invited, or whose organisation asks for none.
// gaps: Pages > A further code on paper
#[tokio::test]
async fn only_a_coordinator_of_a_team_that_has_the_patient_prints() {
    let w = with_proof().await;
    carlas(&w).await;
    let mut henry = w.henry().signs_in().await;
    let form = henry.sees(ACCOUNTS).await.form("/paper/carla");
    registers(&w, "carla", &[RIVERSIDE_TEAM]).await;
    assert!(!henry.sees(ACCOUNTS).await.html.contains("Carla"));
    let refused = henry.post(&form.action, &fields([("form", &form.sealed)])).await;
    assert_eq!(refused.redirect().get("not_printed"), Some("1"));
    assert!(lines(&w, Event::PaperPrinted).await.is_empty());
    let asked = Request::SetInvitationProof { organisation: RIVERSIDE.into(), proof: FurtherProof::None };
    assert!(matches!(asks(&w, asked).await, Reply::Changed(true)));
    let mut grace = w.grace().signs_in().await;
    assert!(!grace.sees(ACCOUNTS).await.html.contains("/paper/"));
    joins(&w).await;
    w.after(DAY);
}

/// A world file says it of an organisation, and one that says nothing leaves it as it is.
// gaps: Pages > A further code on paper
#[tokio::test]
async fn a_world_file_says_which_organisations_ask_for_a_paper() {
    let w = World::new().await;
    let declares = async |proof: &str| {
        let file = format!("[[organisation]]\npublic_id = \"{RIVERSIDE}\"\nname = \"Riverside\"\n{proof}\n");
        let declared = Box::new(world_file::read(&[("world.toml".into(), file)]).unwrap());
        let Reply::Applied(report) = asks(&w, Request::Apply { declared, how: How::Apply }).await else { panic!() };
        let Reply::Organisations(all) = asks(&w, Request::Organisations).await else { panic!() };
        let shown = all.into_iter().find(|one| one.public_id == RIVERSIDE).unwrap().invitation_proof;
        (report.changes[0].change.clone(), shown)
    };
    let told = |change: &str, shown: &str| (change.to_owned(), shown.to_owned());
    assert_eq!(declares("").await, told("unchanged", "none"));
    assert_eq!(declares("invitation.proof = \"paper\"").await, told("updated", "paper"));
    assert_eq!(declares("").await, told("unchanged", "paper"));
    assert_eq!(declares("invitation.proof = \"none\"").await, told("updated", "none"));
    let wrong = format!("[[organisation]]\npublic_id = \"{RIVERSIDE}\"\nname = \"R\"\ninvitation.proof = \"oath\"\n");
    let problems = world_file::read(&[("world.toml".into(), wrong)]).unwrap_err();
    assert!(problems[0].contains("none or paper"), "{problems:?}");
}

/// Somebody who has no account yet is a team's patient by a world file.
// gaps: Operation > Patients without an account
#[tokio::test]
async fn a_world_file_registers_a_patient_who_has_no_account() {
    let w = World::new().await;
    let file = |teams: &str| format!("[[patient]]\nid = \"amina\"\nteams = [{teams}]\n");
    let read = |text: String| world_file::read(&[("world.toml".into(), text)]);
    let okafor = w.dr_okafor().caller().await;
    for (teams, status) in [("", 404), (&*format!("\"{RIVERSIDE_TEAM}\""), 200)] {
        let declared = Box::new(read(file(teams)).unwrap());
        let reply = asks(&w, Request::Apply { declared, how: How::Apply }).await;
        assert!(matches!(&reply, Reply::Applied(report) if report.changes[0].change == "updated"), "{reply:?}");
        assert_eq!(okafor.status("/fhir/DocumentReference/letter-amina").await, status);
    }
    let both = format!(
        "{}[[user]]\nusername = \"a\"\npassword = \"{PASSWORD}\"\ntype = \"PATIENT\"\nname = \"A\"\npatient = \"amina\"\n",
        file("")
    );
    assert!(read(both).unwrap_err()[0].contains("declare the teams in one of the two"));
    assert!(read("[[patient]]\nid = \"amina\"\n".into()).unwrap_err()[0].contains("teams is missing"));
    let unknown = Box::new(read(file("\"00000000-0000-4000-8000-000000000000\"")).unwrap());
    let why = refusal(asks(&w, Request::Apply { declared: unknown, how: How::Apply }).await);
    assert!(why.contains("patient amina") && why.contains("there is no team"), "{why}");
}
