//! Attachments by themselves: a Binary that only its source sees until something holds it; and what one is called.

use super::items::record::ItemRecord;
use super::write::authority::BundleContext;
use super::write::{addition, authority, execution, request};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::documents::content;
use crate::documents::sent_file::SentFile;
use crate::interactions::noted::Noted;
use crate::preparation::{self, base};
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::limits::UNCLAIMED_ATTACHMENT_SECONDS;
use rules::reach::Source;
use sha2::{Digest, Sha256};
use store::documents::attachments;
use store::read as records;
use store::write::resource_write::Demand;
use store::write::transaction::{Act, Plan, PlanOutcome};
use views::elements::attachment::NewAttachment;

/// Keeps a file in the name of a record, until something of it holds it.
pub(crate) async fn keep(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    file: SentFile,
) -> Result<NewAttachment, ApiStop> {
    let SentFile { name, media_type, bytes } = file;
    let source = source(app, caller, record).await?;
    let (id, length) = (dice::resource_id(caller.now())?, bytes.len());
    let (base, context) = (base(&app.settings.base_url), format!("Patient/{}", record.patient));
    let (named, content_type) = (id.clone(), media_type.clone());
    let work = move || {
        let sha256 = hexadecimal(&Sha256::digest(&bytes));
        (preparation::prepare_content((&named, &base), &content_type, Some(&context), bytes), sha256)
    };
    let (new, sha256) = app.workers.run(caller.taker(), length, work).await?;
    let until = caller.now().plus_seconds(UNCLAIMED_ATTACHMENT_SECONDS);
    attachments::expect(&app.store, &id, name.as_deref(), until).await.during("expecting an attachment")?;
    let act = Act::Put { new: Box::new(new), source, demand: Demand::Nothing };
    let mut held = app.prepared.claim(caller.taker());
    held.grow(act.held_bytes())?;
    match execution::make(app, caller, Plan { acts: vec![act], ..Plan::default() }).await? {
        PlanOutcome::Done(_) => {
            let size = i64::try_from(length).unwrap_or(i64::MAX);
            Ok(NewAttachment { id, name, content_type: media_type, size, sha256 })
        }
        PlanOutcome::TooLarge => Err(request::too_large().into()),
        PlanOutcome::Moved | PlanOutcome::Stopped(..) => Err(request::overtaken().into()),
    }
}

/// Who becomes the source of what is attached in a record, if the caller may add to it.
pub(crate) async fn source(app: &App, caller: &Caller, record: &ItemRecord) -> Result<Source, ApiStop> {
    let base = base(&app.settings.base_url);
    let empty = Preparation::of_content(("new", &base), "", None, Vec::new());
    // As permitted as something in the record would be, which a Binary by itself is not.
    let in_record = Preparation { patients: vec![record.patient.clone()], ..empty };
    let mut company = BundleContext::default();
    authority::permit(app, caller, &in_record, &mut company).await?;
    addition::must_be_open(app, caller, &in_record, &company).await?;
    authority::source(app, caller).await
}

/// What an attachment that was found is called: by the document that holds it and that the caller sees, or by its sender.
pub(crate) async fn name(app: &App, caller: &Caller, binary: &Noted) -> Result<Option<String>, ApiStop> {
    let base = base(&app.settings.base_url);
    let holders = attachments::holders(&app.store, &binary.id).await.during("looking for what holds an attachment")?;
    for (of, id) in holders.into_iter().filter(|(of, _)| *of == ResourceType::DocumentReference) {
        let document = records::read(&app.store, caller.reach(), of, &id, caller.now()).await;
        let document = document.during("reading what holds an attachment")?;
        if let Some(title) = document.and_then(|document| content::title(&document.body, &binary.id, &base)) {
            return Ok(Some(title));
        }
    }
    let loose = attachments::loose(&app.store, &binary.id).await.during("looking an attachment up")?;
    Ok(loose.and_then(|loose| loose.name))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
