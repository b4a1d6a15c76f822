//! Every page filled with sample data, in each of its states, for the tests of the pages.

use crate::app::SandboxLogin;
use askama::Template;
use rules::guidance::promises::PromiseGroup;

use super::access_log::{AccessLine, AccessLogPage, LogApp, LogDay};
use super::account_specimens::{account, account_close, account_confirm, forgotten_password, new_password, outbox};
use super::everyone::*;
use super::factor_specimens::{
    factor_code, factor_enrolment, factor_form, factor_question, factor_reset, passkey_enrolment, recovery_codes,
    second_factor,
};
use super::frame::*;
use super::grants::{
    CoordinatorPage, EndText, GrantCheckPage, GrantHistoryPage, GrantRow, GranterText, HistoryRow, NewTeamGrant,
    TeamChoice,
};
use super::join::{JoinAccountPage, JoinPage};
use super::own_specimens::{
    accounts, app_launch, apps, carer_invitation, connected_apps, disconnect, frame, home, moment, notices, paper,
    record, record_section, sharing, sharing_change, sign_ins,
};
use super::password::{FieldProblem, PasswordPage};
use super::reference::{
    ReferenceContent, ReferencePage, ReferenceRoute, ReferenceSection, ReferenceTable, RefusalSection,
};
use super::sample::{Exchange, STEPS, SampleError, SampleHome, SampleTrace};
use super::second_factor::FactorChanges;
use super::why::{ConsentLine, WhyPage, WhyToday};
use super::{record_specimens, staff_specimens};

pub(crate) fn authorize(product: &str, problem: Option<&str>) -> AuthorizePage {
    AuthorizePage {
        frame: Frame { sandbox: true, ..Frame::default() },
        owner: "Night Owl Labs".into(),
        product: product.into(),
        unchecked: false,
        asks: vec![PromiseGroup {
            heading: "Read the record that you choose",
            sentences: vec!["Letters.".into(), "Test results.".into()],
        }],
        lines: Vec::new(),
        reader: None,
        tries_left: 1,
        code: None,
        how_long: "for 90 days, until 12 February 2027".into(),
        returns_to: "sleep-diary.example".into(),
        action: "/apiAuthorize.action".into(),
        form: GuardedText::new("sealed-authorize"),
        username: problem.map(|_| "amina".into()).unwrap_or_default(),
        problem: problem.map(Into::into),
    }
}

/// The same of an app that asks in SMART's words.
pub(crate) fn authorize_in_lines(product: &str) -> AuthorizePage {
    let line = |(at, text): (usize, &str)| ScopeLine {
        field: format!("keep-{at}"),
        value: format!("patient/Observation.rs?category={product}"),
        text: text.into(),
        is_ticked: at == 0,
    };
    let texts = ["See: measurements and test results.", "Go on when you are not there."];
    AuthorizePage {
        asks: Vec::new(),
        lines: texts.into_iter().enumerate().map(line).collect(),
        unchecked: true,
        ..authorize(product, None)
    }
}

/// The page on which a clinician picks a patient, of whom some were found by these words.
pub(crate) fn pick(words: &str, found: usize, problem: Option<&str>) -> AuthorizePage {
    let option = |at: usize| ChoiceOption { id: format!("id-{at}"), text: format!("{words} {at}"), is_chosen: false };
    let choice = Choice {
        field: "patient",
        legend: "Which patient?",
        hint: "The app is told of this one patient.",
        options: (0..found).map(option).collect(),
        search: Some(words.into()),
    };
    let reader = KnownReader { name: "Dr Grey".into(), about: None, choice: Some(choice), counts: vec![] };
    AuthorizePage { reader: Some(reader), problem: problem.map(Into::into), ..authorize_in_lines("Tide Chart") }
}

/// The same for somebody who has signed in on it.
pub(crate) fn approval(name: &str, options: usize, problem: Option<&str>) -> AuthorizePage {
    let option = |at: usize| ChoiceOption { id: format!("id-{at}"), text: name.into(), is_chosen: at == 0 };
    let counts = RecordCounts {
        of: format!("the record of {name}"),
        rows: vec![RecordCount { part: "Diagnoses".into(), counts: "3 general health, 1 mental health".into() }],
        most: Some(10_000),
    };
    let choice = (options > 1).then(|| Choice {
        field: "record",
        legend: "Whose record?",
        hint: "The app gets this one record.",
        options: (0..options).map(option).collect(),
        search: None,
    });
    let empty = RecordCounts { of: "your own record".into(), rows: vec![], most: None };
    let reader = KnownReader { name: name.into(), about: Some(name.into()), choice, counts: vec![counts, empty] };
    AuthorizePage { reader: Some(reader), problem: problem.map(Into::into), ..authorize("Sleep Diary", None) }
}

