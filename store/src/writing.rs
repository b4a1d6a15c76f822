//! Writing resources: the resource and its index rows in one transaction.

use crate::db::Tx;
use crate::db::args;
use crate::error::Result;
use crate::ids::Ids;
use crate::store::Store;
use rules::moment::Moment;
use rules::reach::Source;

/// A resource to store. Its body is cut where `versionId` and `lastUpdated` go, because only the transaction knows
/// the version.
#[derive(Clone, Debug)]
pub struct NewResource {
    pub type_name: String,
    pub fhir_id: String,
    /// The patient compartment that it is in.
    pub patient_id: Option<String>,
    pub tokens: Vec<Token>,
    pub body: CutBody,
}

/// `{…"meta":{` and `,…}`: what stands before and after the members that we set.
#[derive(Clone, Debug)]
pub struct CutBody {
    pub before: String,
    pub after: String,
}

/// One row of the token index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub parameter: &'static str,
    pub system: Option<String>,
    pub value: String,
}

/// Who made it: the organisation, team or patient that alone may change it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct From {
    pub organisation: Option<i64>,
    pub team: Option<i64>,
    pub patient: Option<String>,
}

/// What became of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// Stored as this version.
    Version(i64),
    /// The same content was there already.
    Unchanged,
    /// There already, from another source: only the same source may change it.
    OtherSource,
}

/// A stored version, as the answer to a create tells of it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub written: Written,
    pub body: String,
}

const BEFORE: &str = "SELECT r.id, r.version, r.body, r.source_organisation_id, r.source_team_id, r.source_patient_id
    FROM resources r WHERE r.type_id = (SELECT w.id FROM words w WHERE w.word = $1) AND r.fhir_id = $2";
const WORD: &str = "SELECT id FROM words WHERE word = $1";
/// Does nothing if another node has just taken the word or the number; then the word is looked up again.
const NEW_WORD: &str = "INSERT INTO words (id, word) SELECT coalesce(max(id), 0) + 1, CAST($1 AS TEXT) FROM words
    WHERE true ON CONFLICT DO NOTHING";
const PUT: &str = "INSERT INTO resources (id, type_id, fhir_id, version, updated_at, source_organisation_id,
        source_team_id, source_patient_id, patient_id, body)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (id) DO UPDATE SET version = $4, updated_at = $5, deleted_at = NULL,
        patient_id = $9, body = $10";
const FORGET_TOKENS: &str = "DELETE FROM tokens WHERE resource_id = $1";
const PUT_TOKEN: &str = "INSERT INTO tokens (type_id, parameter_id, value, system_id, resource_id)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";

pub const STATEMENTS: &[&str] = &[BEFORE, WORD, NEW_WORD, PUT, FORGET_TOKENS, PUT_TOKEN];
pub const LOCKING: &[&str] = &[BEFORE];

/// Stores resources in one transaction, each new or as the next version of what its source stored before.
/// `updated` is `now` as FHIR writes it.
pub async fn put(
    store: &Store,
    resources: Vec<NewResource>,
    from: From,
    now: Moment,
    updated: String,
) -> Result<Vec<Stored>> {
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let mut stored = Vec::with_capacity(resources.len());
            for resource in &resources {
                stored.push(put_one(tx, &ids, resource, &from, now, &updated).await?);
            }
            Ok(stored)
        })
    });
    write.await
}

async fn put_one(tx: &mut Tx, ids: &Ids, new: &NewResource, from: &From, now: Moment, updated: &str) -> Result<Stored> {
    let before = tx
        .lock_one(BEFORE, args![&new.type_name, &new.fhir_id], |row| {
            let source = From { organisation: row.opt_int(3)?, team: row.opt_int(4)?, patient: row.opt_text(5)? };
            Ok((row.int(0)?, row.int(1)?, row.text(2)?, source))
        })
        .await?;
    let (id, version) = match before {
        None => (ids.next(now), 1),
        Some((_, _, body, source)) if source != *from => {
            return Ok(Stored { written: Written::OtherSource, body });
        }
        Some((_, _, body, _)) if new.body.is_of(&body) => return Ok(Stored { written: Written::Unchanged, body }),
        Some((id, version, _, _)) => (id, version + 1),
    };
    let body = new.body.joined(version, updated);
    let type_id = word(tx, &new.type_name).await?;
    let row = args![
        id,
        type_id,
        &new.fhir_id,
        version,
        now.0,
        from.organisation,
        from.team,
        from.patient.as_deref(),
        new.patient_id.as_deref(),
        &body,
    ];
    tx.post(PUT, row).await?;
    tx.touches_record(&new.type_name, &new.fhir_id);
    tx.post(FORGET_TOKENS, args![id]).await?;
    for token in &new.tokens {
        let parameter = word(tx, token.parameter).await?;
        let system = match &token.system {
            Some(system) => word(tx, system).await?,
            None => 0,
        };
        tx.post(PUT_TOKEN, args![type_id, parameter, &token.value, system, id]).await?;
    }
    Ok(Stored { written: Written::Version(version), body })
}

/// The small integer that stands for a word.
async fn word(tx: &mut Tx, text: &str) -> Result<i64> {
    loop {
        if let Some(id) = tx.query_one(WORD, args![text], |row| row.int(0)).await? {
            return Ok(id);
        }
        tx.execute(NEW_WORD, args![text]).await?;
    }
}

impl CutBody {
    fn joined(&self, version: i64, updated: &str) -> String {
        format!("{}\"versionId\":\"{version}\",\"lastUpdated\":\"{updated}\"{}", self.before, self.after)
    }

    /// Whether a stored body is this one but for the members that we set.
    fn is_of(&self, stored: &str) -> bool {
        let between = stored.strip_prefix(&self.before).and_then(|rest| rest.strip_suffix(&self.after));
        // Two members have eight quotation marks; more of them would be a member of `meta` that is gone from this one.
        between.is_some_and(|ours| ours.matches('"').count() == 8)
    }
}

impl From {
    /// The source of what a caller writes; a team's organisation goes with the team.
    #[must_use]
    pub fn source(source: &Source, team_organisation: Option<i64>) -> Self {
        match source {
            Source::Organisation(organisation) => Self { organisation: Some(*organisation), ..Self::default() },
            Source::Team(team) => Self { organisation: team_organisation, team: Some(*team), patient: None },
            Source::Patient(patient) => Self { patient: Some(patient.clone()), ..Self::default() },
        }
    }
}
