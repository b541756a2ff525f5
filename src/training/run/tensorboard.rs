//! Scalars for TensorBoard.
//!
//! The library's own writer of files panics, here and on a thread of its own, when it cannot write. A full disk must cost
//! the curves and not the run, so only its records and messages are used.

use std::{
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
    process,
};

use protobuf::Message;
use tensorboard_proto::event::Event;
use tensorboard_rs::{record_writer::RecordWriter, summary};

/// What the name of an event file begins with.
pub const EVENTS: &str = "events.out.tfevents.";

/// Writes an event file; steps are positions played. Curves cannot fail a run: what cannot be written ends them, with a
/// warning.
pub struct TensorBoard {
    folder: PathBuf,
    file: Events,
}

enum Events {
    /// Nothing was written yet.
    None,
    Open(RecordWriter<BufWriter<File>>),
    Failed,
}

impl TensorBoard {
    /// Curves in a file of their own in `folder`, which is made with the first values.
    pub fn new(folder: &Path) -> Self {
        TensorBoard { folder: folder.to_owned(), file: Events::None }
    }

    /// Writes `values`, each under its tag, at `step`.
    pub fn write(&mut self, step: u64, values: &[(String, f64)]) {
        if let Err(error) = self.try_write(step, values) {
            self.file = Events::Failed;
            tracing::warn!("TensorBoard's file cannot be written: no more curves from this process: {error}");
        }
    }

    fn try_write(&mut self, step: u64, values: &[(String, f64)]) -> io::Result<()> {
        let wall_time = jiff::Timestamp::now().as_millisecond() as f64 / 1e3;
        let mut event = Event::new();
        event.set_wall_time(wall_time);
        if matches!(self.file, Events::None) {
            let name = format!("{EVENTS}{:010}.sanki.{}", wall_time as u64, process::id());
            let mut file = RecordWriter::new(BufWriter::new(File::create(self.folder.join(name))?));
            let mut first = event.clone();
            first.set_file_version("brain.Event:2".to_owned());
            file.write(&bytes(&first)?)?;
            self.file = Events::Open(file);
        }
        let Events::Open(file) = &mut self.file else { return Ok(()) };
        event.set_step(step as i64);
        for (tag, value) in values {
            event.set_summary(summary::scalar(tag, *value as f32));
            file.write(&bytes(&event)?)?;
        }
        file.flush()
    }
}

fn bytes(event: &Event) -> io::Result<Vec<u8>> {
    event.write_to_bytes().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_ends_the_curves_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let values = [("loss".to_owned(), 0.5)];
        let mut board = TensorBoard::new(&folder.path().join("missing"));
        board.write(1, &values);
        std::fs::create_dir(folder.path().join("missing")).unwrap();
        board.write(2, &values);
        assert_eq!(std::fs::read_dir(folder.path().join("missing")).unwrap().count(), 0);

        let mut board = TensorBoard::new(folder.path());
        board.write(1, &values);
        board.write(2, &values);
        let entries = std::fs::read_dir(folder.path()).unwrap().flatten();
        let mut names = entries.map(|entry| entry.path()).filter(|path| path.is_file());
        let bytes = std::fs::read(names.next().unwrap()).unwrap();
        let (mut at, mut events) = (0, Vec::new());
        while at < bytes.len() {
            let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
            events.push(Event::parse_from_bytes(&bytes[at + 12..at + 12 + length]).unwrap());
            at += length + 16;
        }
        assert_eq!(events.iter().map(Event::get_step).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(events[2].get_summary().get_value()[0].get_tag(), "loss");
    }
}
