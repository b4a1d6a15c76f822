//! Where the control socket is. The kernel takes about a hundred bytes of path; a data directory may lie deeper.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

pub(super) const SOCKET_FILE: &str = "control.sock";
/// `sun_path` holds 108 bytes with the zero at its end.
const MOST_BYTES: usize = 107;

/// A path to a directory's control socket that the kernel takes, and what it leans on while it is used.
pub(super) struct SocketPath {
    pub(super) path: PathBuf,
    _directory: Option<File>,
}

impl SocketPath {
    pub(super) fn of(directory: &Path) -> std::io::Result<Self> {
        let plain = directory.join(SOCKET_FILE);
        if plain.as_os_str().len() <= MOST_BYTES {
            return Ok(Self { path: plain, _directory: None });
        }
        let open = File::open(directory)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET_FILE}", open.as_raw_fd()));
        Ok(Self { path, _directory: Some(open) })
    }
}
