//! The pages of a signed-in person filled with sample data, in each of their states, for the tests of the pages.

use super::accounts::{AccountRow, AccountsPage, AwaitedRow, PaperPage, PatientText};
use super::apps::{AppLaunchPage, AppsPage, GalleryApp};
use super::chart::{Chart, ChartReading, ChartSubject};
use super::connected_apps::{AppRow, ConnectedApp, ConnectedAppsPage, DisconnectPage, EndedRow};
use super::everyone::{Choice, ChoiceOption, Link};
use super::frame::{Frame, GuardedText, TimeText};
use super::home::{HomePage, HomeTask, InvitedText, Overview, OverviewLine};
use super::navigation;
use super::notices::{AcceptForm, NoticeRow, NoticesPage, SeenForm};
use super::password::FieldProblem;
use super::record::{DateText, EntryDetail, RecordEntry, RecordPage, RecordSectionPage, RecordSectionText};
use super::sharing::{
    CarerInvitationPage, EmergencyLook, LabelChoice, LabelText, SharingCell, SharingChangePage, SharingPage, SharingRow,
};
use super::sign_ins::{BrowserRow, SignInsPage};
use rules::scope::UserType;

pub(super) fn frame() -> Frame {
    Frame {
        sandbox: true,
        signed_in_as: Some("Amina Khan".into()),
        sign_out_form: Some(GuardedText::new("sealed-sign-out")),
        navigation: navigation::links(navigation::of(UserType::Patient), "/connected-apps"),
    }
}

pub(super) fn moment(text: &str, iso: &str) -> TimeText {
    TimeText { text: text.into(), iso: iso.into() }
}

pub(super) fn entry(name: &str) -> RecordEntry {
    RecordEntry {
        title: name.into(),
        value: Some("48 mmol/mol".into()),
        date: Some(DateText { text: "2 October 2026".into(), iso: "2026-10-02".into() }),
        details: vec![EntryDetail { name: "Comment", text: name.into() }],
        by: name.into(),
        label: "general health",
        way: Some(Link { href: "/record/letters/x".into(), text: "Open this letter".into() }),
        over_time: Some("/record/tests?of=x".into()),
    }
}

pub(super) fn record(name: &str) -> RecordPage {
    let section = |id, heading, newest| {
        let way = Link { href: "/record/tests".into(), text: format!("All of {heading}") };
        RecordSectionText { id, heading, newest, way }
    };
    let sections = vec![section("tests", "Test results", vec![entry(name)]), section("plans", "Plans", Vec::new())];
    RecordPage { frame: frame(), whose: None, news: None, sections }
}

pub(super) fn record_section(name: &str, count: usize) -> RecordSectionPage {
    let subject =
        ChartSubject { title: name, unit: "kg", from: "1 May 2026", to: "2 May 2026", usual: (Some(1.0), Some(2.0)) };
    let readings = [(0, 1.0), (5, 3.0)].map(|(at, value)| ChartReading { at, value, second: Some(value) });
    RecordSectionPage {
        frame: frame(),
        whose: None,
        heading: name.into(),
        back: Link { href: "/record".into(), text: "My record".into() },
        notice: (count > 0).then_some("It is in your record now."),
        addition: Some(Link { href: "/record/journal/new".into(), text: "Write into your journal".into() }),
        chart: Chart::of(subject, &readings).filter(|_| count > 0),
        entries: vec![entry(name); count],
        older: (count > 0).then(|| "/record/tests?after=5.x".into()),
    }
}

pub(super) fn notices(name: &str, count: usize) -> NoticesPage {
    let row = NoticeRow {
        heading: "An emergency look",
        text: name.into(),
        at: DateText { text: "14 November 2026".into(), iso: "2026-11-14T10:00:00Z".into() },
        about: Some(name.into()),
        by: Some(name.into()),
        reason: Some(name.into()),
        is_new: true,
        accept: Some(AcceptForm { action: "/notices/accept/x".into(), form: GuardedText::new("sealed-accept") }),
    };
    NoticesPage {
        frame: frame(),
        notice: Some("You care for that record now.".into()),
        notices: vec![row; count],
        seen: (count > 0).then(|| SeenForm { form: GuardedText::new("sealed-seen"), newest: "5".into() }),
        older: (count > 0).then(|| "/notices?before=5".into()),
    }
}

