//! The configuration of the machine: options go before the environment, that before the file, that before defaults.
//!
//! It holds no secrets. What belongs to an integration is a column of its client, not a setting.

mod connections;
mod defaults;
mod effective;
mod layers;
mod log;
mod mail;
mod postgres;
mod postgres_defaults;
mod retention;
mod second_factor;
mod settings;
mod telemetry;
mod throttle;
mod tls;

pub use defaults::defaults;
pub use effective::{Config, LedgerTime, default_keys};
pub use layers::{CONFIG_VARIABLE, Origin, SettingLine, Sources};
pub use log::{LogFormat, LogLevel, RequestLog};
pub use second_factor::FactorSettings;
pub use tls::TlsFiles;
