//! The program `sanki-engine`: the engine without a command before it, for programs that start a bare path.

/// As in `sanki`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    sanki::app::engine::run_program()
}
