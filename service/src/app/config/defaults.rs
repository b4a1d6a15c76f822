//! The defaults as a file, embedded in the binary.

use super::postgres_defaults;

/// The defaults as a file, also an example to start from.
#[must_use]
pub fn defaults() -> String {
    format!("{}\n{}", include_str!("defaults.toml"), postgres_defaults::defaults())
}