fn authorize_code(problem: Option<&str>) -> AuthorizePage {
    let code = Some(CodeQuestion { remember_days: Some(30), question: factor_question() });
    AuthorizePage { code, problem: problem.map(Into::into), ..authorize("Sleep Diary", None) }
}

pub(crate) fn sign_in(problem: Option<&str>) -> SignInPage {
    SignInPage {
        frame: Frame { sandbox: true, ..Frame::default() },
        form: GuardedText::new("sealed-sign-in"),
        next: "/connected-apps".into(),
        username: "amina".into(),
        problem: problem.map(Into::into),
        notice: problem.is_none().then(|| "You are signed out.".into()),
        logins: vec![SandboxLogin { username: "amina".into(), password: "sandbox".into(), who: "Amina Khan".into() }],
    }
}

fn logout(product: &str) -> LogoutPage {
    LogoutPage {
        frame: frame(),
        name: "Amina Khan".into(),
        product: Some(product.into()),
        action: "/sign-out/for-app".into(),
        form: GuardedText::new("sealed-sign-out-for-app"),
        request: GuardedText::new("sealed-request"),
    }
}

fn password(wrong: &[&'static str]) -> PasswordPage {
    PasswordPage {
        frame: frame(),
        form: GuardedText::new("sealed-password"),
        rule: rules::passwords::rule(),
        problems: problems(wrong),
    }
}

fn problems(wrong: &[&'static str]) -> Vec<FieldProblem> {
    wrong.iter().map(|field| FieldProblem { text: "That will not do.".into(), field }).collect()
}

fn join(name: &str, problem: Option<&'static str>) -> JoinPage {
    JoinPage {
        frame: Frame { sandbox: true, ..Frame::default() },
        form: GuardedText::new("sealed-join"),
        code: name.into(),
        token: GuardedText::new(name),
        email: name.into(),
        day: name.into(),
        month: "2".into(),
        year: "1985".into(),
        problem: problem.map(|field| FieldProblem { text: "That will not do.".into(), field }),
    }
}

fn join_account(name: &str, problem: Option<&'static str>) -> JoinAccountPage {
    JoinAccountPage {
        frame: Frame { sandbox: true, ..Frame::default() },
        form: GuardedText::new("sealed-join"),
        organisation: name.into(),
        asks_for_paper: problem == Some("paper"),
        email: name.into(),
        rule: rules::passwords::rule(),
        problem: problem.map(|field| FieldProblem { text: "That will not do.".into(), field }),
    }
}

fn grant(product: &str, used: bool) -> GrantRow {
    GrantRow {
        product: product.into(),
        owner: "Lakeside Pathology".into(),
        client_id: "lab-bridge-7f21".into(),
        team: "Diabetes Clinic".into(),
        granter: Some(GranterText { name: "Cora Diaz".into(), has_left: !used }),
        since: moment("3 November 2026", "2026-11-03T09:12:00Z"),
        last_used: used.then(|| moment("today at 08:40", "2026-11-14T08:40:00Z")),
        ends: used.then(|| moment("3 November 2027", "2027-11-03T09:12:00Z")),
        revoke_action: "/coordinator/api-access/revoke/17".into(),
        form: GuardedText::new("sealed-revoke"),
    }
}

pub(crate) fn coordinator(product: &str, teams: &[&str], granted: bool, problem: Option<&str>) -> CoordinatorPage {
    CoordinatorPage {
        frame: frame(),
        teams: teams
            .iter()
            .map(|name| TeamChoice { id: format!("id of {name}"), name: (*name).into(), chosen: false })
            .collect(),
        client_id: problem.map(|_| "lab-brigde".into()).unwrap_or_default(),
        problem: problem.map(Into::into),
        notice: None,
        granted: granted.then(|| NewTeamGrant {
            product: product.into(),
            owner: "Lakeside Pathology".into(),
            team: "Diabetes Clinic".into(),
            refresh_token: GuardedText::new(format!("rgr_1.{}", "x7Qp-4vTz_".repeat(9))),
        }),
        grants: if granted { vec![grant(product, false), grant("Ward Board", true)] } else { Vec::new() },
        older: granted.then(|| "/coordinator/api-access?before=5".into()),
    }
}

pub(crate) fn grant_check(product: &str, existing: usize, problem: Option<&str>) -> GrantCheckPage {
    GrantCheckPage {
        frame: frame(),
        problem: problem.map(Into::into),
        product: product.into(),
        owner: "Lakeside Pathology".into(),
        client_id: "lab-bridge-7f21".into(),
        team: "Diabetes Clinic".into(),
        may: vec![PromiseGroup {
            heading: "Read the records of the team's patients",
            sentences: vec!["Open letters to and about these patients.".into()],
        }],
        how_long: "until you take it back".into(),
        existing: vec![grant(product, true); existing],
        form: GuardedText::new("sealed-grant"),
        check: GuardedText::new("sealed-check"),
    }
}

fn grant_history(product: &str) -> GrantHistoryPage {
    let end = EndText {
        at: moment("4 November 2026", "2026-11-04T10:00:00Z"),
        why: "A Team Coordinator took the access back.".into(),
        by: Some(product.into()),
    };
    let row = HistoryRow {
        product: product.into(),
        owner: "Lakeside Pathology".into(),
        client_id: "lab-bridge-7f21".into(),
        team: "Diabetes Clinic".into(),
        granter: Some(GranterText { name: product.into(), has_left: true }),
        since: moment("3 November 2026", "2026-11-03T09:12:00Z"),
        end: None,
    };
    let ended = HistoryRow { end: Some(end), ..row.clone() };
    GrantHistoryPage { frame: frame(), rows: vec![row, ended], older: Some("/coordinator/api-access/history".into()) }
}

fn trace(text: &str) -> SampleTrace {
    let exchange = Exchange {
        title: "The code becomes tokens".into(),
        explanation: "The app sends the code it was given, within 10 minutes and once only.".into(),
        request: GuardedText::new(format!("POST /apiToken.action\n\ngrant_type=authorization_code&code={text}")),
        status: "200 OK".into(),
        went_well: true,
        answer: GuardedText::new(format!("{{\n  \"access_token\": \"{text}\",\n  \"token_type\": \"Bearer\"\n}}")),
    };
    let refused = Exchange { status: "400 Bad Request".into(), went_well: false, ..exchange.clone() };
    let letter = Some("PDF, 869 bytes".into());
    let form = GuardedText::new("sealed-step");
    SampleTrace { exchanges: vec![exchange, refused], steps: STEPS.to_vec(), form, letter }
}

fn why(name: &str, is_of_line: bool, is_known: bool) -> WhyPage {
    let consent = ConsentLine {
        labels: "general health".into(),
        state: "It is in force.",
        given: "14 November 2026".into(),
        changed: "15 November 2026".into(),
        by: name.into(),
        ends: Some("14 November 2027".into()),
    };
    let today = WhyToday {
        viewer: name.into(),
        what: "a letter".into(),
        sees: true,
        steps: vec![format!("consent: yes, the patient shares with {name} what it needs"), "seen".into()],
        held: "general health".into(),
        consents: vec![consent],
        notes: vec!["the sharing of the record is disabled".into()],
    };
    let line = AccessLine {
        at: moment("14 November 2026, 08:40 UTC", "2026-11-14T08:40:00Z"),
        who: Some(name.into()),
        what: format!("Opened a letter “{name}”"),
        why: Some(format!("because you share it with {name}")),
        explained: None,
    };
    let back = Link { href: "/access-log".into(), text: "Back to the access log".into() };
    WhyPage { frame: frame(), line: is_of_line.then_some(line), today: is_known.then_some(today), back }
}

/// Every page with `name` wherever a client's registration or a caller's input can reach, in each of its states.
pub(crate) fn every_page(name: &str) -> Vec<(&'static str, String)> {
    let error = ErrorPage {
        frame: frame(),
        status: 400,
        heading: "This link from the app is not right".into(),
        what_was_wrong: format!("The app “{name}” sent you here with an address that Recordgate does not know for it."),
        what_to_do: "You did nothing wrong. Go back to the app and try again, or tell the people who make it.".into(),
    };
    let done = DonePage {
        frame: frame(),
        heading: format!("Hello, {name}"),
        text: "You are signed in. There is nothing to set up for clinicians here.".into(),
        links: vec![Link { href: "/connected-apps".into(), text: "Connected apps".into() }],
    };
    let wrong = Some("The username or the password is not right.");
    let unknown = Some("We do not know this Client ID.");
    let refused = SampleError {
        heading: "You said no".into(),
        what_happened: "Recordgate sent you back without access. That is fine.".into(),
        detail: Some(format!("error=access_denied&state={name}")),
    };
    let log = AccessLogPage {
        frame: frame(),
        days: vec![LogDay {
            text: "14 November 2026".into(),
            date: "2026-11-14".into(),
            apps: vec![LogApp {
                name: format!("{name} by Night Owl Labs"),
                lines: vec![AccessLine {
                    at: moment("08:40 UTC", "2026-11-14T08:40:00Z"),
                    who: Some(name.into()),
                    what: format!("Opened a letter “{name}”, 3 times"),
                    why: Some(format!("because you share it with {name}")),
                    explained: Some("/access-log/why?line=1.7".into()),
                }],
            }],
        }],
        older: Some("/access-log?before=7".into()),
    };
    let table = |label: &str| ReferenceTable::new(label.into(), ["Status", "When"], vec![["404".into(), name.into()]]);
    let route = ReferenceRoute {
        title: "GET /json/users/self".into(),
        sentence: "Says who is behind the session.",
        caller: "a client with an access token.",
        sandbox_only: true,
        inputs: Some(table("Parameters of GET /json/users/self")),
        outputs: table("Answers of GET /json/users/self"),
    };
    let section = ReferenceSection { id: "rest", title: "Custom REST API", about: "JSON.", routes: vec![route] };
    let refusals = RefusalSection { id: "refusals", title: "Refusals", about: "Codes.", table: table("Refusals") };
    let reference = ReferencePage {
        frame: frame(),
        content: ReferenceContent { sections: vec![section], refusals: vec![refusals] },
    };
    let two = ["Diabetes Clinic", "Renal Unit"];
    let mut pages = vec![
        ("authorize", authorize(name, None).render().unwrap()),
        ("approval", approval(name, 2, None).render().unwrap()),
        ("approval-undecided", approval(name, 2, wrong).render().unwrap()),
        ("authorize-in-lines", authorize_in_lines(name).render().unwrap()),
        ("pick", pick(name, 2, None).render().unwrap()),
        ("pick-nobody", pick(name, 0, wrong).render().unwrap()),
        ("approval-without-a-choice", approval(name, 0, None).render().unwrap()),
        ("authorize-wrong", authorize(name, wrong).render().unwrap()),
        ("error", error.render().unwrap()),
        ("access-log", log.render().unwrap()),
        ("access-log-why", why(name, true, true).render().unwrap()),
        ("access-log-why-gone", why(name, true, false).render().unwrap()),
        ("sharing-why", why(name, false, true).render().unwrap()),
        ("reference", reference.render().unwrap()),
        ("sign-in", sign_in(None).render().unwrap()),
        ("sign-in-wrong", sign_in(wrong).render().unwrap()),
        ("password", password(&[]).render().unwrap()),
        ("password-wrong", password(&["password"]).render().unwrap()),
        ("password-refused", password(&["new_password", "repeated"]).render().unwrap()),
        ("password-mistyped", password(&["repeated"]).render().unwrap()),
        ("forgotten-password", forgotten_password(true, None).render().unwrap()),
        ("forgotten-password-wrong", forgotten_password(true, Some("name")).render().unwrap()),
        ("forgotten-password-without-mail", forgotten_password(false, None).render().unwrap()),
        ("new-password", new_password(name, &[]).render().unwrap()),
        ("new-password-refused", new_password(name, &["new_password", "repeated"]).render().unwrap()),
        ("outbox", outbox(name, 2).render().unwrap()),
        ("outbox-empty", outbox(name, 0).render().unwrap()),
        ("account", account(name, true, None).render().unwrap()),
        ("account-wrong", account(name, true, Some("email")).render().unwrap()),
        ("account-unproved", account(name, true, Some("password")).render().unwrap()),
        ("account-without-mail", account(name, false, None).render().unwrap()),
        ("account-confirm", account_confirm(name).render().unwrap()),
        ("account-close", account_close(None).render().unwrap()),
        ("account-close-wrong", account_close(Some("password")).render().unwrap()),
        ("second-factor", second_factor(name, None, FactorChanges::None("Ask the operator.")).render().unwrap()),
        ("second-factor-prove", second_factor(name, Some(1), FactorChanges::ProveFirst).render().unwrap()),
        ("second-factor-wrong", second_factor(name, Some(9), factor_form()).render().unwrap()),
        ("factor-code", factor_code(None).render().unwrap()),
        ("factor-code-wrong", factor_code(wrong).render().unwrap()),
        ("factor-enrolment", factor_enrolment(None).render().unwrap()),
        ("factor-enrolment-wrong", factor_enrolment(wrong).render().unwrap()),
        ("passkey-enrolment", passkey_enrolment(name, None).render().unwrap()),
        ("passkey-enrolment-wrong", passkey_enrolment(name, wrong).render().unwrap()),
        ("recovery-codes", recovery_codes().render().unwrap()),
        ("factor-reset", factor_reset(None).render().unwrap()),
        ("factor-reset-wrong", factor_reset(wrong).render().unwrap()),
        ("authorize-code", authorize_code(None).render().unwrap()),
        ("authorize-code-wrong", authorize_code(wrong).render().unwrap()),
        ("join", join(name, None).render().unwrap()),
        ("join-wrong", join(name, Some("t1")).render().unwrap()),
        ("join-undated", join(name, Some("day")).render().unwrap()),
        ("join-account", join_account(name, None).render().unwrap()),
        ("join-account-taken", join_account(name, Some("e")).render().unwrap()),
        ("join-account-refused", join_account(name, Some("password")).render().unwrap()),
        ("join-account-mistyped", join_account(name, Some("repeated")).render().unwrap()),
        ("join-account-unproved", join_account(name, Some("paper")).render().unwrap()),
        ("done", done.render().unwrap()),
        ("home", home(name, 2).render().unwrap()),
        ("home-empty", home(name, 0).render().unwrap()),
        ("front", FrontPage { frame: frame() }.render().unwrap()),
        ("record", record(name).render().unwrap()),
        ("record-section", record_section(name, 2).render().unwrap()),
        ("record-section-empty", record_section(name, 0).render().unwrap()),
        ("notices", notices(name, 2).render().unwrap()),
        ("notices-none", notices(name, 0).render().unwrap()),
        ("sharing", sharing(name, 2).render().unwrap()),
        ("sharing-none", sharing(name, 0).render().unwrap()),
        ("sharing-change", sharing_change(name, (false, false), wrong).render().unwrap()),
        ("sharing-over", sharing_change(name, (false, true), None).render().unwrap()),
        ("sharing-locked", sharing_change(name, (true, false), None).render().unwrap()),
        ("carer-invitation", carer_invitation(name, None).render().unwrap()),
        ("carer-invitation-wrong", carer_invitation(name, Some("email")).render().unwrap()),
        ("sign-ins", sign_ins(2).render().unwrap()),
        ("sign-ins-none", sign_ins(0).render().unwrap()),
        ("grant-check", grant_check(name, 0, None).render().unwrap()),
        ("grant-check-existing", grant_check(name, 2, unknown).render().unwrap()),
        ("grant-history", grant_history(name).render().unwrap()),
        ("coordinator", coordinator(name, &two, true, None).render().unwrap()),
        ("coordinator-wrong", coordinator(name, &two[..1], false, unknown).render().unwrap()),
        ("coordinator-teamless", coordinator(name, &[], false, None).render().unwrap()),
        ("accounts", accounts(name, 2).render().unwrap()),
        ("accounts-none", accounts(name, 0).render().unwrap()),
        ("paper", paper(name).render().unwrap()),
        ("logout", logout(name).render().unwrap()),
        ("connected-apps", connected_apps(name, 3).render().unwrap()),
        ("disconnect", disconnect(name, 0).render().unwrap()),
        ("disconnect-several", disconnect(name, 2).render().unwrap()),
        ("apps", apps(name, 2).render().unwrap()),
        ("apps-none", apps(name, 0).render().unwrap()),
        ("app-launch", app_launch(name, 0, None).render().unwrap()),
        ("app-launch-choice", app_launch(name, 2, wrong.map(String::from)).render().unwrap()),
        ("connected-apps-none", connected_apps(name, 0).render().unwrap()),
        ("sample-home", SampleHome { connect: "/apiAuthorize.action?a=1&b=2".into() }.render().unwrap()),
        ("sample-trace", trace(name).render().unwrap()),
        ("sample-error", refused.render().unwrap()),
    ];
    pages.extend(record_specimens::every_page(name));
    pages.extend(staff_specimens::every_page(name));
    pages
}
