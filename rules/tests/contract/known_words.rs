//! Rows whose cells are sentences: their words are known by a sum, beside the assertions that were written for them.

use super::markdown::Row;

/// Holds every cell of a row whose words are sentences to the words that a test was written for, by their sum. Where it fails, see
/// whether the assertions beside it are still what the row says, and only then note the sum that it names.
pub(crate) fn reads_as_known(row: Row<'_>, headers: &[&str], sum: u32) {
    let text: Vec<&str> = headers.iter().map(|header| row.cell(header).text()).collect();
    let found =
        text.join("|").bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    for header in headers {
        row.cell(header).means(|_| {
            assert_eq!(found, sum, "the row {text:?} has other words than its test knows; its sum is {found:#010x}");
            Some(())
        });
    }
}
