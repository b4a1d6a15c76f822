//! The account on the machine by which an operator acts: what the kernel says of a process, never what the process says.

use std::fmt;
use std::path::Path;
use tokio::net::UnixStream;

/// Where accounts have their names. One that is known elsewhere is told by its number.
const NAMES: &str = "/etc/passwd";

/// An account, by its number and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    uid: u32,
    name: Option<String>,
}

impl Account {
    /// That of this process.
    #[must_use]
    pub fn of_this_process() -> Self {
        Self::numbered(rustix::process::geteuid().as_raw())
    }

    /// That of the process at the other end of a socket.
    pub(super) fn of_peer(stream: &UnixStream) -> std::io::Result<Self> {
        Ok(Self::numbered(stream.peer_cred()?.uid()))
    }

    fn numbered(uid: u32) -> Self {
        let names = std::fs::read_to_string(Path::new(NAMES)).unwrap_or_default();
        Self { uid, name: name_of(&names, uid) }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} ({})", self.uid),
            None => write!(f, "uid {}", self.uid),
        }
    }
}

/// The name of an account in the lines of a file of accounts: name, password, number, and more.
fn name_of(names: &str, uid: u32) -> Option<String> {
    let number = uid.to_string();
    let account = names.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let known = |fields: Vec<&str>| match fields.as_slice() {
        [name, _, number_of_it, ..] if *number_of_it == number && !name.is_empty() => Some((*name).to_owned()),
        _ => None,
    };
    account.into_iter().find_map(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &str = "root:x:0:0:root:/root:/bin/sh\n# a remark\n:x:7:7\nanna:x:1000:1000::/home/anna:/bin/sh\n";

    #[test]
    fn an_account_is_told_by_its_name_and_its_number() {
        let account = |uid| Account { uid, name: name_of(KNOWN, uid) }.to_string();
        assert_eq!(account(0), "root (0)");
        assert_eq!(account(1000), "anna (1000)");
        assert_eq!(account(100), "uid 100", "the number is compared whole");
        assert_eq!(account(7), "uid 7", "a name that is empty is none");
    }

    #[tokio::test]
    async fn the_other_end_of_a_socket_is_who_the_kernel_says() {
        let (here, there) = UnixStream::pair().unwrap();
        assert_eq!(Account::of_peer(&here).unwrap(), Account::of_this_process());
        drop(there);
    }
}
