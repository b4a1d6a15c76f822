//! The program `recordgate`.

fn main() -> std::process::ExitCode {
    service::cli::main()
}
