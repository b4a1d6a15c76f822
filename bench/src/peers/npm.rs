//! Packages of npm, installed under target/peers at exactly the versions of their lock file, and the programs that need them.

use crate::measure::trouble::Trouble;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::process::Command;

/// Writes the files of a peer into a folder of its own and installs what they name; where that is.
pub(super) async fn install(peer: &str, files: &[(&str, &str)]) -> Result<PathBuf, Trouble> {
    let target = std::env::current_exe()?.ancestors().nth(2).ok_or("this program lies in no folder")?.to_owned();
    let directory = target.join("peers").join(peer);
    std::fs::create_dir_all(&directory)?;
    for (name, text) in files {
        std::fs::write(directory.join(name), text)?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&directory);
    run(npm, &format!("npm could not install what {peer} needs; --peers needs Node and npm")).await?;
    Ok(directory)
}

/// Runs a command to its end; what it printed, or else these words and its complaint.
pub(super) async fn run(mut command: Command, otherwise: &str) -> Result<String, Trouble> {
    let output = command.stdin(Stdio::null()).output().await.map_err(|trouble| format!("{otherwise}: {trouble}"))?;
    if !output.status.success() {
        return Err(format!("{otherwise}: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
