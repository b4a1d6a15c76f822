//! As whom a session, or a person on our pages, is told something: as the patient, as a user, as a team, as a privacy officer.

use super::caller::Caller;
use crate::app::App;
use crate::app::trouble::{During, Trouble};
use rules::consent::notice::{NoticeKind, Recipient};
use store::people::User;
use store::sharing::notices::Notice;
use store::{organisations, patients};

/// As whom somebody is told something, and of which record alone, if of one alone.
#[derive(Debug)]
pub struct NoticeReader {
    recipients: Vec<Recipient>,
    record: Option<String>,
    /// An app is not told how its user proves who they are.
    is_app: bool,
}

impl NoticeReader {
    /// A session.
    #[must_use]
    pub fn of_caller(caller: &Caller) -> Self {
        let reach = caller.reach();
        let own = reach.own().map(Recipient::Patient);
        let teams = reach.teams().iter().map(|team| Recipient::Team(*team));
        let recipients = own.into_iter().chain(caller.user().map(Recipient::User)).chain(teams).collect();
        Self { recipients, record: caller.patient().map(String::from), is_app: true }
    }

    /// A person on our pages, who is told of every record that they have to do with.
    pub async fn of_person(app: &App, user: &User) -> Result<Self, Trouble> {
        let mut recipients = vec![Recipient::User(user.id)];
        if let Some(patient) = &user.patient_id {
            let own = patients::find(&app.store, patient).await.during("finding the patient")?;
            recipients.extend(own.map(Recipient::Patient));
        }
        if let Some(organisation) = &user.organisation {
            let own = organisations::find(&app.store, organisation).await.during("finding an organisation")?;
            recipients.extend(own.map(|own| Recipient::Officers(own.id)));
        }
        if user.user_type.may_be_member() {
            let teams =
                organisations::teams_of_user(&app.store, user.id).await.during("listing the teams of a user")?;
            recipients.extend(teams.iter().map(|team| Recipient::Team(team.id)));
        }
        Ok(Self { recipients, record: None, is_app: false })
    }

    #[must_use]
    pub fn recipients(&self) -> &[Recipient] {
        &self.recipients
    }

    /// Whether a notice is for them. A session about one record is told of that record alone, and its user of being invited to
    /// another.
    #[must_use]
    pub fn is_told(&self, notice: &Notice) -> bool {
        if !self.recipients.contains(&notice.recipient) || (self.is_app && notice.kind == NoticeKind::Account) {
            return false;
        }
        match (&self.record, notice.recipient) {
            (Some(record), Recipient::User(_)) => {
                notice.patient.as_ref() == Some(record) || notice.kind == NoticeKind::CarerInvited
            }
            _ => true,
        }
    }
}
