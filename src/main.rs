//! The program `sanki`.

/// The C library's allocator gives large blocks back to the system after every tensor and faults them in again
/// for the next: training spent a quarter to a half of its time on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    sanki::app::cli::run()
}
