//! What a resource server asks oidc-provider about a bearer token, again and again.

use crate::http::driver::Script;
use crate::http::response::Response;
use crate::measure::trouble::Trouble;

#[derive(Debug, Clone)]
pub(super) struct Introspection(pub(super) Vec<u8>);

impl Script for Introspection {
    fn request(&mut self) -> &[u8] {
        &self.0
    }

    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble> {
        if is_active(answer.body) { Ok(()) } else { Err("the peer called a live token inactive".into()) }
    }
}

pub(super) fn is_active(body: &[u8]) -> bool {
    memchr::memmem::find(body, b"\"active\":true").is_some()
}
