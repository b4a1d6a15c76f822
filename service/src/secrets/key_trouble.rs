//! What is wrong with a key ring; each says what to do, and none tells of a key more than its id.

use super::dice::NoRandomness;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum KeyTrouble {
    #[error(
        "the key ring {0} is missing while sessions exist or other nodes have one; without it no token can be opened. Put the file back, restore it from its backup, or copy it from a node that runs. \
         If it is lost for good, see `recordgate keys adopt --help`"
    )]
    Missing(PathBuf),
    #[error("the key ring {0} can be read by others (mode {1:o}); make it yours alone: chmod 600 {0}")]
    ReadableByOthers(PathBuf, u32),
    #[error("the key ring {0} cannot be used: {1}")]
    Io(PathBuf, std::io::Error),
    #[error("line {1} of the key ring {0} is not a key id, a key and its checksum")]
    Malformed(PathBuf, usize),
    #[error("line {1} of the key ring {0} was changed: its checksum is another's. Restore the file from its backup")]
    Changed(PathBuf, usize),
    #[error("the key ring {0} holds no key that is in use")]
    Empty(PathBuf),
    #[error(
        "{0} is another key ring, and no token sealed by {1} could be opened with it; put it elsewhere, or name the ring to use with --keys"
    )]
    Another(PathBuf, PathBuf),
    #[error(
        "the key ring {0} is another store's, and no token of this database could be opened with it; name this database's own ring with --keys, or put it back"
    )]
    OfAnotherStore(PathBuf),
    #[error(
        "the key ring {0} is not this database's: it does not know the key {1}. Name its own ring with --keys, or copy it from a node that runs. If this ring shall be its own all the same \
         (the other is lost, or the database was restored from before this key was made), see `recordgate keys adopt --help`"
    )]
    Unknown(PathBuf, String),
    #[error(
        "the key {1} of the key ring {0} is not the one that this database knows by that id: the line was changed, or is another ring's. Restore the file from its backup"
    )]
    Mismatch(PathBuf, String),
    #[error(
        "the key ring {0} lacks the key {1}, which tokens of this database are sealed with. Put its line back; to void those tokens instead: recordgate keys retire {1}"
    )]
    Lacks(PathBuf, String),
    #[error("there is no key {0} in the ring")]
    NoSuchKey(String),
    #[error("{0} is the key that seals; rotate first, then retire it")]
    InUse(String),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}