fn sharing_row(name: &str) -> SharingRow {
    let cell = |label, is_shared| SharingCell { label, is_shared };
    SharingRow {
        name: name.into(),
        kind: "Team",
        cells: vec![cell("General health", true), cell("Mental health", false)],
        about: vec!["Since 14 November 2026".into(), format!("Another reason: {name}")],
        change: "/sharing/5".into(),
    }
}

fn label_choices() -> Vec<LabelChoice> {
    let choice = |code, name, is_ticked| LabelChoice { code, name, items: "3 items".into(), is_ticked };
    vec![choice("GENERAL_HEALTH", "General health", true), choice("MENTAL_HEALTH", "Mental health", false)]
}

pub(super) fn sharing(name: &str, count: usize) -> SharingPage {
    let label = |name| LabelText { name, items: "3 items".into() };
    let at = DateText { text: "14 November 2026".into(), iso: "2026-11-14T10:00:00Z".into() };
    let emergency = EmergencyLook { at, text: name.into(), reason: Some(name.into()) };
    SharingPage {
        frame: frame(),
        notice: Some("What you share was changed."),
        labels: vec![label("General health"), label("Mental health")],
        shared: vec![sharing_row(name); count],
        over: vec![sharing_row(name); count],
        emergencies: vec![emergency; count],
    }
}

pub(super) fn sharing_change(
    name: &str,
    (is_locked, is_over): (bool, bool),
    problem: Option<&str>,
) -> SharingChangePage {
    SharingChangePage {
        frame: frame(),
        problem: problem.map(Into::into),
        row: sharing_row(name),
        labels: label_choices(),
        is_locked,
        is_over,
        end: format!("{name} loses access at once."),
        form: GuardedText::new("sealed-share"),
    }
}

pub(super) fn carer_invitation(name: &str, problem: Option<&'static str>) -> CarerInvitationPage {
    CarerInvitationPage {
        frame: frame(),
        problem: problem.map(|field| FieldProblem { text: "That will not do.".into(), field }),
        email: name.into(),
        labels: label_choices(),
        manages: true,
        form: GuardedText::new("sealed-carer"),
    }
}

pub(crate) fn connected_apps(product: &str, count: usize) -> ConnectedAppsPage {
    let connection = AppRow {
        may: "Read your record and add to it".into(),
        about: "The record of Bryn Khan".into(),
        since: moment("14 November 2026", "2026-11-14T10:00:00Z"),
        last_used: Some(moment("today at 10:05", "2026-11-14T10:05:00Z")),
        ends: None,
        check: "/connected-apps/revoke/5".into(),
    };
    let app = ConnectedApp {
        product: product.into(),
        owner: "Night Owl Labs".into(),
        in_all: 3,
        connections: vec![connection; count],
    };
    let ended = EndedRow {
        product: product.into(),
        owner: "Night Owl Labs".into(),
        since: moment("3 November 2026", "2026-11-03T10:00:00Z"),
        ended: moment("4 November 2026", "2026-11-04T10:00:00Z"),
        why: "You took the access back.".into(),
    };
    ConnectedAppsPage {
        frame: frame(),
        notice: Some("SampleStep Counter has lost access.".into()),
        apps: if count > 0 { vec![app] } else { Vec::new() },
        older: (count > 0).then(|| "/connected-apps?before=5".into()),
        ended: if count > 0 { vec![ended] } else { Vec::new() },
        ended_older: (count > 0).then(|| "/connected-apps?ended_before=5".into()),
    }
}

pub(super) fn apps(product: &str, count: usize) -> AppsPage {
    let row = GalleryApp { product: product.into(), owner: "Night Owl Labs".into(), href: "/apps/night-owl".into() };
    AppsPage { frame: frame(), about: Some(product.into()), apps: vec![row; count] }
}

