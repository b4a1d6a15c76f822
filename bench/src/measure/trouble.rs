//! What can go wrong here is told to a person and ends the run, so a sentence is all that any error needs to carry.

use std::error::Error;

pub(crate) type Trouble = Box<dyn Error + Send + Sync>;
