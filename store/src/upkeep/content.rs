//! What a table holds, as a count and a hash that come out the same on every engine.

use crate::sql::arg::{NUL_STAND_IN, OwnedArg};
use sha2::{Digest, Sha256};

/// How many rows, and the sum of their SHA-256 hashes. A sum, because each engine gives the rows in an order of its own
/// (texts are sorted by the rules of a language on one and by their bytes on the other), and in a sum, unlike in an
/// exclusive or, a row that is there twice does not cancel itself out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    pub rows: u64,
    sum: [u8; 32],
}

impl Content {
    pub(crate) fn add(&mut self, values: &[OwnedArg]) {
        self.rows += 1;
        let mut carry = 0;
        for (to, from) in self.sum.iter_mut().zip(hash(values)) {
            let sum = u16::from(*to) + u16::from(from) + carry;
            *to = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
    }

    /// In hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> String {
        self.sum.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The hash of one row: of each value its kind, its length and itself, so that no two rows read alike.
fn hash(values: &[OwnedArg]) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut text = |kind: u8, bytes: &[u8]| {
        hash.update([kind]);
        hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(bytes);
    };
    for value in values {
        match value {
            OwnedArg::Null => text(0, &[]),
            OwnedArg::Int(value) => text(1, &value.to_be_bytes()),
            // PostgreSQL holds and is asked for the stand-in: to it they are the same text.
            OwnedArg::Text(value) => text(2, value.replace('\0', NUL_STAND_IN).as_bytes()),
            OwnedArg::Bytes(value) => text(3, value),
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> OwnedArg {
        OwnedArg::Text(text.into())
    }

    fn content(rows: &[Vec<OwnedArg>]) -> Content {
        let mut content = Content::default();
        rows.iter().for_each(|row| content.add(row));
        content
    }

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let (one, other) = (vec![OwnedArg::Int(1), text("a")], vec![OwnedArg::Int(2), text("b")]);
        assert_eq!(content(&[one.clone(), other.clone()]), content(&[other, one]));
    }

    #[test]
    fn everything_else_does() {
        let rows: [&[Vec<OwnedArg>]; 10] = [
            &[],
            &[vec![OwnedArg::Int(1), OwnedArg::Int(2)]],
            &[vec![OwnedArg::Int(2), OwnedArg::Int(1)]],
            &[vec![OwnedArg::Int(1)], vec![OwnedArg::Int(2)]],
            &[vec![text("ab"), text("c")]],
            &[vec![text("a"), text("bc")]],
            &[vec![OwnedArg::Bytes(b"ab".to_vec()), text("c")]],
            &[vec![text(""), text("c")]],
            &[vec![OwnedArg::Null, text("c")]],
            &[vec![OwnedArg::Null, text("c")], vec![OwnedArg::Null, text("c")]],
        ];
        let hashes: std::collections::HashSet<String> = rows.iter().map(|rows| content(rows).hash()).collect();
        assert_eq!(hashes.len(), rows.len());
    }

    #[test]
    fn a_text_that_postgresql_cannot_hold_is_its_stand_in() {
        assert_eq!(content(&[vec![text("a\0b")]]), content(&[vec![text("a\u{fffd}b")]]));
    }
}
