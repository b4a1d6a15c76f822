//! The members of JSON objects: what may be sent, what is answered, and what is wrong with them, told from one declaration.

pub mod date;
pub mod faults;
pub mod made;
pub mod member;
pub mod number;
pub mod object;
pub mod place;
pub mod schema;
pub mod words;
