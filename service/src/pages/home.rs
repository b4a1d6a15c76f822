//! `/`: what somebody can do here, what is connected, and what happened last; for a stranger, what this is.

use super::{log_words, team_access};
use crate::app::trouble::During;
use crate::app::{App, Shared};
use crate::callers::requirement::Anyone;
use crate::callers::sign_in::{self, SignIn};
use crate::http::call::Call;
use crate::interactions::access_log as log;
use crate::views::home::{HomePage, HomeTask, InvitedText, Overview, OverviewLine};
use crate::views::{FrontPage, Link, TimeText, navigation};
use crate::voices::page::{self, PageStop};
use axum::http::StatusCode;
use axum::response::Response;
use rules::scope::UserType;
use store::grants::{self, Grant, Whose};
use store::invited_accounts;
use store::ledger::LedgerPosition;

const PATH: &str = "/";
/// Lines of an overview.
const FEW: usize = 5;

const APPS: HomeTask = HomeTask {
    href: "/connected-apps",
    title: "Connected apps",
    text: "See what apps may do in your name, and take it back.",
};
const RECORD: HomeTask = HomeTask {
    href: "/record",
    title: "My record",
    text: "Read what your care teams and you wrote down: tests, measurements, medicines and more.",
};
const SHARING: HomeTask = HomeTask {
    href: "/sharing",
    title: "Sharing",
    text: "See with whom you share your record, label by label, and change it.",
};
const LOG: HomeTask =
    HomeTask { href: "/access-log", title: "Access log", text: "See who looked at your record, when and why." };
const PATIENTS: HomeTask = HomeTask {
    href: "/teams",
    title: "My patients",
    text: "Find a patient of your team, and read what is shared with it.",
};
const LOOKS: HomeTask =
    HomeTask { href: "/looks", title: "What I looked at", text: "See what is noted of what you opened and wrote." };
const OVERSIGHT: HomeTask = HomeTask {
    href: "/officer",
    title: "Oversight",
    text: "See who looked in an emergency, who looked at a record, and with whom it is shared.",
};
const ADMINISTRATION: HomeTask = HomeTask {
    href: "/admin",
    title: "Administration",
    text: "Look after accounts, clients, organisations and teams, and see the configuration.",
};
const TEAM: HomeTask = HomeTask {
    href: "/coordinator/api-access",
    title: "API access for your team",
    text: "Let a partner’s system work with your team’s records, and take it back.",
};
const ACCOUNTS: HomeTask = HomeTask {
    href: "/coordinator/accounts",
    title: "Patients’ accounts",
    text: "See which patients made an account by invitation, and end one that is not theirs.",
};
const ACCOUNT: HomeTask = HomeTask {
    href: "/account",
    title: "Your account",
    text: "See and change your e-mail address; a patient also downloads the record here.",
};
const SIGN_INS: HomeTask = HomeTask {
    href: "/sign-ins",
    title: "Where you are signed in",
    text: "See your browsers, and sign out elsewhere.",
};
const PASSWORD: HomeTask =
    HomeTask { href: "/password", title: "Password", text: "Choose a new one. It signs you out everywhere else." };

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Ok(person) = sign_in::find(&call.app, &call.head.headers).await? else {
        let page = FrontPage { frame: page::frame(&call.app, navigation::SIGNED_OUT, PATH) };
        return Ok(page::html(StatusCode::OK, &page));
    };
    if person.must_enrol(&call.app) {
        return Err(PageStop::EnrolFirst);
    }
    let answer = own(&call.app, &person).await;
    person.keep(&call.app, answer)
}

