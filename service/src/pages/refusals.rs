//! What an interaction refuses, as a page says it.

use crate::views::words;
use crate::voices::api::ApiStop;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use rules::answers::Refusal;
use rules::consent::denial::Denial;
use rules::rest_errors::RestError;

/// Why something of a record cannot be looked at. What is not there, what was deleted and what is not the reader's to see are the same.
pub(super) fn unread(stop: ApiStop) -> PageStop {
    match stop {
        ApiStop::Rest(RestError::NotFound(_) | RestError::Deleted(_))
        | ApiStop::Refusal(Refusal::NotFound(_) | Refusal::Gone(_) | Refusal::Denied(Denial::NotFound)) => {
            Problem::not_found().into()
        }
        ApiStop::Refusal(Refusal::Denied(denial @ Denial::NotYetReleased(_))) => {
            let wrong = words::sentence(&denial.message());
            Problem::new(403, "Not to be opened yet", wrong, "Come back then. Your care team can tell you more.").into()
        }
        ApiStop::Refusal(Refusal::RangeNotSatisfiable { .. }) => {
            let wrong = "The file is shorter than the part that was asked for.";
            Problem::new(416, "Not a part of this file", wrong, "Download the whole file again.").into()
        }
        ApiStop::Refusal(Refusal::TooMuchUnread) => Problem::too_much_unread().into(),
        ApiStop::Rest(RestError::BadRequest(_)) => {
            let wrong = "There is too much here to be shown on one page.";
            Problem::new(400, "Too much for a page", wrong, "Use an app that you have connected.").into()
        }
        other => other.into(),
    }
}

/// Why something was not written, as a sentence for the form; what the form cannot mend goes on.
pub(super) fn unwritten(stop: ApiStop) -> Result<String, PageStop> {
    match stop {
        ApiStop::Rest(RestError::NotSource) | ApiStop::Refusal(Refusal::Denied(Denial::NotSource)) => {
            let wrong = "Somebody else wrote this, and only they can change it.";
            Err(Problem::new(403, "Not yours to change", wrong, "Write to them if it is wrong.").into())
        }
        ApiStop::Refusal(Refusal::Denied(Denial::NotFound)) => Err(Problem::not_found().into()),
        ApiStop::Refusal(Refusal::Denied(denial)) => Ok(words::sentence(&denial.message())),
        ApiStop::Refusal(Refusal::Conflict(_)) => {
            Ok("Something else was written at the same moment. Send it again.".into())
        }
        ApiStop::Rest(RestError::Unprocessable(_) | RestError::BadRequest(_) | RestError::Conflict(_))
        | ApiStop::Refusal(Refusal::Unprocessable(_) | Refusal::Invalid(_) | Refusal::TooLarge { .. })
        | ApiStop::Issues(_) => Ok("This cannot be stored as it is. Check what you wrote, and send it again.".into()),
        other => Err(unread(other)),
    }
}
