//! Reading the stored resources anew, as the service does it before it serves.

use crate::home::Home;
use fhir::limits::{Limits, Shape};
use fhir::preparation;
use rules::labels::{self, Coding};
use rules::moment::Moment;
use std::sync::Arc;
use store::Store;
use store::reindex::{self, Reader};
use store::relocation;
use store::write::resource_write::NewResource;

/// After everything in the fixture.
pub const NOW: Moment = Moment(1_800_000_000_000);

/// How many resources the fixture holds.
pub const RESOURCES: u64 = 18;

const LIMITS: Limits = Limits { shape: Shape { depth: 64, values: 200_000 }, tokens: 200, token_bytes: 1024 };

pub fn reader() -> Reader {
    Arc::new(|body| {
        let content = preparation::reread(body, "https://records.example.org/fhir", &LIMITS).ok()?;
        let security = content.security.iter();
        let security = security.map(|coding| Coding { system: coding.system.as_deref(), code: coding.code.as_deref() });
        let needs = labels::needs(content.resource_type.name(), security).ok()?;
        Some(NewResource::as_sent(content, needs))
    })
}

/// Tells how many resources were read anew. What is inside the Binaries among them is taken out.
pub async fn read_anew(store: &Store) -> u64 {
    let read = reindex::run(store, reader(), NOW, |_| ()).await.unwrap();
    relocation::run(store, NOW, |_| ()).await.unwrap();
    read
}

/// Opened by this release, and all resources read anew.
pub async fn served(home: &Home) -> Store {
    let store = home.open().await;
    assert_eq!(read_anew(&store).await, RESOURCES);
    store
}
