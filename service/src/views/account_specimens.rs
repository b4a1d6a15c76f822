//! The pages about accounts and forgotten passwords filled with sample data, in each of their states, for the tests of the pages.

use super::account::{AccountClosePage, AccountConfirmPage, AccountFact, AccountPage};
use super::frame::{Frame, GuardedText};
use super::own_specimens::{frame, moment};
use super::password::FieldProblem;
use super::recovery::{ForgottenPasswordPage, NewPasswordPage, OutboxMail, OutboxPage};

fn problem(field: &'static str) -> FieldProblem {
    FieldProblem { text: "That will not do.".into(), field }
}

fn signed_out() -> Frame {
    Frame { sandbox: true, ..Frame::default() }
}

pub(super) fn account(name: &str, writes_mail: bool, wrong: Option<&'static str>) -> AccountPage {
    AccountPage {
        frame: frame(),
        notice: Some("Your e-mail address is confirmed."),
        username: name.into(),
        facts: vec![AccountFact { name: "Name", text: name.into() }],
        email: writes_mail.then(|| name.into()),
        typed: name.into(),
        writes_mail,
        has_record: writes_mail,
        has_apps: true,
        form: GuardedText::new("sealed-email"),
        problem: wrong.map(problem),
    }
}

pub(super) fn account_confirm(name: &str) -> AccountConfirmPage {
    AccountConfirmPage {
        frame: frame(),
        address: name.into(),
        action: GuardedText::new("/account/confirm/rgl_1_x"),
        form: GuardedText::new("sealed-confirm"),
    }
}

pub(super) fn account_close(wrong: Option<&'static str>) -> AccountClosePage {
    AccountClosePage { frame: frame(), form: GuardedText::new("sealed-close"), problem: wrong.map(problem) }
}

pub(super) fn forgotten_password(writes_mail: bool, wrong: Option<&'static str>) -> ForgottenPasswordPage {
    let form = writes_mail.then(|| GuardedText::new("sealed-forgotten"));
    ForgottenPasswordPage { frame: signed_out(), form, problem: wrong.map(problem) }
}

pub(super) fn new_password(name: &str, wrong: &[&'static str]) -> NewPasswordPage {
    NewPasswordPage {
        frame: signed_out(),
        action: GuardedText::new("/new-password/rgl_1_x"),
        username: name.into(),
        rule: rules::passwords::rule(),
        problems: wrong.iter().map(|field| problem(field)).collect(),
    }
}

pub(super) fn outbox(name: &str, count: usize) -> OutboxPage {
    let mail = |at: usize| OutboxMail {
        to: name.into(),
        subject: "A new password for your account",
        at: moment("14 November 2026", "2026-11-14T08:40:00Z"),
        paragraphs: vec!["Somebody has asked for a new password.".into()],
        link: (at == 0).then(|| GuardedText::new("/new-password/rgl_1_x")),
        is_over: at > 0,
    };
    OutboxPage { frame: signed_out(), mails: (0..count).map(mail).collect() }
}
