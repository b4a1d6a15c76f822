//! `recordgate record`: states of a patient's record.

use super::context::Context;
use super::failure::Failure;
use crate::operator::Request;

#[derive(Debug, clap::Subcommand)]
pub(super) enum RecordCommand {
    /// Freeze a record: the patient, carers and individual professionals are refused; teams go on
    Freeze(StateArgs),
    /// Let them in again
    Unfreeze(StateArgs),
    /// Disable the sharing of a record: every consent is discharged, and none can be made
    DisableSharing(StateArgs),
    /// Let the patient share again; no consent that was discharged comes back
    EnableSharing(StateArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct StateArgs {
    /// The id of the Patient resource
    patient: String,
    /// Why, for the ledger, the patient and the carers
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

pub(super) async fn run(context: &Context, command: RecordCommand) -> Result<(), Failure> {
    let (request, done, before) = match command {
        RecordCommand::Freeze(StateArgs { patient, reason }) => {
            let done = format!("the record of {patient} is frozen");
            (Request::FreezeRecord { patient, frozen: true, reason }, done, "it was before")
        }
        RecordCommand::Unfreeze(StateArgs { patient, reason }) => {
            let done = format!("the record of {patient} is not frozen");
            (Request::FreezeRecord { patient, frozen: false, reason }, done, "it was not before")
        }
        RecordCommand::DisableSharing(StateArgs { patient, reason }) => {
            let done = format!("the sharing of the record of {patient} is disabled");
            (Request::DisableSharing { patient, disabled: true, reason }, done, "it was before")
        }
        RecordCommand::EnableSharing(StateArgs { patient, reason }) => {
            let done = format!("the sharing of the record of {patient} is enabled");
            (Request::DisableSharing { patient, disabled: false, reason }, done, "it was before")
        }
    };
    context.change(request, &done, before).await
}
