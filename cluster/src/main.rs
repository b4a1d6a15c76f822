//! A private PostgreSQL for tests in other languages: prints the URL of an empty database, and goes when its input ends.
#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use cluster::Cluster;

fn main() -> std::io::Result<()> {
    let cluster = Cluster::start();
    println!("{}", cluster.new_database());
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}
