//! Asking for a password: on the terminal, without echo, or from standard input; never as an argument, where other
//! users of the machine and the shell's history could read it.

use super::failure::Failure;
use crate::secrets::secret::Secret;
use rules::passwords;
use std::io::IsTerminal;

/// A new password that may be chosen, asked for twice.
pub(super) fn ask(whose: &str, from_stdin: bool) -> Result<Secret, Failure> {
    let password = if from_stdin { line_of_stdin()? } else { typed_twice(whose)? };
    match passwords::fault(password.reveal(), whose) {
        Some(fault) => Err(Failure::because(format!("{}; choose another one", fault.words()))),
        None => Ok(password),
    }
}

/// The first line of standard input, without its end.
pub(super) fn line_of_stdin() -> Result<Secret, Failure> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    while line.ends_with(['\n', '\r']) {
        line.pop();
    }
    Ok(Secret::new(line))
}

fn typed_twice(whose: &str) -> Result<Secret, Failure> {
    let terminal = console::Term::stderr();
    if !terminal.is_term() || !std::io::stdin().is_terminal() {
        return Err(Failure::usage(vec![
            "there is no terminal to ask for the password on; pipe it in with --password-stdin".into(),
        ]));
    }
    let typed = |prompt: &str| -> Result<Secret, Failure> {
        terminal.write_str(prompt)?;
        Ok(Secret::new(terminal.read_secure_line()?))
    };
    let first = typed(&format!("New password of {whose}: "))?;
    if typed("Once more: ")? == first {
        Ok(first)
    } else {
        Err(Failure::because("the two passwords differ; nothing was changed"))
    }
}
