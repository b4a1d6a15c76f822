//! Who cleans up: a small process that waits for its input to end, which happens when the test ends, however it does.

use crate::tools;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// `$1` is the folder, `$2` is `pg_ctl`. A frozen server is let go on, or it could not stop.
const CLEAN_UP: &str = r#"
read -r _
if [ -f "$1/data/postmaster.pid" ]; then
    pid=$(head -n 1 "$1/data/postmaster.pid")
    kill -s CONT "$pid" $(pgrep -P "$pid")
    "$2" stop -w -s -t 600 -D "$1/data" -m immediate
fi
rm -rf "$1"
"#;

/// Names the directory for clusters where they are to be elsewhere than other temporary files.
const PLACE_VARIABLE: &str = "RECORDGATE_TEST_CLUSTERS";

#[derive(Debug)]
pub(crate) struct Keeper {
    folder: PathBuf,
    process: Child,
}

impl Keeper {
    /// Makes a folder, and someone to remove it.
    pub(crate) fn new() -> Self {
        let place = std::env::var_os(PLACE_VARIABLE).map_or_else(std::env::temp_dir, PathBuf::from);
        let name = place.join("recordgate-postgres-XXXXXXXX");
        let folder = tools::run("mktemp", &["-d", name.to_str().expect("a temporary folder whose name is text")]);
        let folder = PathBuf::from(folder.trim_end());
        let process = tools::command("sh")
            .args(["-c", CLEAN_UP, "keeper"])
            .arg(&folder)
            .arg(tools::path("pg_ctl"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C ends the test, not the one who cleans up after it.
            .process_group(0)
            .spawn()
            .expect("sh");
        Self { folder, process }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _it_does_its_best = self.process.wait();
    }
}
