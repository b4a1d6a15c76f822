//! The program `recordgate`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    // The allocator asks for huge pages, of which each is cleared and counted whole for the little that is in it. The service
    // runs without them as well as with them: where the system has no such switch, nothing is lost.
    #[cfg(target_os = "linux")]
    let _as_it_is = rustix::thread::disable_transparent_huge_pages(true);
    service::cli::main()
}
