//! Every page filled with sample data, in each of its states, for the tests of the pages.

use askama::Template;

use super::access_log::{AccessLogPage, LogLine};
use super::everyone::*;
use super::frame::*;
use super::grants::{AppRow, ConnectedAppsPage, CoordinatorPage, GrantRow, GranterText, NewTeamGrant, TeamChoice};
use super::password::{FieldProblem, PasswordPage};
use super::reference::{
    ReferenceContent, ReferencePage, ReferenceRoute, ReferenceSection, ReferenceTable, RefusalSection,
};
use super::sample::{Exchange, STEPS, SampleError, SampleHome, SampleTrace};
use super::words;

fn frame() -> Frame {
    Frame {
        sandbox: true,
        signed_in_as: Some("Amina Khan".into()),
        sign_out_form: Some(GuardedText::new("sealed-sign-out")),
    }
}

fn moment(text: &str, iso: &str) -> TimeText {
    TimeText { text: text.into(), iso: iso.into() }
}

pub(crate) fn authorize(product: &str, problem: Option<&str>) -> AuthorizePage {
    AuthorizePage {
        frame: Frame { sandbox: true, ..Frame::default() },
        owner: "Night Owl Labs".into(),
        product: product.into(),
        asks: words::PATIENT_ASKS.iter().map(|ask| (*ask).into()).collect(),
        how_long: "for 90 days, until 12 February 2027".into(),
        returns_to: "sleep-diary.example".into(),
        action: "/apiAuthorize.action".into(),
        form: GuardedText::new("sealed-authorize"),
        username: problem.map(|_| "amina".into()).unwrap_or_default(),
        problem: problem.map(Into::into),
    }
}

pub(crate) fn sign_in(problem: Option<&str>) -> SignInPage {
    SignInPage {
        frame: Frame { sandbox: true, ..Frame::default() },
        form: GuardedText::new("sealed-sign-in"),
        next: "/connected-apps".into(),
        username: "amina".into(),
        problem: problem.map(Into::into),
    }
}

fn password(problem: Option<&'static str>) -> PasswordPage {
    PasswordPage {
        frame: frame(),
        form: GuardedText::new("sealed-password"),
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
        form: GuardedText::new("sealed-grant"),
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

pub(crate) fn connected_apps(product: &str, count: usize) -> ConnectedAppsPage {
    let app = AppRow {
        product: product.into(),
        owner: "Night Owl Labs".into(),
        may: words::PATIENT_MAY.into(),
        since: moment("14 November 2026", "2026-11-14T10:00:00Z"),
        last_used: Some(moment("today at 10:05", "2026-11-14T10:05:00Z")),
        ends: None,
        revoke_action: "/connected-apps/revoke/5".into(),
        form: GuardedText::new("sealed-revoke"),
    };
    ConnectedAppsPage {
        frame: frame(),
        notice: Some("Step Counter has lost access.".into()),
        apps: vec![app; count],
        older: (count > 1).then(|| "/connected-apps?before=5".into()),
    }
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
    SampleTrace { exchanges: vec![exchange, refused], steps: STEPS.to_vec(), form: GuardedText::new("sealed-step") }
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
    let home = HomePage {
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
        lines: vec![LogLine {
            at: moment("14 November 2026, 08:40 UTC", "2026-11-14T08:40:00Z"),
            who: format!("{name} by Night Owl Labs, for you"),
            what: "Opened a letter, 3 times".into(),
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
    vec![
        ("authorize", authorize(name, None).render().unwrap()),
        ("authorize-wrong", authorize(name, wrong).render().unwrap()),
        ("error", error.render().unwrap()),
        ("access-log", log.render().unwrap()),
        ("reference", reference.render().unwrap()),
        ("sign-in", sign_in(None).render().unwrap()),
        ("sign-in-wrong", sign_in(wrong).render().unwrap()),
        ("password", password(None).render().unwrap()),
        ("password-wrong", password(Some("password")).render().unwrap()),
        ("password-refused", password(Some("new_password")).render().unwrap()),
        ("password-mistyped", password(Some("repeated")).render().unwrap()),
        ("home", home.render().unwrap()),
        ("coordinator", coordinator(name, &two, true, None).render().unwrap()),
        ("coordinator-wrong", coordinator(name, &two[..1], false, unknown).render().unwrap()),
        ("coordinator-teamless", coordinator(name, &[], false, None).render().unwrap()),
        ("connected-apps", connected_apps(name, 3).render().unwrap()),
        ("connected-apps-none", connected_apps(name, 0).render().unwrap()),
        ("sample-home", SampleHome { connect: "/apiAuthorize.action?a=1&b=2".into() }.render().unwrap()),
        ("sample-trace", trace(name).render().unwrap()),
        ("sample-error", refused.render().unwrap()),
    ]
}
