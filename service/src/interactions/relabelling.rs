//! Changing the label of an item and nothing else of it: the patient of anything in the own record, everybody else of what they made.
//! Source and content stay, and a new version is made.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::must_write;
use crate::callers::caller::Caller;
use crate::interactions::absence;
use crate::interactions::inquiries;
use crate::interactions::write::{execution, labeller, request};
use crate::preparation;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::consent::label_right::Labeller;
use rules::labels::{self, Coding, Label};
use rules::limits::WRITE_TRIES;
use rules::reach::may_act_as;
use serde_json::Value;
use store::read as records;
use store::stored::resource::Resource;
use store::write::resource_write::{Demand, NewResource, Stored};
use store::write::transaction::{Act, Effect, Plan, PlanOutcome};

/// An item as it is now.
#[derive(Debug)]
pub(crate) struct RelabelledItem {
    pub stored: Stored,
    /// The label that it has: what the patient chose stays, whoever else sets another.
    pub label: Option<Label>,
}

/// Sets the label of an item. Where others change it meanwhile, it is set of what is there then.
pub(crate) async fn relabel(
    app: &App,
    caller: &Caller,
    (of, id): (ResourceType, &str),
    label: Label,
) -> Result<RelabelledItem, ApiStop> {
    must_write(caller)?;
    for _ in 0..WRITE_TRIES {
        let current = records::find(&app.store, caller.reach(), of, id, caller.now()).await;
        let current = current.during("reading what is to be relabelled")?;
        let current = current.ok_or_else(|| absence::unwritten((app, caller), (of, id)))?;
        absence::must_be_there(&current)?;
        let new = prepared(app, caller, &current).await?;
        must_have_a_label(&new)?;
        let by = labeller::of_caller(app, caller, &new.content).await?;
        if let Err(denial) = by.on_change(label, is_own(caller, &current, by)) {
            inquiries::write_refused(app, caller, of, id);
            return Err(match denial {
                Denial::NotSource => Refusal::OtherSource.into(),
                other => Refusal::Denied(other).into(),
            });
        }
        let new = Box::new(new.relabelled(by, label).map_err(Refusal::Denied)?);
        let act = Act::Put { new, source: current.source, demand: Demand::Version(current.version) };
        let mut held = app.prepared.claim(caller.taker());
        held.grow(act.held_bytes())?;
        match execution::make(app, caller, Plan { acts: vec![act], ..Plan::default() }).await? {
            PlanOutcome::Done(effects) => match effects.into_iter().next() {
                Some(Effect::Stored(stored)) => {
                    return Ok(RelabelledItem { label: label_of(of, &stored.body), stored });
                }
                _ => return Err(request::overtaken().into()),
            },
            PlanOutcome::TooLarge => return Err(request::too_large().into()),
            PlanOutcome::Moved | PlanOutcome::Stopped(..) => {}
        }
    }
    Err(request::overtaken().into())
}

/// What is stored, ready to be stored again.
async fn prepared(app: &App, caller: &Caller, current: &Resource) -> Result<NewResource, ApiStop> {
    let (text, base) = (current.body.clone(), preparation::base(&app.settings.base_url));
    let bytes = text.len();
    let prepared = app.workers.run(caller.taker(), bytes, move || preparation::prepare_stored(&text, &base)).await?;
    prepared.ok_or_else(|| Refusal::Trouble.into())
}

fn must_have_a_label(item: &NewResource) -> Result<(), Refusal> {
    let name = item.content.resource_type.name();
    match labels::is_labelled(name) && !item.content.patients.is_empty() {
        true => Ok(()),
        false => {
            Err(Refusal::Unprocessable(format!("this {name} has no privacy label: only items of a record have one")))
        }
    }
}

/// Whether it is the caller's to change: what they made, and to a patient anything in the own record.
fn is_own(caller: &Caller, current: &Resource, by: Labeller) -> bool {
    match (by, caller.reach().own()) {
        (Labeller::Patient, Some(own)) => current.patients().any(|patient| patient == own),
        _ => may_act_as(caller.reach(), current.source),
    }
}

/// The label that a body says.
fn label_of(of: ResourceType, body: &str) -> Option<Label> {
    let body: Value = serde_json::from_str(body).ok()?;
    let codings = body.pointer("/meta/security")?.as_array()?;
    codings.iter().find_map(|coding| {
        let text = |member| coding.get(member).and_then(Value::as_str);
        Label::of_coding(of.name(), &Coding { system: text("system"), code: text("code") })
    })
}