pub(super) fn app_launch(product: &str, options: usize, problem: Option<String>) -> AppLaunchPage {
    let option = |at: usize| ChoiceOption { id: format!("{at}"), text: product.into(), is_chosen: at == 0 };
    AppLaunchPage {
        frame: frame(),
        product: product.into(),
        owner: "Night Owl Labs".into(),
        goes_to: "night-owl.example".into(),
        about: (options == 0).then(|| product.into()),
        choice: (options > 0).then(|| Choice {
            field: "record",
            legend: "Whose record?",
            hint: "The app is told of this one record, and asks before it gets anything.",
            options: (0..options).map(option).collect(),
            search: None,
        }),
        kept: vec![("team", product.into())],
        action: "/apps/night-owl".into(),
        form: GuardedText::new("sealed-open"),
        back: "/apps".into(),
        problem,
    }
}

pub(super) fn disconnect(product: &str, others: i64) -> DisconnectPage {
    DisconnectPage {
        frame: frame(),
        product: product.into(),
        owner: "Night Owl Labs".into(),
        may: "read your record and add to it".into(),
        since: moment("14 November 2026", "2026-11-14T10:00:00Z"),
        others,
        action: "/connected-apps/revoke/5".into(),
        form: GuardedText::new("sealed-revoke"),
    }
}

pub(super) fn sign_ins(others: usize) -> SignInsPage {
    let browser = BrowserRow {
        name: "Firefox on Windows".into(),
        since: moment("14 November 2026", "2026-11-14T10:00:00Z"),
        last_used: moment("14 November 2026", "2026-11-14T10:05:00Z"),
        action: "/sign-ins/end/7".into(),
        form: GuardedText::new("sealed-end"),
    };
    SignInsPage {
        frame: frame(),
        notice: Some("That browser is signed out.".into()),
        here: Some(browser.clone()),
        others: vec![browser; others],
        form: GuardedText::new("sealed-others"),
    }
}

pub(super) fn home(name: &str, lines: usize) -> HomePage {
    let line = OverviewLine { text: name.into(), at: Some(moment("today at 10:05", "2026-11-14T10:05:00Z")) };
    HomePage {
        frame: frame(),
        heading: format!("Hello, {name}"),
        text: "What would you like to do?".into(),
        invited: (lines > 0)
            .then(|| InvitedText { organisation: name.into(), at: moment("14 November 2026", "2026-11-14T10:00:00Z") }),
        tasks: vec![HomeTask { href: "/password", title: "Password", text: "Choose a new one." }],
        overviews: vec![Overview {
            id: "connected",
            heading: "Connected now",
            empty: "No apps are connected.",
            lines: vec![line; lines],
            way: Link { href: "/connected-apps".into(), text: "All".into() },
        }],
    }
}

fn patient(name: &str) -> PatientText {
    PatientText { name: name.into(), id: "amina-1".into(), born: Some("1985-02-01".into()) }
}

pub(super) fn accounts(name: &str, rows: usize) -> AccountsPage {
    let made = moment("14 November 2026", "2026-11-14T10:00:00Z");
    let account = AccountRow {
        patient: patient(name),
        invited_by: name.into(),
        made: made.clone(),
        ended: None,
        end_action: "/coordinator/accounts/end/7".into(),
        form: GuardedText::new("sealed-end"),
    };
    let ended = AccountRow { ended: Some(made.clone()), ..account.clone() };
    let awaited = AwaitedRow {
        patient: patient(name),
        invited_by: name.into(),
        until: made.clone(),
        printed_until: (rows > 1).then_some(made),
        print_action: "/coordinator/accounts/paper/amina-1".into(),
        form: GuardedText::new("sealed-print"),
    };
    AccountsPage {
        frame: frame(),
        notice: Some("The account was ended.".into()),
        accounts: [account, ended].into_iter().take(rows).collect(),
        older: (rows > 0).then(|| "/coordinator/accounts?before=5".into()),
        awaited: vec![awaited; rows],
        more_awaited: (rows > 0).then(|| "/coordinator/accounts?after=5".into()),
    }
}

pub(super) fn paper(name: &str) -> PaperPage {
    PaperPage {
        frame: frame(),
        patient: patient(name),
        invited_by: name.into(),
        code: GuardedText::new("ABCD-EFGH-JKMN-PQRS"),
        until: moment("14 November 2026", "2026-11-14T10:00:00Z"),
        join: "https://records.example/join".into(),
    }
}
