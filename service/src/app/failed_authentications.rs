//! Failed sign-ins, client authentications and tries at invitations, as the log tells them: which user, client or patient, if there is one, from about where
//! and why. A name that nobody has may be a password that was typed into the wrong field, so it is not told; of people the
//! log tells our number and never their name.

use super::metrics::{FailureLabels, LineLabels};
use super::state::App;
use crate::formats::address_prefix::prefix;
use rules::ids::{PatientId, UserId};
use std::net::IpAddr;

pub use super::metrics::FailureCause;

/// Logs a failed sign-in; `user` is whose name was typed, if it is somebody's.
pub fn sign_in(app: &App, user: Option<UserId>, address: IpAddr, cause: FailureCause) {
    let Some(left_out) = count(app, FailureLabels::SIGN_IN, cause) else { return };
    let (user, from, why) = (user.map(|user| user.0), prefix(address), cause.word());
    tracing::warn!(user, from, why, left_out, "a sign-in failed");
}

/// Logs a wrong code of a second factor, after a right password.
pub fn second_factor(app: &App, user: UserId, address: IpAddr, cause: FailureCause) {
    let Some(left_out) = count(app, FailureLabels::SECOND_FACTOR, cause) else { return };
    let (from, why) = (prefix(address), cause.word());
    tracing::warn!(user = user.0, from, why, left_out, "a second factor failed");
}

/// Logs a failed try at an invitation; `patient` is whom the code is for, if it is anybody's.
pub fn invitation(app: &App, patient: Option<PatientId>, address: IpAddr, cause: FailureCause) {
    let Some(left_out) = count(app, FailureLabels::INVITATION, cause) else { return };
    let (patient, from, why) = (patient.map(|patient| patient.0), prefix(address), cause.word());
    tracing::warn!(patient, from, why, left_out, "a try at an invitation failed");
}

/// Logs a failed client authentication; `client` is the Client ID of a client that is registered.
pub fn client(app: &App, client: Option<&str>, address: IpAddr, cause: FailureCause) {
    let Some(left_out) = count(app, FailureLabels::CLIENT, cause) else { return };
    let (from, why) = (prefix(address), cause.word());
    tracing::warn!(client, from, why, left_out, "a client authentication failed");
}

/// Counts the failure, and tells whether there is room for a line, and how many had none since the last.
fn count(app: &App, of: &'static str, cause: FailureCause) -> Option<Option<u64>> {
    app.metrics.failed.get_or_create(&FailureLabels { of, why: cause.word() }).inc();
    let Some(left_out) = app.failed_authentications.take(app.clock.uptime()) else {
        app.metrics.leave_line_out(&LineLabels::AUTHENTICATIONS);
        return None;
    };
    Some((left_out > 0).then_some(left_out))
}
