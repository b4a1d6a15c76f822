//! The authorization page for somebody who has signed in on it: which record the app gets, or which team, and what it would see of a
//! record today. It asks for no password again: who they are is sealed in its form.

use super::authorization_page::{self, AuthorizationRequest};
use crate::app::App;
use crate::callers::known_user::KnownUser;
use crate::interactions::choices::{self, Choices, SessionOption, TEAM};
use crate::views::everyone::{Choice, ChoiceOption, KnownReader, RecordCount, RecordCounts};
use crate::views::words;
use crate::voices::page::PageStop;
use axum::response::Response;
use rules::guidance::record_parts::RecordPart;
use rules::guidance::served::Served;
use rules::labels::{Label, Labels};
use rules::limits::ITEMS_COUNTED;
use rules::moment::Moment;
use rules::scope::Scope;
use store::people::User;
use store::search::inventory::ItemCount;

/// Records that are counted on one page at the most.
const COUNTED_RECORDS: usize = 5;

/// The page on which a clinician picks the patient whom the app is told of.
pub(super) fn page_with_pick(
    app: &App,
    checked: &AuthorizationRequest,
    attempt: u32,
    (user, scope): (&User, Scope),
    pick: Choice,
    problem: Option<String>,
) -> Result<Response, PageStop> {
    let reader = KnownReader { name: user.name.clone(), about: None, choice: Some(pick), counts: Vec::new() };
    authorization_page::page_for(app, checked, attempt, (KnownUser::of(user), scope, reader), problem)
}

/// The page for a clinician who opened the app for this patient.
pub(super) fn page_about(
    app: &App,
    checked: &AuthorizationRequest,
    attempt: u32,
    (user, scope): (&User, Scope),
    patient: String,
) -> Result<Response, PageStop> {
    let reader = KnownReader { name: user.name.clone(), about: Some(patient), choice: None, counts: Vec::new() };
    authorization_page::page_for(app, checked, attempt, (KnownUser::of(user), scope, reader), None)
}

/// The page for this user. `problem` is what was wrong with the last try.
pub(super) async fn page(
    app: &App,
    checked: &AuthorizationRequest,
    attempt: u32,
    (user, scope): (&User, Scope),
    choices: &Choices,
    problem: Option<String>,
) -> Result<Response, PageStop> {
    let now = app.clock.now();
    let reader = KnownReader {
        name: user.name.clone(),
        about: about(checked, choices),
        choice: (choices.options.len() > 1).then(|| choice(choices)),
        counts: counts(app, choices, checked.served, now).await?,
    };
    authorization_page::page_for(app, checked, attempt, (KnownUser::of(user), scope, reader), problem)
}

/// What the app was opened for, where it was opened from here.
fn about(checked: &AuthorizationRequest, choices: &Choices) -> Option<String> {
    checked.launched.as_ref()?.subject.choice.as_ref()?;
    let [only] = choices.options.as_slice() else { return None };
    Some(only.text())
}

fn choice(choices: &Choices) -> Choice {
    let is_team = choices.field == TEAM;
    let option = |option: &SessionOption| ChoiceOption {
        id: option.id.clone(),
        text: if is_team { option.text() } else { words::capital(&option.text()) },
        is_chosen: option.is_own,
    };
    Choice {
        field: choices.field,
        legend: if is_team { "For which team?" } else { "Whose record?" },
        hint: match is_team {
            true => "The app works for this one team, and sees what is open to it.",
            false => {
                "The app gets this one record. Of somebody you care for it sees what was shared with you, and no more."
            }
        },
        options: choices.options.iter().map(option).collect(),
        search: None,
    }
}

/// What the app would see today of each record that can be chosen.
async fn counts(app: &App, choices: &Choices, served: &Served, now: Moment) -> Result<Vec<RecordCounts>, PageStop> {
    let mut all = Vec::new();
    for option in choices.options.iter().take(COUNTED_RECORDS) {
        let Some(counted) = choices::counted(app, option, now).await? else { continue };
        let total: i64 = counted.iter().map(|one| one.count).sum();
        all.push(RecordCounts {
            of: if option.is_own { "your own record".into() } else { format!("the record of {}", option.name) },
            rows: RecordPart::ALL.into_iter().filter_map(|part| row(part, &counted, served)).collect(),
            most: (total >= ITEMS_COUNTED).then_some(ITEMS_COUNTED),
        });
    }
    Ok(all)
}

/// What there is of a part of a record, label by label; nothing where there is none.
fn row(part: RecordPart, counted: &[ItemCount], served: &Served) -> Option<RecordCount> {
    let of_part = || counted.iter().filter(|one| served.part(one.resource_type.name()) == part);
    let sum =
        |needs: i64| -> i64 { of_part().filter(|one| one.needs.0 & Labels::ALL.0 == needs).map(|one| one.count).sum() };
    let labelled = Label::ALL.map(|label| (sum(label.bit()), label.words().to_lowercase()));
    let (free, unlabelled) = (sum(0), sum(Labels::ALL.0));
    let known: i64 = labelled.iter().map(|(count, _)| count).sum::<i64>() + free + unlabelled;
    let others = of_part().map(|one| one.count).sum::<i64>() - known;
    let said = [(free, String::new())].into_iter().chain(labelled);
    let said: Vec<String> = said
        .chain([(unlabelled, "without a label".to_owned()), (others, "with several labels".to_owned())])
        .filter(|(count, _)| *count > 0)
        .map(|(count, label)| format!("{count} {label}").trim_end().to_owned())
        .collect();
    (!said.is_empty()).then(|| RecordCount { part: words::capital(part.words()), counts: said.join(", ") })
}
