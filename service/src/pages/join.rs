//! `/join`: somebody who was invited makes their account. First the code, the token and the date of birth, then how they sign in.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::invitee::{InvitationProof, Invitee};
use crate::callers::login::busy_problem;
use crate::callers::page_form;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::forms;
use crate::http::origin;
use crate::secrets::passwords::NotTaken;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Line;
use crate::views::join::{JoinAccountPage, JoinPage};
use crate::views::parting::Parting;
use crate::views::password::FieldProblem;
use crate::views::{GuardedText, navigation, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::invitations::{FurtherProof, is_email};
use rules::limits::{FORM_SECONDS, NAME_CHARACTERS};
use rules::moment::Moment;
use rules::params::Params;
use rules::passwords;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use store::accounts::addresses;
use store::invitations::{self, InvitationRedemption, NewAccount};

const PATH: &str = "/join";
/// The same for every reason, so that nobody learns which of the three was right.
const NOT_OPEN: &str = "This code, token and date of birth open no invitation. Check them; \
    if they are right, the invitation may be over: ask whoever invited you for a new one.";

const NOT_THE_PAPER: &str = "This is not the code on the paper, or it is no longer good. Check it; \
    if it is right, ask the team that gave you the paper for a new one.";

/// What a form of these pages holds, sealed.
#[derive(Serialize, Deserialize)]
struct JoinForm {
    join_until: i64,
    /// What was right on the page before; none on the first.
    proof: Option<InvitationProof>,
}

pub async fn show(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    Ok(first_page(&call.app, StatusCode::OK, &params, None))
}

/// The same under the address that links of the public record have, with the code of a team, of which nothing depends: the
/// invitation itself says who invites.
pub async fn show_of_team(anyone: Anyone, call: Call) -> Result<Response, PageStop> {
    match call.part("id") {
        Some(_) => show(anyone, call).await,
        None => Err(Problem::not_found().into()),
    }
}

pub async fn post(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let params = page_form::read(&app, &head.headers, body).await?;
    let address = origin::address(&app, &head.headers, peer);
    let sealed: Option<JoinForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(&app, sealed));
    let now = app.clock.now();
    match sealed.filter(|form| !now.is_past(Moment(form.join_until))) {
        Some(JoinForm { proof: Some(proof), .. }) => make_account(&app, &params, proof, address, now).await,
        Some(JoinForm { proof: None, .. }) => open(&app, &params, address, now).await,
        None => {
            let problem =
                FieldProblem { text: "This page was open for too long. Please try again.".into(), field: "t1" };
            Ok(first_page(&app, StatusCode::BAD_REQUEST, &params, Some(problem)))
        }
    }
}

/// From the first page to the second.
async fn open(app: &App, params: &Params<'_>, address: IpAddr, now: Moment) -> Result<Response, PageStop> {
    let text = |name: &str| params.get(name).unwrap_or_default();
    let wrong = |field, text: &str| {
        let problem = FieldProblem { text: text.to_owned(), field };
        Ok(first_page(app, StatusCode::BAD_REQUEST, params, Some(problem)))
    };
    let Some(birth_date) = date(text("day"), text("month"), text("year")) else {
        return wrong("day", "The date of birth must have a day, a month and a year of four digits, all in numbers.");
    };
    let proof = InvitationProof::new(text("t1"), text("t2"), birth_date);
    match proof.prove(app, address, now).await? {
        Some(invitee) => Ok(second_page(app, StatusCode::OK, &invitee, proof, text("e"), None)),
        None => wrong("t1", NOT_OPEN),
    }
}

/// From the second page to the account.
async fn make_account(
    app: &App,
    params: &Params<'_>,
    proof: InvitationProof,
    address: IpAddr,
    now: Moment,
) -> Result<Response, PageStop> {
    let Some(invitee) = proof.prove_again(app, now).await? else { return Ok(over(app)) };
    match redeem(app, params, &invitee, address, now).await? {
        Ok(true) => Ok(page::see_other(&format!("/sign-in?why={}", Parting::AccountMade.word()))),
        Ok(false) => Ok(over(app)),
        Err(problem) => {
            let email = params.get("e").unwrap_or_default();
            Ok(second_page(app, StatusCode::BAD_REQUEST, &invitee, proof, email, Some(problem)))
        }
    }
}

