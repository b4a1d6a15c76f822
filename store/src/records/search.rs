//! Searching: a query compiled to SQL, within a caller's reach, page by page.

pub(crate) mod cached_page;
pub(crate) mod chain_end;
pub(crate) mod clauses;
pub(crate) mod code_timeline;
pub mod compartment;
pub mod compile;
pub(crate) mod criteria;
pub(crate) mod form;
pub mod includes;
pub mod inventory;
pub(crate) mod lookup;
pub(crate) mod missing;
pub mod multi_type;
pub mod page_builder;
pub mod post_filter;
pub(crate) mod rank;
pub(crate) mod request;
pub mod search_time;
pub mod sort;
pub(crate) mod subject;
pub(crate) mod walk;
