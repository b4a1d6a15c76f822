//! `recordgate completions` and `recordgate man`: what a shell and `man` know of the command line, made of the command line itself.

use super::failure::Failure;
use super::out::Out;
use clap::Command;
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate completions bash > /etc/bash_completion.d/recordgate
  recordgate completions zsh > /usr/local/share/zsh/site-functions/_recordgate
  recordgate completions fish > ~/.config/fish/completions/recordgate.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate man | man -l -
  recordgate man --to /usr/local/share/man/man1

The directory gets a page for each command: recordgate.1, recordgate-serve.1, recordgate-client-add.1 and so on.")]
pub(super) struct ManArgs {
    /// Write the pages of all commands into this directory
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

pub(super) fn completions(mut command: Command, args: &CompletionsArgs) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "recordgate", &mut text);
    print(&text)
}

pub(super) fn man(command: Command, args: &ManArgs, out: Out) -> Result<(), Failure> {
    let Some(directory) = &args.to else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return print(&page);
    };
    let cannot = |error| Failure::because(format!("{} cannot be written to: {error}", directory.display()));
    std::fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command, directory)).map_err(cannot)?;
    out.value(&serde_json::json!({ "pages": directory }));
    out.say(&format!("the pages are in {}", directory.display()));
    Ok(())
}

/// A reader who has read enough (`| head`) is no trouble.
fn print(text: &[u8]) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