/// Whether the account was made, or what is to be mended. That an address is taken is told to those alone who were invited, and
/// counts as a failure, so that nobody tries many.
async fn redeem(
    app: &App,
    params: &Params<'_>,
    invitee: &Invitee,
    address: IpAddr,
    now: Moment,
) -> Result<Result<bool, FieldProblem>, PageStop> {
    let wrong = |field, text: &str| Ok(Err(FieldProblem { text: text.to_owned(), field }));
    let (email, password) = (params.get("e").unwrap_or_default().trim(), params.get("password").unwrap_or_default());
    if !is_email(email) {
        return wrong("e", "That is no e-mail address, as in name@example.org.");
    }
    if let Some(fault) = passwords::fault(password, email) {
        return wrong("password", &words::sentence(&fault.words()));
    }
    if params.get("repeated") != Some(password) {
        return wrong("repeated", "The password was not typed the same way twice.");
    }
    let typed = params.get("paper").unwrap_or_default();
    let Some(paper) = invitee.prove_paper(app, typed, address, now).await? else {
        return wrong("paper", NOT_THE_PAPER);
    };
    let attempt = invitee.attempt(app, address)?;
    let taken = app.passwords.take(Secret::new(password.to_owned()), email.to_owned(), Line::of(address)).await;
    let password_hash = match taken.map_err(|busy| busy_problem(app, busy))? {
        Ok(hash) => hash,
        Err(NotTaken::Fault(fault)) => return wrong("password", &words::sentence(&fault.words())),
        Err(trouble) => return Err(Trouble::new("hashing the password of a new account", trouble).into()),
    };
    let name = invitee.name.as_deref().unwrap_or(email).chars().take(NAME_CHARACTERS).collect();
    let account = NewAccount { username: email.to_owned(), password_hash, name, paper };
    let (patient, pair) = (invitee.invitation.patient, invitee.invitation.pair.clone());
    let redeemed = invitations::redeem(&app.store, patient, pair, account, now).await;
    let redeemed = redeemed.during("making the account of an invitee")?;
    attempt.settle(redeemed != InvitationRedemption::NameTaken);
    match redeemed {
        InvitationRedemption::Made(user) => {
            tracing::info!(user = user.0, "an invitee made an account");
            if app.settings.writes_mail() {
                let asked = addresses::ask(&app.store, user, email.to_owned(), now).await;
                asked.during("asking to confirm an address")?;
            }
            Ok(Ok(true))
        }
        InvitationRedemption::NameTaken => {
            wrong("e", "There is an account with this e-mail address already. Use another one.")
        }
        InvitationRedemption::NotProved => wrong("paper", NOT_THE_PAPER),
        InvitationRedemption::Over => Ok(Ok(false)),
    }
}

/// The first page anew, for an invitation that was open a moment ago.
fn over(app: &App) -> Response {
    let problem = FieldProblem { text: NOT_OPEN.to_owned(), field: "t1" };
    first_page(app, StatusCode::BAD_REQUEST, &Params::default(), Some(problem))
}

fn first_page(app: &App, status: StatusCode, params: &Params<'_>, problem: Option<FieldProblem>) -> Response {
    let text = |name: &str| params.get(name).unwrap_or_default().to_owned();
    let page = JoinPage {
        frame: page::frame(app, navigation::SIGNED_OUT, PATH),
        form: sealed(app, None),
        code: text("t1"),
        token: GuardedText::new(text("t2")),
        email: text("e"),
        day: text("day"),
        month: text("month"),
        year: text("year"),
        problem,
    };
    page::html(status, &page)
}

fn second_page(
    app: &App,
    status: StatusCode,
    invitee: &Invitee,
    proof: InvitationProof,
    email: &str,
    problem: Option<FieldProblem>,
) -> Response {
    let page = JoinAccountPage {
        frame: page::frame(app, navigation::SIGNED_OUT, PATH),
        form: sealed(app, Some(proof)),
        organisation: invitee.invitation.organisation_name.clone(),
        asks_for_paper: invitee.invitation.further_proof == FurtherProof::Paper,
        email: email.to_owned(),
        rule: passwords::rule(),
        problem,
    };
    page::html(status, &page)
}

fn sealed(app: &App, proof: Option<InvitationProof>) -> GuardedText {
    let join_until = app.clock.now().plus_seconds(FORM_SECONDS).0;
    GuardedText::new(forms::seal(app, &JoinForm { join_until, proof }))
}

/// A date as FHIR writes it, of what was typed; `None` if it is no date.
fn date(day: &str, month: &str, year: &str) -> Option<String> {
    let number = |text: &str, longest: usize| {
        let text = text.trim();
        let is_number = (1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { text.parse::<u32>().ok() } else { None }
    };
    let (day, month, year) = (number(day, 2)?, number(month, 2)?, number(year, 4)?);
    let is_date = (1..=31).contains(&day) && (1..=12).contains(&month) && year >= 1000;
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_with_and_without_leading_zeros_and_nothing_else_is() {
        for typed in [("1", "2", "1985"), ("01", "02", "1985"), (" 1 ", "2", "1985 ")] {
            assert_eq!(date(typed.0, typed.1, typed.2).as_deref(), Some("1985-02-01"));
        }
        for wrong in
            [("", "2", "1985"), ("1", "13", "1985"), ("32", "1", "1985"), ("1", "2", "85"), ("1", "May", "1985")]
        {
            assert_eq!(date(wrong.0, wrong.1, wrong.2), None, "{wrong:?}");
        }
        assert_eq!(date("001", "2", "1985"), None);
        assert_eq!(date("+1", "2", "1985"), None);
    }
}
