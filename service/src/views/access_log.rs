//! What the access log shows: who looked at a patient's record, and what the patient's account granted.

use super::frame::{Frame, TimeText};
use askama::Template;

/// `/access-log`: readable by the patient concerned, and by nobody else.
#[derive(Debug, Template)]
#[template(path = "access_log.html")]
pub struct AccessLogPage {
    pub frame: Frame,
    pub lines: Vec<LogLine>,
    /// Where older lines are, if there are any.
    pub older: Option<String>,
}

#[derive(Clone, Debug)]
pub struct LogLine {
    pub at: TimeText,
    pub who: String,
    pub what: String,
}
