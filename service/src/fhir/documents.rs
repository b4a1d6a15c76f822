//! Binary: its content, read and uploaded.

pub mod binary;
pub mod upload;
