//! Reading one resource, always within a caller's reach.

use super::documents::binary;
use super::history::versions;
use super::reach::condition::{Columns, ReachArgs, Scoped};
use super::stored::resource::{Resource, columns, resource};
use crate::cache::Entry;
use crate::error::Result;
use crate::sql::arg::Arg;
use crate::sql::touched::Touched;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

/// A resource by its type and id.
static READ: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::read::READ", 2, |reach| {
        let of = Columns::even_deleted("r");
        let (columns, right, viewer) = (columns("r", "r"), reach.right(of), reach.viewer(of));
        format!(
            "SELECT * FROM (SELECT {columns}, {right} AS by_right, {viewer} AS by_viewer FROM resources r
                WHERE r.type = $1 AND r.fhir_id = $2) f WHERE f.by_right IS NOT NULL"
        )
    })
});

/// Every statement of this file for every kind of reach.
pub(crate) fn statements() -> Vec<String> {
    READ.all().to_vec()
}

/// A resource that was read, and the reach in which it was found.
struct Finding {
    reach: Reach,
    resource: Arc<Resource>,
}

impl Entry for Finding {
    fn weight(&self) -> usize {
        self.resource.body.len() + 512
    }

    /// It rests on its own row alone: it was found by a right that no other row can end.
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
    let memory = store.cache.as_ref().map(|cache| &cache.resources);
    let key = reference(resource_type, fhir_id);
    let see = |known: &Finding| (known.reach == *reach).then(|| known.resource.clone());
    let look = match memory.map(|memory| memory.look_at(&key, see)) {
        Some(Ok(Some(found))) => return Ok(Some(found)),
        // Known to somebody else: whether it is in this caller's reach too is the database's to say.
        Some(Ok(None)) | None => None,
        Some(Err(look)) => Some(look),
    };
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Int(resource_type.number()), Arg::Text(fhir_id)]);
    let found = store.db.read_one(READ.statement(reach), &args, resource).await?;
    if let (Some(memory), Some(found), Some(look)) = (memory, &found, look)
        && found.right.may_be_remembered()
    {
        memory.remember(key, Arc::new(Finding { reach: reach.clone(), resource: found.clone() }), look);
    }
    Ok(found)
}

/// The text of a patient's read of their own record.
pub(crate) fn of_own_record() -> String {
    let [own, ..] = READ.all();
    own
}
