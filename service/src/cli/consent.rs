//! `recordgate consent`: to whom patients have opened their records, and which labels.

use super::context::Context;
use super::failure::Failure;
use crate::operator::check_consent::{self, ConsentFields};
use crate::operator::{ConsentSummary, Reply, Request};

#[derive(Debug, clap::Subcommand)]
pub(super) enum ConsentCommand {
    /// List all consents of a patient
    List {
        /// The id of the Patient resource
        patient: String,
    },
    /// Make a consent, or change it; what is left out stays as it is
    Set(ConsentArgs),
    /// Accept an invitation for the carer who was invited
    Accept {
        /// The consent, as `recordgate consent list` shows it
        #[arg(value_name = "CONSENT-ID")]
        consent: String,
    },
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("grantee").required(true).args(["team", "carer", "professional"]))]
#[command(after_long_help = "Examples:
  recordgate consent set amina-osei --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --labels GENERAL_HEALTH,MENTAL_HEALTH
  recordgate consent set bryn-hale --carer chen --labels GENERAL_HEALTH --manages --ends-at 2031-04-30
  recordgate consent set amina-osei --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --labels none --lock=false
  recordgate consent set amina-osei --team a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01 --discharge

The labels that are named are those that are held then: others are taken away. A new consent that names none gives a team its
default_access, and a person nothing. Where nothing is said of it, a consent rests on EXPLICIT, PATIENT_CONSENTED. After the
patient has taken labels away, one with the basis IMPLIED is refused. A carer's consent made here is accepted.
The patient is told of every change in the service, and the ledger names the operator.")]
pub(super) struct ConsentArgs {
    /// The id of the Patient resource
    patient: String,
    /// To a team
    #[arg(long, value_name = "UUID")]
    team: Option<String>,
    /// To a carer, who is a user of the type PATIENT
    #[arg(long, value_name = "USERNAME")]
    carer: Option<String>,
    /// To a CLINICIAN without a team
    #[arg(long, value_name = "USERNAME")]
    professional: Option<String>,
    /// GENERAL_HEALTH, MENTAL_HEALTH, SEXUAL_HEALTH and SOCIAL_CARE, with commas between them; or none
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    labels: Option<Vec<String>>,
    /// EXPLICIT or IMPLIED
    #[arg(long)]
    basis: Option<String>,
    /// PATIENT_CONSENTED, REFERRAL, IN_TREATMENT, COURT_ORDER, PARENT or OTHER
    #[arg(long)]
    reason: Option<String>,
    /// The reason in words; needed with OTHER
    #[arg(long, value_name = "TEXT")]
    reason_text: Option<String>,
    /// Whether a carer may change consents as the patient may, within the labels held
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    manages: Option<bool>,
    /// When it ends: a day, a moment, or never
    #[arg(long, value_name = "WHEN")]
    ends_at: Option<String>,
    /// Whether care has ended: the labels are kept, without effect
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    discharge: Option<bool>,
    /// Whether patient and carers cannot change it
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    lock: Option<bool>,
}

pub(super) async fn run(context: &Context, command: ConsentCommand) -> Result<(), Failure> {
    match command {
        ConsentCommand::List { patient } => list(context, patient).await,
        ConsentCommand::Set(args) => set(context, args).await,
        ConsentCommand::Accept { consent } => {
            let done = format!("consent {consent} is accepted");
            tell(context, Request::AcceptConsent { id: consent }, &done).await
        }
    }
}

async fn set(context: &Context, args: ConsentArgs) -> Result<(), Failure> {
    let labels = args.labels.map(|labels| if labels == ["none"] { Vec::new() } else { labels });
    let fields = ConsentFields {
        team: args.team,
        carer: args.carer,
        professional: args.professional,
        labels,
        basis: args.basis,
        reason: args.reason,
        reason_text: args.reason_text,
        manages: args.manages,
        ends_at: args.ends_at,
        discharged: args.discharge,
        locked: args.lock,
    };
    let mut problems = Vec::new();
    let Some(wanted) = check_consent::consent(Some(&args.patient), fields, String::new(), &mut problems) else {
        return Err(Failure::usage(problems));
    };
    let done = format!("the consent of {} to {} is so", wanted.patient, wanted.to);
    tell(context, Request::SetConsent { wanted: Box::new(wanted) }, &done).await
}

async fn tell(context: &Context, request: Request, done: &str) -> Result<(), Failure> {
    let pick = |reply| match reply {
        Reply::Consent { changed, consent } => Ok((changed, consent)),
        other => Err(other),
    };
    let (changed, consent) = context.ask(request, pick).await?;
    context.out.value(&serde_json::json!({ "changed": changed, "consent": consent }));
    let before = if changed { "" } else { " (it was before)" };
    context.out.say(&format!("{done}{before}: {}, {}", consent.state, labels(&consent)));
    Ok(())
}

fn labels(consent: &ConsentSummary) -> String {
    if consent.labels.is_empty() { "no label".into() } else { consent.labels.join(" ") }
}

async fn list(context: &Context, patient: String) -> Result<(), Failure> {
    let pick = |reply| if let Reply::Consents(consents) = reply { Ok(consents) } else { Err(reply) };
    let consents = context.ask(Request::Consents { patient }, pick).await?;
    let row = |consent: &ConsentSummary| {
        let notes = [(consent.locked, "locked"), (consent.manages, "manages"), (consent.withdrawn, "withdrawn")];
        let notes: Vec<&str> = notes.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
        [
            consent.id.clone(),
            consent.kind.clone(),
            consent.grantee.clone(),
            labels(consent),
            consent.state.clone(),
            consent.ends_at.clone().unwrap_or_else(|| "never".into()),
            if notes.is_empty() { "-".into() } else { notes.join(" ") },
        ]
    };
    let rows: Vec<[String; 7]> = consents.iter().map(row).collect();
    context.list(["consent id", "kind", "to", "labels", "state", "ends", "notes"], &rows, &consents);
    Ok(())
}
