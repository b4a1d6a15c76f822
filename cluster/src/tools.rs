//! PostgreSQL's own tools, run by an account that may: PostgreSQL refuses to run as root.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Debian keeps the server's tools off the PATH, by version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// Debian's account for the server.
const ACCOUNT: &str = "postgres";

/// Where the tools are.
fn folder() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten();
        let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
        versions.sort_by_key(|bin| number(bin));
        folders.extend(versions.into_iter().rev());
        let found =
            folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file());
        found.unwrap_or_else(|| panic!("PostgreSQL's server tools are missing; run: apt-get install postgresql"))
    })
}

fn number(bin: &Path) -> u32 {
    let version = bin.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    version.and_then(|version| version.parse().ok()).unwrap_or_default()
}

fn is_root() -> bool {
    static ROOT: OnceLock<bool> = OnceLock::new();
    *ROOT.get_or_init(|| {
        let id = Command::new("id").arg("-u").output().expect("the tool id");
        id.stdout.trim_ascii() == b"0"
    })
}

/// One of PostgreSQL's tools, or else any.
pub(crate) fn path(program: &str) -> PathBuf {
    let here = folder().join(program);
    if here.is_file() { here } else { PathBuf::from(program) }
}

/// A command as the account that may run PostgreSQL.
pub(crate) fn command(program: &str) -> Command {
    let program = path(program);
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args([format!("--reuid={ACCOUNT}"), format!("--regid={ACCOUNT}"), "--clear-groups".into()]);
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    // Nobody's settings but ours, and a folder that any account may be in.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
        command.env_remove(name);
    }
    command.current_dir("/").stdin(Stdio::null());
    command
}

/// Runs a tool to its end and gives what it printed.
pub(crate) fn run(program: &str, arguments: &[&str]) -> String {
    // Files, not pipes: a server that a tool leaves behind would hold a pipe open for ever.
    let mut said = tempfile();
    let mut complained = tempfile();
    let status = command(program)
        .args(arguments)
        .stdout(said.try_clone().expect("a file"))
        .stderr(complained.try_clone().expect("a file"))
        .status()
        .unwrap_or_else(|error| panic!("{program} cannot be run: {error}; run: apt-get install postgresql util-linux"));
    let (said, complained) = (contents(&mut said), contents(&mut complained));
    assert!(status.success(), "{program} {arguments:?} failed: {complained}{said}");
    said
}

/// A file without a name.
fn tempfile() -> std::fs::File {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("recordgate-tool-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    let file = std::fs::File::options().create_new(true).read(true).write(true).open(&path).expect("a temporary file");
    std::fs::remove_file(&path).expect("its name is not needed");
    file
}

fn contents(file: &mut std::fs::File) -> String {
    use std::io::{Read, Seek, SeekFrom};
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).expect("a file");
    file.read_to_string(&mut text).expect("text");
    text
}

/// Waits until these processes, which were killed, are gone.
pub(crate) fn wait_for_end(processes: &[String]) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while processes.iter().any(|pid| Path::new("/proc").join(pid).exists()) {
        let why = "a killed process is still there; in a container, run an init that takes note of its children's ends";
        assert!(Instant::now() < deadline, "{why}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// Reads a file of the account's.
pub(crate) fn read(path: &Path) -> String {
    run("cat", &[path.to_str().expect("a path that is text")])
}

/// Adds to a file of the account's.
pub(crate) fn append(path: &Path, text: &str) {
    let mut tee = command("tee").arg("-a").arg(path).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("tee");
    let written = tee.stdin.take().expect("its input").write_all(text.as_bytes());
    written.expect("tee reads");
    assert!(tee.wait().expect("tee ends").success(), "{} cannot be written", path.display());
}
