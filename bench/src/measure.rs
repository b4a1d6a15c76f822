//! The ground floor: what is counted, how rounds alternate, and on what machine. It knows no server and no figure by name.

pub(crate) mod decimals;
pub(crate) mod figure;
pub(crate) mod longest_gap;
pub(crate) mod machine;
pub(crate) mod processor_time;
pub(crate) mod progress;
pub(crate) mod rounds;
pub(crate) mod scratch;
pub(crate) mod tally;
pub(crate) mod trouble;
pub(crate) mod wall_clock;
pub(crate) mod window;
