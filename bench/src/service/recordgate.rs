//! The built service, used only as an operator would: by its command line and its port.

use super::child::{Server, free_port, memory_mib, without_settings};
use crate::measure::progress;
use crate::measure::trouble::Trouble;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command as Blocking, Stdio};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// The embedded store, in the directory of the run.
const DATA: &str = "data";

/// How often a command is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What a command took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weight {
    pub(crate) took: Duration,
    /// Its resident memory at the most.
    pub(crate) peak_mib: f64,
}

/// The profile of Cargo.toml that is shipped: figures of another build are figures of something else.
pub(crate) const SHIPPED: &str = "dist";

#[derive(Debug)]
pub(crate) struct Recordgate {
    binary: PathBuf,
    /// The profile that it was built with.
    profile: String,
    directory: PathBuf,
    database: String,
}

impl Recordgate {
    /// The binary beside this one, built with the same profile first when cargo runs us (a stale one would be measured in silence) or when
    /// it is not there. Its data is in an embedded store in the directory, or else in the database of this URL.
    pub(crate) fn find(directory: &Path, database: Option<&str>) -> Result<Self, Trouble> {
        let here = std::env::current_exe()?;
        let binary = here.with_file_name(format!("recordgate{}", std::env::consts::EXE_SUFFIX));
        let profile = profile(&here);
        let cargo = std::env::var_os("CARGO");
        if cargo.is_some() || !binary.exists() {
            progress::say("building the service");
            build(&cargo.unwrap_or_else(|| "cargo".into()), &profile)?;
        }
        if !binary.exists() {
            let how = format!("cargo build --profile {profile} -p service");
            return Err(format!("there is no {}: build it with `{how}`", binary.display()).into());
        }
        let embedded = || format!("sqlite:{}", directory.join(DATA).display());
        let database = database.map_or_else(embedded, str::to_owned);
        Ok(Self { binary, profile, directory: directory.to_owned(), database })
    }

    /// The profile that the program was built with.
    pub(crate) fn profile(&self) -> &str {
        &self.profile
    }

    /// Runs one command of the operator's, over a file, to its end and returns what it printed.
    pub(crate) async fn run(&self, words: &[&str], file: impl AsRef<OsStr>) -> Result<String, Trouble> {
        let output = self.command(words.iter().map(OsStr::new).chain([file.as_ref()])).output().await?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`recordgate {}` failed: {}", words.join(" "), complaint.trim()).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The same over a file of this name with this text.
    pub(crate) async fn run_over(&self, words: &[&str], name: &str, text: String) -> Result<String, Trouble> {
        let path = self.directory.join(name);
        std::fs::write(&path, text)?;
        self.run(words, path).await
    }

    /// The same, with nobody to hear what it prints: for commands that print a line for each of very many.
    pub(crate) async fn run_unheard(&self, words: &[&str], name: &str, text: String) -> Result<(), Trouble> {
        let path = self.directory.join(name);
        std::fs::write(&path, text)?;
        let words = words.iter().map(OsStr::new).chain([path.as_os_str()]);
        match self.command(words).stdout(Stdio::null()).status().await?.success() {
            true => Ok(()),
            false => Err("a command of the operator's failed; what it said stands above".into()),
        }
    }

    /// Runs one command of the operator's over a file, and tells how long it took and what it weighed at the most.
    pub(crate) async fn weigh(&self, words: &[&str], file: &Path) -> Result<Weight, Trouble> {
        let words = words.iter().map(OsStr::new).chain([file.as_os_str()]);
        let began = Instant::now();
        let mut child = self.command(words).stdout(Stdio::null()).kill_on_drop(true).spawn()?;
        let process = child.id().ok_or("a command of the operator's has no id")?;
        let mut peak_mib = 0.0;
        loop {
            // The peak never falls, so the last look tells all but what came in its last moment.
            peak_mib = memory_mib(process, "VmHWM:").unwrap_or(peak_mib);
            let Ok(ended) = tokio::time::timeout(BETWEEN_LOOKS, child.wait()).await else { continue };
            return match ended?.success() {
                true => Ok(Weight { took: began.elapsed(), peak_mib }),
                false => Err("a command of the operator's failed; what it said stands above".into()),
            };
        }
    }

    /// What the embedded store takes on the disk.
    pub(crate) fn data_bytes(&self) -> Result<u64, Trouble> {
        let mut bytes = 0;
        for entry in std::fs::read_dir(self.directory.join(DATA))? {
            bytes += entry?.metadata()?.len();
        }
        Ok(bytes)
    }

    /// Serves the store on a free port, logging to a file as it would in operation.
    pub(crate) async fn serve(&self) -> Result<Server, Trouble> {
        self.serve_with(&[]).await
    }

    /// Serves the store with these settings, each by its variable.
    pub(crate) async fn serve_with(&self, settings: &[(&str, &str)]) -> Result<Server, Trouble> {
        let (address, metrics) = (free_port()?, free_port()?);
        let log = File::options().create(true).append(true).open(self.log())?;
        let (address_text, metrics) = (address.to_string(), metrics.to_string());
        let mut command = self.command(["serve", "--listen", &address_text, "--metrics", &metrics]);
        command.envs(settings.iter().copied()).stdout(log.try_clone()?).stderr(log);
        Server::start(command, address, "/healthz").await.map_err(|trouble| {
            let log = std::fs::read_to_string(self.log()).unwrap_or_default();
            format!("{trouble}; its log ends:\n{}", last_lines(&log, 10)).into()
        })
    }

    /// The pages of the embedded store's sessions file: whatever is held against its commits must write as much.
    pub(crate) fn sessions_page_bytes(&self) -> Result<u32, Trouble> {
        let file = self.directory.join(DATA).join("sessions.sqlite");
        let file = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        Ok(file.query_row("PRAGMA page_size", [], |row| row.get(0))?)
    }

    fn command(&self, words: impl IntoIterator<Item: AsRef<OsStr>>) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(words).args(["--database", &self.database]).current_dir(&self.directory).stdin(Stdio::null());
        without_settings(&mut command, "RECORDGATE_");
        command
    }

    fn log(&self) -> PathBuf {
        self.directory.join("service.log")
    }
}

/// The profile that a program was built with, by the directory that cargo puts it into.
fn profile(program: &Path) -> String {
    let directory = program.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    if directory == "debug" { "dev".to_owned() } else { directory.into_owned() }
}

fn build(cargo: &OsStr, profile: &str) -> Result<(), Trouble> {
    let mut command = Blocking::new(cargo);
    command.args(["build", "--quiet", "-p", "service", "--profile", profile]);
    match command.stdout(Stdio::null()).status()?.success() {
        true => Ok(()),
        false => Err("the service does not build".into()),
    }
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.get(lines.len().saturating_sub(count)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_of_the_profile_whose_directory_it_is_in() {
        for (place, expected) in [("dist", SHIPPED), ("release", "release"), ("debug", "dev")] {
            assert_eq!(profile(Path::new("/project/target").join(place).join("bench").as_path()), expected);
        }
    }
}
