//! Reading one resource, always within a caller's reach.

use super::documents::binary;
use super::history::versions;
use super::reach::condition::{Columns, ReachArgs, Scoped};
use super::stored::resource::{Resource, columns, resource_with_held};
use crate::cache::{Entry, SightChanges, SightMark};
use crate::error::Result;
use crate::sql::arg::{Arg, args};
use crate::sql::statement::statements;
use crate::sql::touched::Touched;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::moment::Moment;
use rules::reach::{Reach, RightValidity};
use std::sync::{Arc, LazyLock};

/// A resource by its type and id.
static READ: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::read::READ", 2, |reach| {
        let of = Columns::even_deleted("r");
        let (columns, right, viewer, held) =
            (columns("r", "r"), reach.right(of), reach.viewer(of), reach.held("r.patient_id"));
        format!(
            "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer, {held} AS held FROM resources r
                WHERE r.type = $1 AND r.fhir_id = $2) f WHERE f.by_right IS NOT NULL"
        )
    })
});

/// Every statement of this file for every kind of reach.
pub(crate) fn statements() -> Vec<String> {
    READ.all().to_vec()
}

statements! {
    END_OF_SIGHT = "SELECT ends_at FROM sight WHERE patient_id = $1 AND viewer_id = $2";
}

/// A resource that was read, the reach in which it was found, and what that rests on beside its row.
struct Finding {
    reach: Reach,
    resource: Arc<Resource>,
    sight: Option<SeenPatient>,
}

/// The sight by which something was seen.
#[derive(Clone, Copy)]
struct SeenPatient {
    patient: PatientId,
    since: SightMark,
    /// When it was asked. A clock that goes back may come to where another viewer's sight had not ended.
    from: Moment,
    ends_at: Option<Moment>,
}

impl Finding {
    /// The same to this caller, at this moment; nothing where the database is to be asked again.
    fn seen(&self, reach: &Reach, changes: &SightChanges, now: Moment) -> Option<Arc<Resource>> {
        let is_open = self.sight.is_none_or(|SeenPatient { patient, since, from, ends_at }| {
            from <= now && ends_at.is_none_or(|end| now < end) && changes.is_unchanged(patient, since)
        });
        (is_open && self.reach == *reach).then(|| self.resource.clone())
    }
}

impl Entry for Finding {
    fn weight(&self) -> usize {
        self.resource.body.len() + 512
    }

    /// It rests on its own row, whose change names it, and perhaps on sight, which is looked at each time.
    fn rests_on(&self, _: &Touched) -> bool {
        false
    }
}

/// How a resource is named in another: `Patient/123`.
pub(crate) fn reference(resource_type: ResourceType, fhir_id: &str) -> String {
    [resource_type.name(), "/", fhir_id].concat()
}

/// Reads one resource; `None` if it is not there or out of reach, which are the same to a caller. A Binary is in reach
/// through a document, too.
pub async fn read(
    store: &Store,
    reach: &Reach,
    resource_type: ResourceType,
    fhir_id: &str,
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    let found = find(store, reach, resource_type, fhir_id, now).await?;
    Ok(found.filter(|found| !found.is_deleted))
}

/// The same, and where it was deleted the version that says so.
pub async fn find(
    store: &Store,
    reach: &Reach,
    resource_type: ResourceType,
    fhir_id: &str,
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    if resource_type == ResourceType::Binary {
        return match binary::read(store, reach, fhir_id, now).await? {
            Some(found) => Ok(Some(found)),
            None => versions::deletion(store, reach, (resource_type, fhir_id), now).await,
        };
    }
    let Some(cache) = &store.cache else { return ask(store, reach, (resource_type, fhir_id), now).await };
    let key = reference(resource_type, fhir_id);
    let look = match cache.resources.look_at(&key, |known: &Finding| known.seen(reach, &cache.sight, now)) {
        Ok(found) => return Ok(Some(found)),
        Err(look) => look,
    };
    let since = cache.sight.mark();
    let found = ask(store, reach, (resource_type, fhir_id), now).await?;
    if let Some(found) = &found
        && let Some(sight) = sight(store, reach, found, (since, now)).await?
    {
        cache.resources.remember(key, Arc::new(Finding { reach: reach.clone(), resource: found.clone(), sight }), look);
    }
    Ok(found)
}

/// What a finding rests on beside its row: nothing, or the sight of its patient. One of several patients is not remembered. What a
/// person made is seen by them only while the record is open to them; and with what is in a record it is told which labels are held.
async fn sight(
    store: &Store,
    reach: &Reach,
    found: &Resource,
    (since, from): (SightMark, Moment),
) -> Result<Option<Option<SeenPatient>>> {
    let tells_held = found.held.is_some() && found.only_patient().is_some();
    match found.right.validity() {
        RightValidity::WhileUnchanged if reach.person().is_none() && !tells_held => return Ok(Some(None)),
        RightValidity::WhileUnchanged | RightValidity::WhileInSight => {}
        RightValidity::ForThatCall => return Ok(None),
    }
    let (Some(viewer), Some(patient)) = (found.viewer, found.only_patient()) else { return Ok(None) };
    let end = store.db.read_one(END_OF_SIGHT, args![patient, viewer], |row| row.opt_int(0)).await?;
    Ok(end.map(|end| Some(SeenPatient { patient, since, from, ends_at: end.map(Moment) })))
}

async fn ask(
    store: &Store,
    reach: &Reach,
    (resource_type, fhir_id): (ResourceType, &str),
    now: Moment,
) -> Result<Option<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Int(resource_type.number()), Arg::Text(fhir_id)]);
    store.db.read_one(READ.statement(reach), &args, resource_with_held).await
}

/// The text of a patient's read of their own record.
pub(crate) fn of_own_record() -> String {
    let [own, ..] = READ.all();
    own
}
