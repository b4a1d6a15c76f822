//! The built program as its operator has it: at a terminal, with a directory of their own, and as a running service.

pub mod answer;
pub mod operator;
pub mod outcome;
pub mod patience;
pub mod program;
pub mod world;
