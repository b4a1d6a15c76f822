//! What is known of an item for whoever asks why somebody sees it, whatever the asker may see: the facts that reach decides by, and
//! the line of the ledger that tells that an operator has asked.

use super::sight;
use crate::error::{Error, Result};
use crate::ledger::{About, Event, Line};
use crate::records::documents::binary::SAME_SOURCE;
use crate::records::index::tokens::carriers;
use crate::records::stored::resource;
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use fhir::types::{self, ResourceType};
use rules::consent::delay::Delay;
use rules::consent::item::{Author, ItemFacts, Part, Participant};
use rules::consent::record::Grantee;
use rules::consent::standing::Standing;
use rules::ids::{OrganisationId, PatientId, RowId, TeamId};
use rules::labels::Needs;
use rules::moment::Moment;
use rules::reach::Source;
use std::sync::LazyLock;

/// The columns of an item.
macro_rules! item_columns {
    () => {
        "r.id, r.type, r.fhir_id, r.version, r.updated_at, r.deleted_at, r.needs, r.patient_id, r.source_organisation_id,
            r.source_team_id, r.source_user_id, r.source_patient_id"
    };
}

statements! {
    ITEM = concat!("SELECT ", item_columns!(), " FROM resources r WHERE r.type = $1 AND r.fhir_id = $2");
    COMPARTMENTS = "SELECT k.patient_id FROM compartments k WHERE k.resource_id = $1 AND k.version = $2 ORDER BY k.patient_id";
    HELD_UNTIL = "SELECT d.until FROM delays d WHERE d.resource_id = $1";
    /// A participant is a team, or else a person.
    PARTICIPANTS = "SELECT p.viewer_id, t.id FROM participants p LEFT JOIN teams t ON t.id = p.viewer_id
        WHERE p.resource_id = $1 ORDER BY p.viewer_id";
    DRAFTER = "SELECT d.user_id FROM drafters d WHERE d.resource_id = $1";
    GRANTEE = "SELECT c.grantee_kind, c.grantee_id FROM consents c WHERE c.id = $1";
}

/// The documents that carry a Binary and have its source.
static CARRIERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM resources b JOIN resources r ON r.id IN ({}) WHERE b.type = $1 AND b.fhir_id = $2 AND {SAME_SOURCE}
            ORDER BY r.id",
        item_columns!(),
        carriers("$2")
    )
});

/// The longer of the statements of this file.
pub(crate) fn longer_statements() -> Vec<String> {
    vec![CARRIERS.clone()]
}

/// An item as reach has it.
#[derive(Clone, Debug)]
pub struct StoredFacts {
    pub resource_type: ResourceType,
    pub id: String,
    pub updated_at: Moment,
    pub is_deleted: bool,
    pub patients: Vec<PatientId>,
    pub needs: Needs,
    pub source: Source,
    pub participants: Vec<Participant>,
    /// Whose draft it is, where it is one.
    pub draft: Option<Author>,
    /// Until when it, or its content, is kept from the patient and carers.
    pub held_until: Option<Moment>,
    /// Whether it is asked for as what carries the content.
    pub is_carrier: bool,
}

impl StoredFacts {
    /// The same for the rule that decides.
    #[must_use]
    pub fn facts(&self) -> ItemFacts<'_> {
        let told = self.held_until.map(|until| Delay::of(self.resource_type.name(), until));
        ItemFacts {
            is_directory: self.resource_type.is_public(),
            participants: &self.participants,
            draft: self.draft,
            is_private: self.needs.is_private(),
            delay: told.or_else(|| self.needs.is_held_back().then_some(Delay::OF_AN_ITEM)),
            part: if self.is_carrier { Part::Content } else { Part::Resource },
            ..ItemFacts::new(&self.patients, self.needs.for_consent(), self.source)
        }
    }
}

