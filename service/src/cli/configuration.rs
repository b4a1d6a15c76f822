//! `recordgate config`: what the configuration comes to, and where each value is from.

use super::context::Context;
use super::serve::ServeOptions;
use crate::app::config::defaults;

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate config
  recordgate config --config /etc/recordgate.toml
  recordgate config --defaults > recordgate.toml

An option goes before an environment variable, that before the configuration file, that before the default.
Every setting has a variable: log.level is RECORDGATE_LOG_LEVEL.")]
pub(super) struct ConfigurationArgs {
    /// Print the defaults as a commented file to start from
    #[arg(long)]
    defaults: bool,
    #[command(flatten)]
    pub(super) serving: ServeOptions,
}

pub(super) fn run(context: &Context, args: &ConfigurationArgs) {
    if args.defaults {
        context.out.line(defaults().trim_end());
        return;
    }
    let entries =
        context.config.lines.iter().map(|setting| {
            (setting.key.to_owned(), serde_json::json!({ "value": setting.value, "from": setting.from }))
        });
    context.out.value(&entries.collect::<serde_json::Map<_, _>>());
    let mut table = "";
    for setting in &context.config.lines {
        let (of, name) = setting.key.split_once('.').unwrap_or(("", setting.key));
        if of != table {
            context.out.say(&format!("\n[{of}]"));
            table = of;
        }
        let line = match &setting.value {
            Some(value) => format!("{name} = {value}"),
            None => format!("# {name} is not set"),
        };
        context.out.say(&format!("{line:<44} # {}", setting.from));
    }
}
