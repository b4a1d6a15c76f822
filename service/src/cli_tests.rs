//! The command line as a whole: every command and every argument of it is explained.

use super::*;

/// What has no help, with the way to it.
fn unexplained(command: &clap::Command, way: &str, found: &mut Vec<String>) {
    let way = format!("{way} {}", command.get_name());
    if command.get_about().is_none_or(|about| about.to_string().trim().is_empty()) {
        found.push(way.clone());
    }
    for argument in command.get_arguments() {
        if argument.get_help().is_none_or(|help| help.to_string().trim().is_empty()) {
            found.push(format!("{way} {}", argument.get_id()));
        }
    }
    for inner in command.get_subcommands() {
        unexplained(inner, &way, found);
    }
}

#[test]
fn every_command_and_every_argument_says_what_it_is_for() {
    let mut command = Cli::command();
    command.build();
    let mut found = Vec::new();
    unexplained(&command, "", &mut found);
    // clap's own `help COMMAND`, which repeats the names of all commands.
    found.retain(|way| !way.starts_with(" recordgate help"));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn an_argument_without_help_is_found() {
    let bare =
        clap::Command::new("bare").about("has one").subcommand(clap::Command::new("inner").arg(clap::Arg::new("x")));
    let mut found = Vec::new();
    unexplained(&bare, "", &mut found);
    assert_eq!(found, [" bare inner", " bare inner x"]);
}

#[test]
fn the_command_line_is_as_clap_wants_it() {
    Cli::command().debug_assert();
}
