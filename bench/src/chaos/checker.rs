//! Holds a history to the contract. It knows nothing of how the history came about, so that handmade ones can show
//! that each sort of wrong is found.

mod causes;
mod endings;
mod manners;
mod session;
#[cfg(test)]
mod tests;
pub(crate) mod verdict;
mod winners;
