//! The pages of professionals filled with sample data, in each of their states, for the tests of the pages.

use super::admin::{
    AddField, AddForm, AddOption, AdminDeed, AdminListPage, AdminOnePage, AdminPage, AdminRow, SettingText,
};
use super::everyone::Link;
use super::frame::GuardedText;
use super::glass::GlassPage;
use super::looks::{LookDay, LookLine, LooksPage};
use super::oversight::{
    ConsentText, GlassText, OfficerGlassPage, OfficerLooksPage, OfficerPage, OfficerPatientPage, StateForm,
};
use super::own_specimens::{frame, moment, record, record_section};
use super::password::FieldProblem;
use super::record::{DateText, RecordBanner, RecordPage, RecordSectionPage};
use super::record_specimens::letter_of;
use super::teams::{CareChoice, TeamPatientRow, TeamPatientsPage, TeamWay, TeamsPage};
use askama::Template;

pub(super) fn every_page(name: &str) -> Vec<(&'static str, String)> {
    let whose = |is_open| Some(banner(name, is_open));
    vec![
        ("teams", teams(name, 2).render().unwrap()),
        ("teams-none", teams(name, 0).render().unwrap()),
        ("team-patients", team_patients(name, 2).render().unwrap()),
        ("team-patients-none", team_patients(name, 0).render().unwrap()),
        ("team-record", RecordPage { whose: whose(false), ..record(name) }.render().unwrap()),
        ("team-record-open", RecordPage { whose: whose(true), ..record(name) }.render().unwrap()),
        ("team-section", RecordSectionPage { whose: whose(false), ..record_section(name, 2) }.render().unwrap()),
        ("team-section-empty", RecordSectionPage { whose: whose(true), ..record_section(name, 0) }.render().unwrap()),
        ("team-letter", letter_of(name, banner(name, false)).render().unwrap()),
        ("glass", glass(name, None).render().unwrap()),
        ("glass-wrong-number", glass(name, Some("number")).render().unwrap()),
        ("glass-without-reason", glass(name, Some("reason")).render().unwrap()),
        (
            "looks",
            LooksPage { frame: frame(), days: days(name), older: Some("/looks?before=1.7".into()) }.render().unwrap(),
        ),
        ("officer", officer(name, true).render().unwrap()),
        ("officer-nothing", officer(name, false).render().unwrap()),
        ("officer-glass", officer_glass(name).render().unwrap()),
        ("officer-patient", officer_patient(name, false).render().unwrap()),
        ("officer-patient-refused", officer_patient(name, true).render().unwrap()),
        ("officer-looks", officer_looks(name).render().unwrap()),
        ("admin", admin(name, true).render().unwrap()),
        ("admin-in-trouble", admin(name, false).render().unwrap()),
        ("admin-list", admin_list(name, false).render().unwrap()),
        ("admin-list-refused", admin_list(name, true).render().unwrap()),
        ("admin-one", admin_one(name, false).render().unwrap()),
        ("admin-one-refused", admin_one(name, true).render().unwrap()),
        ("looks-none", LooksPage { frame: frame(), days: Vec::new(), older: None }.render().unwrap()),
    ]
}

fn born() -> Option<DateText> {
    Some(DateText { text: "2 October 1986".into(), iso: "1986-10-02".into() })
}

fn teams(name: &str, count: usize) -> TeamsPage {
    let way = TeamWay { name: name.into(), organisation: name.into(), href: "/teams/x".into() };
    TeamsPage { frame: frame(), teams: vec![way; count] }
}

fn team_patients(name: &str, count: usize) -> TeamPatientsPage {
    let row = TeamPatientRow {
        name: name.into(),
        born: born(),
        numbers: vec![name.into()],
        sees: "You see general health.".into(),
        href: "/teams/x/patients/amina".into(),
    };
    TeamPatientsPage {
        frame: frame(),
        team: name.into(),
        path: "/teams/x".into(),
        has_others: count > 0,
        sought: name.into(),
        states: vec![CareChoice { word: "CURRENT", text: "Now", is_chosen: true }],
        patients: vec![row; count],
        is_cut: count > 0,
        older: (count > 0).then(|| "/teams/x?before=5".into()),
        emergency: (count > 0).then(|| "/teams/x/emergency".into()),
    }
}

fn banner(name: &str, is_open: bool) -> RecordBanner {
    RecordBanner {
        name: name.into(),
        born: born(),
        numbers: vec![name.into()],
        team: name.into(),
        back: "/teams/x".into(),
        sees: "You see general health.".into(),
        apps: (!is_open).then(|| "/apps?team=x&patient=y".into()),
        until: is_open.then(|| moment("10:05", "2026-11-14T10:05:00Z")),
        emergency: (!is_open).then(|| "/teams/x/patients/amina/emergency".into()),
        end: is_open.then(|| ("/teams/x/patients/amina/emergency/end".into(), GuardedText::new("sealed-end"))),
    }
}

