//! The sandbox: its world, its guide, its clock, each client kind's flow, and the sample app, over real sockets.

mod browser;
mod client_kinds;
mod clock;
mod command;
mod guide;
mod house;
mod sample_app;
mod world;
