//! The files that the process may have open: as many as the system allows, of which connections get what nothing else needs.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Where the system lists the open files of the process that looks.
const OPEN_FILES: &str = "/dev/fd";
/// Where it cannot be read.
const OPEN_AT_MOST: usize = 256;

/// Raises the limit of open files to what the system allows the process. Connections are files, and the usual limit is from
/// times when there were few.
pub fn raise_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current == maximum {
        return;
    }
    let (from, to) = (words(current), words(maximum));
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => tracing::info!(from, to, "the limit of open files is raised"),
        Err(error) => tracing::warn!(%error, from, to, "the limit of open files could not be raised"),
    }
}

fn words(limit: Option<u64>) -> String {
    limit.map_or("none".into(), |limit| limit.to_string())
}

/// How many files are left for connections, if these are kept for what the process opens later. Without a limit, all.
pub(super) fn left(kept: usize) -> usize {
    let limit = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    let open = std::fs::read_dir(OPEN_FILES).map_or(OPEN_AT_MOST, Iterator::count);
    limit.map_or(usize::MAX, |limit| limit.saturating_sub(open).saturating_sub(kept))
}