async fn own(app: &Shared, person: &SignIn) -> Result<Response, PageStop> {
    let (text, tasks): (_, &[HomeTask]) = match person.user.user_type {
        UserType::Patient => {
            ("Your health record is opened only to those who have permission.", &[RECORD, SHARING, APPS, LOG])
        }
        UserType::Clinician => {
            let text = "Read your patients’ records, and let apps work with them in your name.";
            (text, &[PATIENTS, LOOKS, APPS])
        }
        UserType::TeamCoord => {
            ("You decide which partners’ systems work with your team’s records.", &[TEAM, ACCOUNTS, APPS])
        }
        UserType::Admin => ("You look after the service, and see nothing of any record.", &[ADMINISTRATION]),
        UserType::PrivacyOfficer => {
            ("You look after who sees the records of your organisation’s patients.", &[OVERSIGHT])
        }
    };
    let page = HomePage {
        frame: person.frame(app, PATH),
        heading: format!("Hello, {}", person.user.name),
        text: text.into(),
        tasks: tasks.iter().chain(&[ACCOUNT, SIGN_INS, PASSWORD]).copied().collect(),
        invited: invited(app, person).await?,
        overviews: overviews(app, person).await?,
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// By whose invitation the account was made, if it was by one: whoever was not invited by them, or did not make it, should know.
async fn invited(app: &App, person: &SignIn) -> Result<Option<InvitedText>, PageStop> {
    let account = invited_accounts::of_user(&app.store, person.user.id).await.during("looking up who invited")?;
    Ok(account.map(|account| InvitedText {
        organisation: account.organisation_name,
        at: TimeText::new(account.made_at, &app.settings.time_zone),
    }))
}

async fn overviews(app: &Shared, person: &SignIn) -> Result<Vec<Overview>, PageStop> {
    let mut found = Vec::new();
    if person.user.user_type == UserType::TeamCoord {
        let teams = team_access::teams(app, person).await?;
        let whose = Whose::Teams(teams.iter().map(|team| team.id).collect());
        let grants = newest(app, &whose, person).await?;
        found.push(Overview {
            id: "partners",
            heading: "Who has access to your team’s records",
            empty: "No partner has access to your team’s records.",
            lines: grants.iter().map(|grant| granted(app, grant)).collect(),
            way: Link { href: TEAM.href.into(), text: "All partners".into() },
        });
    }
    if person.user.user_type.scope().is_some() {
        let grants = newest(app, &Whose::User(person.user.id), person).await?;
        found.push(Overview {
            id: "connected",
            heading: "Connected now",
            empty: "No apps are connected to your account.",
            lines: grants.iter().map(|grant| granted(app, grant)).collect(),
            way: Link { href: APPS.href.into(), text: "All connected apps".into() },
        });
    }
    if let Some(patient) = &person.user.patient_id {
        let lines = log::page(app, person.user.id, patient, LedgerPosition::NEWEST, FEW).await?;
        let letters = log_words::Letters::of(app, patient, &lines.lines, person.now).await?;
        let told = |line| OverviewLine {
            text: log_words::in_a_line(line, &letters, &person.user.name),
            at: Some(TimeText::new(line.at, &app.settings.time_zone)),
        };
        found.push(Overview {
            id: "latest",
            heading: "What happened last",
            empty: "Nothing has happened to your record yet.",
            lines: lines.lines.iter().map(told).collect(),
            way: Link { href: LOG.href.into(), text: "The whole access log".into() },
        });
    }
    Ok(found)
}

/// The newest live grants, a few of them.
async fn newest(app: &App, whose: &Whose, person: &SignIn) -> Result<Vec<Grant>, PageStop> {
    let few = i64::try_from(FEW).unwrap_or(i64::MAX);
    Ok(grants::page(&app.store, whose, grants::NEWEST, few, person.now).await.during("listing grants")?)
}

/// A grant in a line: with the moment of its last use, if it had one.
fn granted(app: &App, grant: &Grant) -> OverviewLine {
    let team = grant.team.as_ref().map(|team| format!(", for {team}")).unwrap_or_default();
    let used = if grant.last_used_at.is_some() { "last used" } else { "not used yet" };
    OverviewLine {
        text: format!("{} by {}{team}: {used}", grant.product, grant.owner),
        at: grant.last_used_at.map(|at| TimeText::new(at, &app.settings.time_zone)),
    }
}