fn glass(name: &str, problem: Option<&'static str>) -> GlassPage {
    GlassPage {
        frame: frame(),
        team: name.into(),
        organisation: name.into(),
        back: "/teams/x".into(),
        action: "/teams/x/emergency".into(),
        form: GuardedText::new("sealed-glass"),
        asks_for_number: problem != Some("reason"),
        number: name.into(),
        reason: name.into(),
        needs_reason: true,
        minutes: 30,
        problem: problem.map(|field| FieldProblem { text: "That will not do.".into(), field }),
    }
}

fn days(name: &str) -> Vec<LookDay> {
    let look = LookLine {
        at: moment("08:40 UTC", "2026-11-14T08:40:00Z"),
        what: name.into(),
        patient: Some(name.into()),
        by: vec![name.into()],
        is_emergency: true,
    };
    vec![LookDay { text: "14 November 2026".into(), date: "2026-11-14".into(), looks: vec![look] }]
}

fn glass_text(name: &str) -> GlassText {
    GlassText {
        at: moment("08:40 UTC", "2026-11-14T08:40:00Z"),
        until: moment("09:10 UTC", "2026-11-14T09:10:00Z"),
        user: name.into(),
        team: name.into(),
        patient: "amina".into(),
        reason: Some(name.into()),
        href: "/officer/emergencies/7".into(),
    }
}

fn officer(name: &str, is_full: bool) -> OfficerPage {
    let problem = (!is_full).then(|| FieldProblem { text: "That will not do.".into(), field: "number" });
    OfficerPage {
        frame: frame(),
        organisation: name.into(),
        number: name.into(),
        problem,
        form: GuardedText::new("sealed-find"),
        glasses: if is_full { vec![glass_text(name)] } else { Vec::new() },
        older: is_full.then(|| "/officer?before=5".into()),
    }
}

fn officer_glass(name: &str) -> OfficerGlassPage {
    OfficerGlassPage { frame: frame(), glass: glass_text(name), seen: vec![name.into()], days: days(name) }
}

fn officer_patient(name: &str, is_refused: bool) -> OfficerPatientPage {
    let problem = is_refused.then(|| FieldProblem { text: "That will not do.".into(), field: "reason-freezing" });
    let state = StateForm {
        id: "freezing",
        heading: "Not frozen",
        text: "Teams work as before.",
        decision: "freeze",
        button: "Freeze the record",
    };
    OfficerPatientPage {
        frame: frame(),
        notice: Some("The record is frozen."),
        problem,
        name: name.into(),
        born: born(),
        numbers: vec![name.into()],
        path: "/officer/patients/amina".into(),
        consents: vec![ConsentText { name: name.into(), kind: "Team", about: vec![name.into()] }],
        states: vec![state],
        form: GuardedText::new("sealed-state"),
        history: days(name),
        older: Some("/officer/patients/amina?before=1.7".into()),
    }
}

fn officer_looks(name: &str) -> OfficerLooksPage {
    OfficerLooksPage {
        frame: frame(),
        name: name.into(),
        organisation: name.into(),
        path: "/officer/patients/amina".into(),
        days: days(name),
        older: Some("/officer/patients/amina/looks?before=1.7".into()),
    }
}

fn admin(name: &str, is_well: bool) -> AdminPage {
    let setting = SettingText { key: "time_zone", value: name.into(), from: "the default".into() };
    AdminPage {
        frame: frame(),
        obstacle: (!is_well).then(|| name.into()),
        keys: vec!["4f2a".into()],
        settings: if is_well { vec![setting] } else { Vec::new() },
    }
}

fn admin_list(name: &str, is_refused: bool) -> AdminListPage {
    let field = AddField {
        name: "name",
        label: "Name",
        hint: "What it is called.",
        value: name.into(),
        is_password: false,
        is_required: true,
        options: Vec::new(),
    };
    let option = AddOption { value: name.into(), text: name.into(), is_chosen: true };
    let choice = AddField { name: "kind", hint: "", options: vec![option], ..field.clone() };
    let password = AddField { name: "password", is_password: true, ..field.clone() };
    AdminListPage {
        frame: frame(),
        heading: "Accounts",
        lead: "What you change here is noted with your name.",
        notice: Some(name.into()),
        search: Some(("/admin/users", name.into())),
        rows: vec![AdminRow { title: name.into(), lines: vec![name.into()], href: Some("/admin/users/7".into()) }],
        older: Some("/admin/users?after=x".into()),
        adds: vec![AddForm {
            id: "add",
            heading: "Add an account",
            action: "/admin/users",
            button: "Add",
            form: GuardedText::new("sealed-add"),
            problems: if is_refused { vec![name.into()] } else { Vec::new() },
            fields: vec![field, choice, password],
        }],
    }
}

fn admin_one(name: &str, is_refused: bool) -> AdminOnePage {
    AdminOnePage {
        frame: frame(),
        back: Link { href: "/admin/clients".into(), text: "Clients".into() },
        heading: name.into(),
        notice: Some(name.into()),
        problem: is_refused.then(|| name.into()),
        secret: Some(GuardedText::new("sealed-secret")),
        facts: vec![("Owner", name.into())],
        action: "/admin/clients/x".into(),
        form: GuardedText::new("sealed-change"),
        deeds: vec![AdminDeed { decision: "disable", button: "Disable the client", text: "Shuts it out at once." }],
    }
}