/// An item, and behind it, where it is a Binary, each of the documents that open it; nothing where there is no such item.
pub async fn item(store: &Store, of: ResourceType, id: &str) -> Result<Vec<StoredFacts>> {
    let Some((row, version, found)) = store.db.read_one(ITEM, args![of.number(), id], item_row).await? else {
        return Ok(Vec::new());
    };
    let mut all = vec![whole(store, (row, version, found)).await?];
    if of == ResourceType::Binary {
        let statement = Statement::new("store::records::reach::why::CARRIERS", &CARRIERS);
        for carrier in store.db.page(statement, args![of.number(), id], item_row).await? {
            all.push(StoredFacts { is_carrier: true, ..whole(store, carrier).await? });
        }
    }
    Ok(all)
}

/// The rows of sight of these patients.
pub async fn standings(store: &Store, patients: &[PatientId]) -> Result<Vec<Standing>> {
    let mut all = Vec::new();
    for patient in patients {
        all.extend(sight::rows(store, *patient).await?);
    }
    Ok(all)
}

/// Notes that an operator asked why somebody sees something of a record.
pub async fn note(store: &Store, patient: PatientId, what: String, now: Moment) -> Result<()> {
    note_about(store, About { patient: Some(patient), ..About::default() }, what, now).await
}

/// Notes that a privacy officer of an organisation looked up who sees or saw something of a record; `store` is by them.
pub async fn note_by_officer(
    store: &Store,
    patient: PatientId,
    organisation: OrganisationId,
    what: String,
    now: Moment,
) -> Result<()> {
    let about = About { patient: Some(patient), organisation: Some(organisation), ..About::default() };
    note_about(store, about, what, now).await
}

async fn note_about(store: &Store, about: About, what: String, now: Moment) -> Result<()> {
    let ids = store.ids.clone();
    let line = Line::new(now, Event::Explained, None, about).with_detail(what);
    let write = store.write(move |tx| {
        Box::pin(async move {
            tx.append(Outbox::Records, &ids, &line);
            Ok(())
        })
    });
    write.await
}

/// With what its row does not say.
async fn whole(store: &Store, (row, version, mut found): (RowId, i64, StoredFacts)) -> Result<StoredFacts> {
    let several: Vec<PatientId> = store.db.read(COMPARTMENTS, args![row, version], |row| row.id(0)).await?;
    if !several.is_empty() {
        found.patients = several;
    }
    found.held_until = store.db.read_one(HELD_UNTIL, args![row], |row| row.int(0).map(Moment)).await?;
    if found.needs.is_draft() {
        let drafter = store.db.read_one(DRAFTER, args![row], |row| row.id(0)).await?;
        found.draft = Some(Author::of(found.source, drafter));
    }
    if found.resource_type == ResourceType::Communication {
        let participant = |row: &dyn Row| {
            let team: Option<TeamId> = row.opt_id(1)?;
            team.map_or_else(|| row.id(0).map(Participant::Person), |team| Ok(Participant::Team(team)))
        };
        found.participants = store.db.read(PARTICIPANTS, args![row], participant).await?;
    }
    if found.resource_type == ResourceType::Consent {
        let grantee = |row: &dyn Row| Ok((row.text(0)?, row.int(1)?));
        let named = store.db.read_one(GRANTEE, args![&found.id], grantee).await?;
        let grantee = named.and_then(|(kind, number)| Grantee::named(&kind, number));
        found.participants.extend(grantee.map(|grantee| match grantee {
            Grantee::Team(team) => Participant::Team(team),
            Grantee::Professional(user) | Grantee::Carer(user) => Participant::Person(user),
        }));
    }
    Ok(found)
}

fn item_row(row: &dyn Row) -> Result<(RowId, i64, StoredFacts)> {
    let number = row.int(1)?;
    let patient: Option<PatientId> = row.opt_id(7)?;
    let found = StoredFacts {
        resource_type: types::numbered(number)
            .ok_or_else(|| Error::Impossible(format!("a resource of the type {number}")))?,
        id: row.text(2)?,
        updated_at: Moment(row.int(4)?),
        is_deleted: row.opt_int(5)?.is_some(),
        patients: patient.into_iter().collect(),
        needs: Needs(row.int(6)?),
        source: resource::source(row, 8)?,
        participants: Vec::new(),
        draft: None,
        held_until: None,
        is_carrier: false,
    };
    Ok((row.id(0)?, row.int(3)?, found))
}
