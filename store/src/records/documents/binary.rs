//! Reading a Binary: in reach by itself, or through a document that carries it and has the same source.

use crate::error::Result;
use crate::records::reach::condition::{Columns, ReachArgs, Scoped};
use crate::records::stored::resource::{Resource, columns, columns_through, resource};
use crate::sql::arg::Arg;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::{Arc, LazyLock};

/// What makes a row of `b` and a row of `r` the same source's. A team stays itself when it moves to another organisation.
pub(crate) const SAME_SOURCE: &str = "r.source_team_id IS NOT DISTINCT FROM b.source_team_id
    AND r.source_user_id IS NOT DISTINCT FROM b.source_user_id
    AND r.source_patient_id IS NOT DISTINCT FROM b.source_patient_id
    AND (r.source_team_id IS NOT NULL OR r.source_organisation_id IS NOT DISTINCT FROM b.source_organisation_id)";

/// By itself, and through each document; the first right that fits, and with a document's patient where one fits as well.
/// Said with OR, PostgreSQL would walk through all resources to find either.
static READ: LazyLock<Scoped> = LazyLock::new(|| {
    Scoped::new("store::records::documents::binary::READ", 2, |reach| {
        let (by_itself, through) = (reach.right(Columns::of("b")), reach.right(Columns::of("r")));
        let (own_viewer, viewer) = (reach.viewer(Columns::of("b")), reach.viewer(Columns::of("r")));
        let content = crate::records::index::tokens::carriers("$2");
        format!(
            "SELECT * FROM (
                SELECT {}, {by_itself} AS by_right, {own_viewer} AS by_viewer FROM resources b
                WHERE b.type = $1 AND b.fhir_id = $2
                UNION ALL
                SELECT {}, {through} AS by_right, {viewer} AS by_viewer FROM resources b JOIN resources r ON r.id IN ({content})
                WHERE b.type = $1 AND b.fhir_id = $2 AND b.deleted_at IS NULL AND {SAME_SOURCE}) f
            WHERE f.by_right IS NOT NULL ORDER BY f.by_right, CASE WHEN f.patient_id IS NULL THEN 1 ELSE 0 END LIMIT 1",
            columns("b", "b"),
            columns_through("b", "r")
        )
    })
});

pub(crate) fn statements() -> Vec<String> {
    READ.all().to_vec()
}

pub(crate) async fn read(store: &Store, reach: &Reach, fhir_id: &str, now: Moment) -> Result<Option<Arc<Resource>>> {
    let own = ReachArgs::of(reach, now);
    let args = own.behind(&[Arg::Int(ResourceType::Binary.number()), Arg::Text(fhir_id)]);
    store.db.read_one(READ.statement(reach), &args, resource).await
}
