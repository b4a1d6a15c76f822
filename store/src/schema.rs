//! The schema: one set of migrations for every engine, each applied once. docs/operating.md says which of them a node of
//! the release before can work beside.

use crate::sql::migration::Migrations;

pub(crate) const SCHEMA: Migrations = Migrations {
    records: &[
        ("records/0001_world", include_str!("../schema/records/0001_world.sql")),
        ("records/0002_resources", include_str!("../schema/records/0002_resources.sql")),
        ("records/0003_record", include_str!("../schema/records/0003_record.sql")),
        ("records/0004_deceased", include_str!("../schema/records/0004_deceased.sql")),
        ("records/0005_sources", include_str!("../schema/records/0005_sources.sql")),
        ("records/0006_introspection", include_str!("../schema/records/0006_introspection.sql")),
        ("records/0007_client_keys", include_str!("../schema/records/0007_client_keys.sql")),
        ("records/0008_key_ring", include_str!("../schema/records/0008_key_ring.sql")),
        ("records/0009_hashes", include_str!("../schema/records/0009_hashes.sql")),
        ("records/0010_lines", include_str!("../schema/records/0010_lines.sql")),
        ("records/0011_contents", include_str!("../schema/records/0011_contents.sql")),
        ("records/0012_deletions", include_str!("../schema/records/0012_deletions.sql")),
        ("records/0013_index", include_str!("../schema/records/0013_index.sql")),
        ("records/0014_index_by_key", include_str!("../schema/records/0014_index_by_key.sql")),
        ("records/0015_history", include_str!("../schema/records/0015_history.sql")),
        ("records/0016_keeping", include_str!("../schema/records/0016_keeping.sql")),
        ("records/0017_courses", include_str!("../schema/records/0017_courses.sql")),
        ("records/0018_courses_by_key", include_str!("../schema/records/0018_courses_by_key.sql")),
        ("records/0019_invitations", include_str!("../schema/records/0019_invitations.sql")),
        ("records/0020_own_parameters", include_str!("../schema/records/0020_own_parameters.sql")),
        ("records/0021_invited_accounts", include_str!("../schema/records/0021_invited_accounts.sql")),
        ("records/0022_client_ids", include_str!("../schema/records/0022_client_ids.sql")),
        ("records/0023_stagings", include_str!("../schema/records/0023_stagings.sql")),
        ("records/0024_consents", include_str!("../schema/records/0024_consents.sql")),
        ("records/0026_attachments", include_str!("../schema/records/0026_attachments.sql")),
        ("records/0027_delays", include_str!("../schema/records/0027_delays.sql")),
        ("records/0028_participants", include_str!("../schema/records/0028_participants.sql")),
        ("records/0036_factors", include_str!("../schema/records/0036_factors.sql")),
    ],
    sessions: &[
        ("sessions/0001_sessions", include_str!("../schema/sessions/0001_sessions.sql")),
        ("sessions/0002_rights", include_str!("../schema/sessions/0002_rights.sql")),
        ("sessions/0003_granters", include_str!("../schema/sessions/0003_granters.sql")),
        ("sessions/0004_ended_tokens", include_str!("../schema/sessions/0004_ended_tokens.sql")),
        ("sessions/0005_assertions", include_str!("../schema/sessions/0005_assertions.sql")),
        ("sessions/0006_browsers", include_str!("../schema/sessions/0006_browsers.sql")),
        ("sessions/0007_enders", include_str!("../schema/sessions/0007_enders.sql")),
        ("sessions/0008_lines", include_str!("../schema/sessions/0008_lines.sql")),
        ("sessions/0009_exports", include_str!("../schema/sessions/0009_exports.sql")),
        ("sessions/0010_choices", include_str!("../schema/sessions/0010_choices.sql")),
        ("sessions/0016_factors", include_str!("../schema/sessions/0016_factors.sql")),
    ],
    ledger: &[
        ("ledger/0001_chain", include_str!("../schema/ledger/0001_chain.sqlite.sql")),
        ("ledger/0002_roots", include_str!("../schema/ledger/0002_roots.sqlite.sql")),
    ],
    ledger_in_postgres: &[
        ("ledger/0001_chain", include_str!("../schema/ledger/0001_chain.postgres.sql")),
        ("ledger/0002_roots", include_str!("../schema/ledger/0002_roots.postgres.sql")),
    ],
};
