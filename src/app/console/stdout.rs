//! Where commands print their results.

use std::io::{self, Stdout, Write};

/// Where results go: stdout. Its errors say that the output could not be written.
pub fn stdout() -> impl Write {
    Output(io::stdout())
}

struct Output(Stdout);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(of_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_output)
    }
}

/// The error of a kind that the caller still knows, saying first what it is about.
fn of_output(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write the output: {error}"))
}
