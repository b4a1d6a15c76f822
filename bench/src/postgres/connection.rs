//! A connection as the service makes them.

use crate::measure::trouble::Trouble;
use tokio_postgres::{Client, NoTls};

pub(crate) async fn connect(url: &str) -> Result<Client, Trouble> {
    let mut config: tokio_postgres::Config = url.parse().map_err(|_| "this is no URL of a PostgreSQL database")?;
    config.options("-c synchronous_commit=on");
    let (client, connection) = config.connect(NoTls).await?;
    // What breaks it is told to whoever asks something of the client next.
    tokio::spawn(connection);
    Ok(client)
}
