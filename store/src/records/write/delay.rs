//! The delay with which a source sends a result or a letter: how long it is held back from patient and carers, who hear at once that it
//! has arrived. It begins with the write that asks for it, and sending the same again does not begin it anew.

use super::predecessor::Before;
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::records::reach::consents::{self, StoredConsent};
use crate::records::sharing::notices::{self, NewNotice};
use crate::sql::arg::args;
use crate::sql::statement::statements;
use fhir::audience;
use fhir::preparation::Preparation;
use rules::consent::carers;
use rules::consent::delay::{self, Delay, Hides};
use rules::consent::notice::{NoticeKind, Recipient};
use rules::consent::record::Consent;
use rules::ids::{PatientId, RowId};
use rules::moment::Moment;
use rules::reach::Source;

statements! {
    OF = "SELECT until FROM delays WHERE resource_id = $1";
    PUT = "INSERT INTO delays (resource_id, until) VALUES ($1, $2) ON CONFLICT (resource_id) DO UPDATE SET until = $2";
    END = "DELETE FROM delays WHERE resource_id = $1";
}

const SECONDS_OF_A_DAY: i64 = 86_400;

/// The delay of a version that is being stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DelayStep {
    /// Nothing was or is held back.
    None,
    /// What is there stays as it is, held back or not.
    Stays(Option<Delay>),
    Begins(Delay),
    Ends,
}

impl DelayStep {
    /// What comes of a write over what is there.
    pub(crate) async fn of(
        tx: &mut Tx<'_>,
        content: &Preparation,
        source: Source,
        (before, is_release): (Option<&Before>, bool),
        now: Moment,
    ) -> Result<Self> {
        let name = content.resource_type.name();
        if !delay::is_for(name, &source) {
            return Ok(Self::None);
        }
        let wanted = content.audience.hidden_days.filter(|days| *days > 0);
        // Of what says nothing of it nothing need be asked.
        let said = before.filter(|before| before.body.contains(audience::HIDDEN_DAYS));
        let said = said.map(|before| (before.row, audience::hidden_days(&before.body).filter(|days| *days > 0)));
        Ok(match (wanted, said) {
            (None, None) => Self::None,
            _ if is_release => Self::Ends,
            (None, Some(_)) => Self::Ends,
            (Some(days), Some((row, same))) if same == Some(days) => {
                let until = tx.query_one(OF, args![row], |row| row.int(0)).await?;
                Self::Stays(until.map(|until| Delay::of(name, Moment(until))))
            }
            (Some(days), _) => {
                let seconds = days.saturating_mul(SECONDS_OF_A_DAY);
                Self::Begins(Delay::of(name, now.plus_seconds(seconds)))
            }
        })
    }

    /// Whether all of it is held back.
    pub(crate) fn holds_item_back(self) -> bool {
        matches!(self, Self::Begins(delay) | Self::Stays(Some(delay)) if delay.hides == Hides::Item)
    }

    /// Writes down what begins or ends, and tells the patients and the carers who hold a label what has arrived.
    pub(crate) async fn put(
        self,
        tx: &mut Tx<'_>,
        ids: &Ids,
        row: RowId,
        (patients, source): (&[PatientId], Source),
        now: Moment,
    ) -> Result<()> {
        match self {
            Self::None | Self::Stays(_) => Ok(()),
            Self::Ends => tx.post(END, args![row]).await,
            Self::Begins(delay) => {
                tx.post(PUT, args![row, delay.until.0]).await?;
                for patient in patients {
                    tell(tx, ids, *patient, (delay, source), now).await?;
                }
                Ok(())
            }
        }
    }
}

/// Tells a patient and the carers who hold a label. After the patient's death nobody is told.
async fn tell(
    tx: &mut Tx<'_>,
    ids: &Ids,
    patient: PatientId,
    (delay, source): (Delay, Source),
    now: Moment,
) -> Result<()> {
    let Some(state) = patients::load_state(tx, patient).await?.filter(|state| !state.deceased) else { return Ok(()) };
    let stored = consents::load(tx, patient).await?;
    let consents: Vec<Consent> = stored.iter().map(StoredConsent::consent).cloned().collect();
    let team = match source {
        Source::Team(team, _) => Some(team),
        _ => None,
    };
    let notice = NewNotice {
        kind: NoticeKind::ResultArrived,
        recipient: Recipient::Patient(patient),
        patient,
        text: delay.notice(),
        by: (None, team),
        reason: None,
    };
    for recipient in notices::circle(patient, carers::told(&state, &consents, now)) {
        notices::add(tx, ids, &NewNotice { recipient, ..notice.clone() }, now).await?;
    }
    Ok(())
}
