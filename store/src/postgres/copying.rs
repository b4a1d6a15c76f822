//! Rows for COPY, in PostgreSQL's binary form: nothing of them is parsed, and nothing is escaped.

use crate::sql::arg::{Arg, NUL_STAND_IN};
use bytes::{BufMut, Bytes, BytesMut};

/// How such rows begin: that they are, no flags, no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// As many columns as no row has: the end.
const END: i16 = -1;
const NULL: i32 = -1;

/// Rows as one message.
pub(crate) fn binary_rows<'a>(rows: &[impl AsRef<[Arg<'a>]>]) -> Bytes {
    let mut message = BytesMut::with_capacity(rows.len() * 128);
    message.put_slice(HEADER);
    for row in rows {
        let row = row.as_ref();
        message.put_i16(i16::try_from(row.len()).unwrap_or_default());
        row.iter().for_each(|value| put(value, &mut message));
    }
    message.put_i16(END);
    message.freeze()
}

fn put(value: &Arg<'_>, message: &mut BytesMut) {
    match value {
        Arg::Null => message.put_i32(NULL),
        Arg::Int(value) => put_bytes(&value.to_be_bytes(), message),
        Arg::Text(value) if value.contains('\0') => put_bytes(value.replace('\0', NUL_STAND_IN).as_bytes(), message),
        Arg::Text(value) => put_bytes(value.as_bytes(), message),
        Arg::Bytes(value) => put_bytes(value, message),
    }
}

fn put_bytes(bytes: &[u8], message: &mut BytesMut) {
    message.put_i32(i32::try_from(bytes.len()).unwrap_or_default());
    message.put_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::arg::args;

    #[test]
    fn rows_are_counted_columns_each_with_its_length() {
        let row = args![7_i64, "ab", None::<&str>].to_vec();
        let message = binary_rows(&[row]);
        let rest = message.strip_prefix(HEADER).unwrap();
        assert_eq!(rest, b"\0\x03\0\0\0\x08\0\0\0\0\0\0\0\x07\0\0\0\x02ab\xff\xff\xff\xff\xff\xff");
    }
}
