//! Who can sign in to a sandbox: an invented person with a published password.

/// Somebody of the invented world.
#[derive(Clone)]
pub struct SandboxLogin {
    pub username: String,
    pub password: String,
    /// Who they are, in a few words.
    pub who: String,
}

impl std::fmt::Debug for SandboxLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxLogin").field("username", &self.username).finish_non_exhaustive()
    }
}
