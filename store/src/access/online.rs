//! Sessions that end with the sign-in of a browser (SMART's online_access): when that is.

use crate::error::Result;
use crate::sql::row::Row;
use rules::lifecycle::sign_in_lasts_until;
use rules::moment::Moment;

/// What a statement asks of the sign-in of the session `s`, in one column: when it began, was last used and was ended. Nothing where it
/// ends with none, or with one that is long gone.
macro_rules! sign_in_of_session {
    () => {
        "(SELECT CAST(i.started_at AS TEXT) || ' ' || CAST(coalesce(i.last_used_at, i.started_at) AS TEXT)
            || ' ' || coalesce(CAST(i.ended_at AS TEXT), '') FROM sign_ins i WHERE i.id = s.sign_in_id)"
    };
}
pub(super) use sign_in_of_session;

/// When a session ends with its sign-in, by that column and the sign-in's number.
pub(super) fn until(row: &dyn Row, (number, column): (usize, usize)) -> Result<Option<Moment>> {
    if row.opt_int(number)?.is_none() {
        return Ok(None);
    }
    let told = row.opt_text(column)?.unwrap_or_default();
    let mut moments = told.split(' ').filter_map(|text| text.parse().ok()).map(Moment);
    Ok(Some(match (moments.next(), moments.next(), moments.next()) {
        (Some(_), Some(_), Some(ended_at)) => ended_at,
        (Some(started_at), Some(last_used_at), None) => sign_in_lasts_until(started_at, last_used_at),
        // It was swept away: it was over.
        _ => Moment(0),
    }))
}
