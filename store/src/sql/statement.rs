//! Statements: SQL in `$1` style, in the subset that both engines share, with a name by which trouble tells of it.

use crate::error::{Error, Result};
use futures_util::future::BoxFuture;
use std::task::{Context, Poll, Waker};

/// A statement. Its text does not vary with the number of its arguments: a list goes in as one JSON array, which
/// `json_each($n)` takes apart.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// Where it is in the source: `store::access::sessions::LOAD`.
    pub name: &'static str,
    pub sql: &'a str,
    /// Whether `$1`, `$2`, … first appear in this order. Most statements are written so, and then the place of an argument
    /// is its number, to SQLite too, which is known here once and not asked for at every use.
    pub(crate) in_order: bool,
    /// Whether it most likely finds few rows, and at once.
    pub(crate) is_brief: bool,
}

impl<'a> Statement<'a> {
    pub(crate) const fn new(name: &'static str, sql: &'a str) -> Self {
        Self { name, sql, in_order: is_in_order(sql.as_bytes()), is_brief: false }
    }

    /// A statement whose text is made for each use. It has thousands of letters, so only its numbers are looked at; `new` looks at
    /// each letter, because it is done while compiling. One test holds both to the same.
    pub(crate) fn made(name: &'static str, sql: &'a str) -> Self {
        let mut highest = 0;
        let in_order = memchr::memchr_iter(b'$', sql.as_bytes()).all(|at| {
            let behind = sql.as_bytes().get(at + 1..).unwrap_or_default();
            let digits = behind.iter().take_while(|byte| byte.is_ascii_digit());
            let number = digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
            let is_next = number <= highest + 1;
            highest = highest.max(number);
            is_next
        });
        Self { name, sql, in_order, is_brief: false }
    }

    /// The same, expected to find few rows, and at once.
    pub(crate) const fn brief(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// The same SELECT, locking the rows that it finds against other writers. Only a server needs that.
    pub(crate) fn locking(&self) -> String {
        format!("{} FOR NO KEY UPDATE", self.sql)
    }

    /// The same, without those that another writer has locked: nobody is waited for.
    pub(crate) fn locking_free(&self) -> String {
        format!("{} SKIP LOCKED", self.locking())
    }
}

/// Where every statement is done when it is asked for, a job of statements is done at its first poll.
pub(crate) fn poll_once<T>(mut job: BoxFuture<'_, Result<T>>) -> Result<T> {
    match job.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(Error::Impossible("a write job awaited something other than its transaction".into())),
    }
}

/// Keeps the kilobytes that a conversation with a server needs out of every future that only might have one: a request
/// is one such future, and it is made and moved as a whole.
pub(crate) fn far<'f, T>(conversation: impl Future<Output = T> + Send + 'f) -> BoxFuture<'f, T> {
    Box::pin(conversation)
}

/// Writes the statements of a file, each with its name, and the list of all of them for the test that prepares every
/// one: `statements! { FIND = "SELECT …"; }`.
macro_rules! statements {
    ($($(#[$about:meta])* $visible:vis $name:ident = $sql:expr;)*) => {
        $($(#[$about])* $visible const $name: $crate::sql::statement::Statement<'static> = $crate::sql::statement::Statement::new(
            concat!(module_path!(), "::", stringify!($name)),
            $sql,
        );)*

        /// The statements of this file.
        pub(crate) const STATEMENTS: &[$crate::sql::statement::Statement<'static>] = &[$($name),*];
    };
}
pub(crate) use statements;

const fn is_in_order(sql: &[u8]) -> bool {
    let (mut rest, mut highest) = (sql, 0);
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'$' {
            continue;
        }
        let mut number = 0;
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            number = number * 10 + (*digit - b'0') as usize;
            rest = after;
        }
        if number > highest + 1 {
            return false;
        }
        if number > highest {
            highest = number;
        }
    }
    true
}

/// A list of numbers as the argument of `json_each`.
pub(crate) fn list(numbers: impl IntoIterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// A list of texts as the argument of `json_each`.
pub(crate) fn list_of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut list = String::from("[");
    for text in texts {
        if list.len() > 1 {
            list.push(',');
        }
        quote(text, &mut list);
    }
    list.push(']');
    list
}

/// A text as JSON has it.
pub(crate) fn quote(text: &str, json: &mut String) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            // A database's text cannot hold NUL: nothing is found under it.
            c if c < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(if c == '\0' { '\u{1}' } else { c }))),
            c => json.push(c),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_in_order_when_each_first_appears_after_the_one_before() {
        for statement in [Statement::new, Statement::made] {
            let in_order = |sql| statement("test", sql).in_order;
            assert!(in_order("SELECT $1, $2, $1, $3") && in_order("SELECT 1"));
            assert!(!in_order("SELECT $1, $2, $1, $10") && !in_order("SELECT $2, $1"));
        }
    }

    #[test]
    fn a_list_is_a_json_array_whatever_is_in_it() {
        assert_eq!(list([]), "[]");
        assert_eq!(list([1, -2]), "[1,-2]");
        let texts = ["a", "\"b\\", "c\nd", "é"];
        assert_eq!(list_of_texts(texts), r#"["a","\"b\\","c\u000ad","é"]"#);
        assert_eq!(list_of_texts([]), "[]");
    }
}
