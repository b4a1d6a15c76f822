//! JSON as a tree that keeps every number as it was written: 1.50 is not 1.5 in FHIR.

mod decimal;
mod equality;
mod layout;
mod node;
mod printing;
mod reading;

pub use decimal::Decimal;
pub use equality::same;
pub use layout::laid_out;
pub use node::Node;
pub use printing::print;
pub use reading::read;
