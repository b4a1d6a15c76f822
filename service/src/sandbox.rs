//! The sandbox: the same service with an invented world, a clock that can be moved, and a sample third-party app.

pub mod clock;

pub async fn prepare(_app: &crate::app::Shared) -> Result<(), store::Error> {
    Ok(())
}
