//! Specimens of the pages about the second factor, in the states that people meet.

use super::own_specimens::{frame, moment};
use super::password::FieldProblem;
use super::second_factor::{
    CodePage, FactorChanges, FactorEnrolmentPage, FactorQuestion, FactorResetPage, PasskeyEnrolmentPage,
    PasskeyQuestion, PasskeyRow, RecoveryCodesPage, SecondFactorPage,
};
use super::{Frame, GuardedText, qr};

pub(super) fn second_factor(name: &str, recovery_codes: Option<i64>, changes: FactorChanges) -> SecondFactorPage {
    let is_wrong = matches!(changes, FactorChanges::Form { .. });
    SecondFactorPage {
        frame: frame(),
        notice: recovery_codes.is_none().then_some("Your second factor is removed."),
        has_app: recovery_codes.is_some(),
        passkeys: recovery_codes.into_iter().flat_map(|_| [passkey(name, 1), passkey(name, 2)]).collect(),
        recovery_codes,
        changes,
        problem: is_wrong.then(|| FieldProblem { text: "That is not your password.".into(), field: "password" }),
    }
}

fn passkey(name: &str, id: i64) -> PasskeyRow {
    PasskeyRow {
        id,
        name: name.into(),
        made: moment("12 February 2027", "2027-02-12"),
        used: (id == 1).then(|| moment("13 February 2027", "2027-02-13")),
        may_be_removed: true,
    }
}

pub(super) fn factor_question() -> FactorQuestion {
    let options = r#"{"challenge":"AAAA","allowCredentials":[]}"#.to_owned();
    let passkey = PasskeyQuestion { sealed: GuardedText::new("sealed-question"), options };
    FactorQuestion { has_app: true, passkey: Some(passkey) }
}

pub(super) fn passkey_enrolment(name: &str, problem: Option<&str>) -> PasskeyEnrolmentPage {
    PasskeyEnrolmentPage {
        frame: frame(),
        form: GuardedText::new("sealed-creation"),
        options: r#"{"challenge":"AAAA"}"#.into(),
        name: name.into(),
        problem: problem.map(Into::into),
    }
}

pub(super) fn factor_form() -> FactorChanges {
    FactorChanges::Form { form: GuardedText::new("sealed-second-factor"), may_remove_app: true, may_make_passkey: true }
}

pub(super) fn factor_code(problem: Option<&str>) -> CodePage {
    CodePage {
        frame: Frame { sandbox: true, ..Frame::default() },
        action: "/sign-in",
        form: GuardedText::new("sealed-code"),
        next: "/record".into(),
        why: "This account has a second factor, too.",
        remember_days: problem.is_none().then_some(30),
        question: factor_question(),
        problem: problem.map(Into::into),
    }
}

pub(super) fn factor_enrolment(problem: Option<&str>) -> FactorEnrolmentPage {
    FactorEnrolmentPage {
        frame: frame(),
        form: GuardedText::new("sealed-enrolment"),
        secret: GuardedText::new("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"),
        code: qr::picture("otpauth://totp/Recordgate:amina?secret=GEZDGNBVGY3TQOJQ").unwrap(),
        problem: problem.map(Into::into),
    }
}

pub(super) fn recovery_codes() -> RecoveryCodesPage {
    RecoveryCodesPage {
        frame: frame(),
        heading: "Your new recovery codes",
        codes: (0..10).map(|number| GuardedText::new(format!("7K3M-9QXT-B2WD-000{number}"))).collect(),
    }
}

pub(super) fn factor_reset(problem: Option<&str>) -> FactorResetPage {
    FactorResetPage {
        frame: Frame { sandbox: true, ..Frame::default() },
        form: GuardedText::new("sealed-reset"),
        link: GuardedText::new("token-of-the-link"),
        username: if problem.is_some() { "amina".into() } else { String::new() },
        problem: problem.map(Into::into),
    }
}
