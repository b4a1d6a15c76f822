//! What there is to measure of a shared database.

use super::readers::PipelinedReaders;
use crate::figures::Figures;
use std::time::Duration;
use tokio::time::timeout;

/// The size is not worth holding the rest up for, while the database is away.
const PATIENCE: Duration = Duration::from_secs(1);

const SIZE: &str = "SELECT pg_database_size(current_database())";
pub(super) const STATEMENTS: &[&str] = &[SIZE];

pub(super) async fn tell_size(readers: &PipelinedReaders, figures: &mut Figures) {
    let Ok(Ok(rows)) = timeout(PATIENCE, readers.read(SIZE, &[])).await else { return };
    let size = rows.first().and_then(|row| row.try_get::<_, i64>(0).ok()).and_then(|size| u64::try_from(size).ok());
    figures.sizes.extend(size.map(|size| ("database".to_owned(), size)));
}
