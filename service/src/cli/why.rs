//! `recordgate why`: why somebody sees an item of a patient's record, or which part is missing.

use super::context::Context;
use super::failure::Failure;
use crate::explanation::explained::{ConsentTold, Explanation};
use crate::explanation::viewer_name::ViewerName;
use crate::formats::when;
use crate::operator::{Reply, Request, WhyQuestion};

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate why --viewer team:a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --patient amina-osei
  recordgate why --viewer user:chen --patient bryn-hale --item Observation/0192f1c4-7a55-7c3e-9d11-3f1f4b0a7c55
  recordgate why --viewer organisation:6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01 --patient amina-osei --at 2031-04-30T12:00:00Z

A viewer is team:UUID, user:NAME (the patient, a carer, a professional without a team or with one), user:NAME+TEAM-UUID (a
professional with several), organisation:UUID, or organisation:UUID+TEAM-UUID for a System Client whose grant looks through
teams. What decides is the function that decides at every call: every right is told in its order, up to the one that holds,
then the consents of the viewer, who gave them and when. Consents, states and the item are those that are stored now, their ends
and a glass are held against the moment of --at; what was changed since that moment is told.
The question is noted in the ledger, where the patient sees it: it tells that there is such an item.")]
pub(super) struct WhyArgs {
    /// Who looks: team:UUID, user:NAME[+TEAM-UUID] or organisation:UUID[+TEAM-UUID]
    #[arg(long, value_name = "VIEWER")]
    viewer: String,
    /// The id of the Patient resource
    #[arg(long, value_name = "ID")]
    patient: String,
    /// The item, such as Observation/123; the Patient resource itself, where none is named
    #[arg(long, value_name = "TYPE/ID")]
    item: Option<String>,
    /// The moment that is asked about, such as 2031-04-30T12:00:00Z; now, where none is named
    #[arg(long, value_name = "MOMENT")]
    at: Option<String>,
    /// As a call that presents the token of a glass that the team has broken and that is open
    #[arg(long)]
    glass: bool,
}

pub(super) async fn run(context: &Context, args: WhyArgs) -> Result<(), Failure> {
    let mut problems = Vec::new();
    let viewer = args.viewer.parse::<ViewerName>().map_err(|why| problems.push(format!("--viewer: {why}"))).ok();
    let at = args.at.as_deref().map(|at| (at, when::of_instant(at)));
    if let Some((at, None)) = at {
        problems.push(format!("--at: {at:?} is no moment such as 2031-04-30T12:00:00Z"));
    }
    let Some(viewer) = viewer.filter(|_| problems.is_empty()) else { return Err(Failure::usage(problems)) };
    let at = at.and_then(|(_, at)| at).map(|at| at.0);
    let question = WhyQuestion { viewer, patient: args.patient, item: args.item, at, glass: args.glass };
    let pick = |reply| if let Reply::Why(told) = reply { Ok(told) } else { Err(reply) };
    let told = context.ask(Request::Why(Box::new(question)), pick).await?;
    context.out.value(&told);
    lines(&told).iter().for_each(|line| context.out.say(line));
    Ok(())
}

fn lines(told: &Explanation) -> Vec<String> {
    let Explanation { viewer, patient, item, at, .. } = told;
    let sees = if told.sees { "sees" } else { "does not see" };
    let mut lines = vec![format!("{viewer} {sees} {item} of {patient} at {at}")];
    lines.extend(told.steps.iter().map(|step| format!("  {step}")));
    lines.push(format!("a read is answered: {}", told.answer));
    if let Some(through) = &told.through {
        lines.push(format!("through the eyes of {through}"));
    }
    lines.push(format!("labels held: {}", words(&told.held)));
    lines.extend(told.consents.iter().map(consent));
    if let Some(glass) = &told.glass {
        let reason = glass.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let (by, at, until) = (&glass.broken_by, &glass.broken_at, &glass.until);
        lines.push(format!("glass broken by {by} at {at}, open until {until}{reason}"));
    }
    lines.extend(told.notes.iter().map(|note| format!("note: {note}")));
    lines
}

fn consent(consent: &ConsentTold) -> String {
    let ConsentTold { id, to, state, given_at, changed_at, changed_by, .. } = consent;
    let (labels, basis) = (words(&consent.labels), consent.basis.as_deref().unwrap_or("no basis"));
    let end = consent.ends_at.as_ref().map(|end| format!(", ends at {end}")).unwrap_or_default();
    format!(
        "consent {id} to {to}: {labels}, {state}, {basis}; given at {given_at}, last changed at {changed_at} by {changed_by}{end}"
    )
}

fn words(labels: &[String]) -> String {
    if labels.is_empty() { "no label".into() } else { labels.join(" ") }
}
