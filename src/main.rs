//! The program `sanki`.

fn main() -> std::process::ExitCode {
    sanki::cli::run()
}
