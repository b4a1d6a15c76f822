//! Who sees what, and who decides it: the tables of docs/consent.md as pure functions. `decision::sees` is the heart; everything
//! else feeds it, or says what follows from it.

pub mod actor;
pub mod basis;
pub mod caller;
pub mod carers;
pub mod change;
pub mod decision;
pub mod delay;
pub mod denial;
pub mod eyes;
pub mod glass;
pub mod identity;
pub mod item;
pub mod label_right;
pub mod missing;
pub mod needs;
pub mod notice;
pub mod record;
pub mod record_view;
pub mod situation;
pub mod standing;
pub mod state;
pub mod state_right;
pub mod view;
pub mod viewer;
