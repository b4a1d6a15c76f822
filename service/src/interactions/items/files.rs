//! Files that come together with an item: Binaries of its source, stored with it or not at all.

use super::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::documents::sent_file::SentFile;
use crate::interactions::attachments;
use crate::preparation::{self, base};
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::reach::Source;
use sha2::{Digest, Sha256};
use store::read as records;
use store::write::resource_write::NewResource;
use uuid::Builder;
use views::elements::attachment::StoredAttachment;

/// A file on its way into the store.
#[derive(Debug)]
pub(crate) struct ItemFile {
    pub stored: StoredAttachment,
    /// Its Binary; none where that is there already.
    pub content: Option<NewResource>,
}

/// Prepares files that came with an item. What carries an external id and is sent again names the same Binaries again.
pub(crate) async fn prepared(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (external_id, files): (Option<&str>, Vec<SentFile>),
) -> Result<Vec<ItemFile>, ApiStop> {
    let source = attachments::source(app, caller, record).await?;
    let mut prepared = Vec::new();
    for (at, file) in files.into_iter().enumerate() {
        let id = match external_id {
            Some(external) => id_again(source, &record.patient, (external, at), &file),
            None => dice::resource_id(caller.now())?,
        };
        prepared.push(one(app, caller, (&id, external_id.is_some()), file).await?);
    }
    Ok(prepared)
}

async fn one(
    app: &App,
    caller: &Caller,
    (id, may_be_there): (&str, bool),
    file: SentFile,
) -> Result<ItemFile, ApiStop> {
    let SentFile { name, media_type, bytes } = file;
    let stored = StoredAttachment {
        id: id.to_owned(),
        name,
        content_type: Some(media_type.clone()),
        size: i64::try_from(bytes.len()).ok(),
        document: None,
        is_held: false,
    };
    if may_be_there {
        let there = records::read(&app.store, caller.reach(), ResourceType::Binary, id, caller.now()).await;
        if there.during("reading an attachment")?.is_some() {
            return Ok(ItemFile { stored, content: None });
        }
    }
    let (named, base, length) = (id.to_owned(), base(&app.settings.base_url), bytes.len());
    let work = move || preparation::prepare_content((&named, &base), &media_type, None, bytes);
    let content = app.workers.run(caller.taker(), length, work).await?;
    Ok(ItemFile { stored, content: Some(content) })
}

/// The id of a Binary, by its source, by what carries it and by what it is.
fn id_again(source: Source, patient: &str, (external_id, at): (&str, usize), file: &SentFile) -> String {
    let (kind, number) = match source {
        Source::Patient(patient) => ("patient", patient.0),
        Source::Person(user) => ("person", user.0),
        Source::Team(team, _) => ("team", team.0),
        Source::Organisation(organisation) => ("organisation", organisation.0),
    };
    let mut digest = Sha256::new();
    let words = [kind, &number.to_string(), patient, external_id, &at.to_string(), &file.media_type];
    for part in words.into_iter().chain(file.name.as_deref()) {
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    digest.update(&file.bytes);
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(digest.finalize()).for_each(|(byte, drawn)| *byte = drawn);
    Builder::from_custom_bytes(bytes).into_uuid().to_string()
}
