//! What people type, line by line.

use std::{
    io::{self, BufRead},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

use crate::base::store::{LineRead, printable, read_line};

/// Bytes of a line at most, which may name a file: what is beyond is dropped.
const LONGEST_LINE: usize = 1000;
/// How soon a wish to stop is heard.
const LOOK: Duration = Duration::from_millis(30);

/// Lines that are read on a thread of their own, so that waiting for one can be given up.
pub struct TerminalInput {
    lines: Receiver<io::Result<String>>,
}

/// What came of waiting for a line.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line, without spaces around it and control characters.
    Line(String),
    /// There are no more.
    End,
    /// The game was stopped.
    Stopped,
}

impl TerminalInput {
    /// The lines of `reader`. Its thread ends with the input, or with the program.
    ///
    /// # Errors
    /// When there can be no further thread.
    pub fn of(mut reader: impl BufRead + Send + 'static) -> io::Result<Self> {
        let (sender, lines) = sync_channel(0);
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            let mut line = Vec::new();
            loop {
                let read = match read_line(&mut reader, &mut line, LONGEST_LINE) {
                    Ok(LineRead::End) => return,
                    Ok(LineRead::Whole | LineRead::Cut) => {
                        Ok(printable(&String::from_utf8_lossy(&line)).trim().to_owned())
                    }
                    Err(error) => Err(error),
                };
                let is_last = read.is_err();
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(TerminalInput { lines })
    }

    /// The next line.
    pub(super) fn next(&self, is_stopped: &dyn Fn() -> bool) -> io::Result<Heard> {
        loop {
            if is_stopped() {
                return Ok(Heard::Stopped);
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return line.map(Heard::Line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_and_waiting_can_be_given_up() {
        let input = TerminalInput::of(&b" b2b3 \n\x1b[2J"[..]).unwrap();
        assert!(matches!(input.next(&|| true).unwrap(), Heard::Stopped));
        assert!(matches!(input.next(&|| false).unwrap(), Heard::Line(line) if line == "b2b3"));
        assert!(matches!(input.next(&|| false).unwrap(), Heard::Line(line) if line == "\u{fffd}[2J"));
        assert!(matches!(input.next(&|| false).unwrap(), Heard::End));
    }
}
