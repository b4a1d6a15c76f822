//! How long lines of the ledger are kept, and where a month goes before it is dropped.

use super::layers::Layers;
use rules::limits::LEDGER_MONTHS;
use std::path::PathBuf;
use store::ledger::Retention;

/// None where something is wrong; within, none where lines are kept for ever.
#[expect(clippy::option_option, reason = "a value that is wrong is something else than one that says for ever")]
pub(super) fn retention(layers: &mut Layers) -> Option<Option<Retention>> {
    let (least, most) = (LEDGER_MONTHS.start(), LEDGER_MONTHS.end());
    let months = layers.value("ledger_months", &format!("0, for ever, or a number from {least} to {most}"), |text| {
        text.parse().ok().filter(|months| *months == 0 || LEDGER_MONTHS.contains(months))
    });
    let archive = layers
        .value("ledger_archive", "the path of a directory", |text| (!text.is_empty()).then(|| PathBuf::from(text)));
    months.map(|months| (months > 0).then(|| Retention { months, archive, by: format!("ledger_months = {months}") }))
}
