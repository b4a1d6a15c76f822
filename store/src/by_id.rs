//! What makes up a read by id, as SQL: columns, tables, and the conditions before and after that of reach.
//!
//! `$write` makes a statement of them: `within!` for a reach that is known, those of `asking.rs` for a caller who is read
//! by the same statement.

/// The columns of a resource as `records.rs` reads them, the last of them whose record it is part of.
macro_rules! columns {
    ($r:literal, $patient:expr) => {
        concat!($r, ".id, ", $r, ".version, ", $r, ".updated_at, ", $r, ".deleted_at, ", $r, ".body, ", $patient)
    };
}
pub(crate) use columns;

/// A resource by its type and id.
macro_rules! by_id {
    ($write:ident, $type_name:literal, $id:literal) => {
        $write!(
            $crate::by_id::columns!("r", "r.patient_id"),
            "resources r JOIN words w ON w.id = r.type_id",
            "",
            concat!(" AND w.word = ", $type_name, " AND r.fhir_id = ", $id)
        )
    };
}
pub(crate) use by_id;

/// The documents that carry a Binary.
macro_rules! carriers {
    ($id:literal) => {
        concat!(
            "SELECT t.resource_id FROM tokens t JOIN words d ON d.id = t.type_id JOIN words p ON p.id = t.parameter_id
                WHERE d.word = 'DocumentReference' AND p.word = 'content' AND t.system_id = 0 AND t.value = ",
            $id
        )
    };
}
pub(crate) use carriers;

/// A Binary is in reach by itself or through a DocumentReference that carries it. Said with OR, PostgreSQL would walk
/// through all resources to find either.
macro_rules! binary_by_id {
    ($write:ident, $type_name:literal, $id:literal) => {
        $write!(
            $crate::by_id::columns!(
                "b",
                concat!(
                    "coalesce(b.patient_id, (SELECT min(o.patient_id) FROM resources o WHERE o.id IN (",
                    $crate::by_id::carriers!($id),
                    ")))"
                )
            ),
            "resources b JOIN words w ON w.id = b.type_id",
            concat!(
                "w.word = ",
                $type_name,
                " AND b.fhir_id = ",
                $id,
                " AND EXISTS (SELECT 1 FROM (SELECT b.id AS id UNION ALL ",
                $crate::by_id::carriers!($id),
                ") k JOIN resources r ON r.id = k.id WHERE r.deleted_at IS NULL AND "
            ),
            ")"
        )
    };
}
pub(crate) use binary_by_id;
