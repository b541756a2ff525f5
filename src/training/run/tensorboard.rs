//! Scalars for TensorBoard.
//!
//! An event file is a sequence of TFRecords, each an `Event` as protobuf bytes between its length and checksums. Field
//! numbers as in `tensorflow/core/util/event.proto` and `tensorflow/core/framework/summary.proto` of
//! <https://github.com/tensorflow/tensorflow>, where they are fixed for good.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
};

use prost::Message;

/// `Event`.
#[derive(Clone, PartialEq, Message)]
struct Event {
    /// Seconds since 1970.
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
}

/// `Summary`.
#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<SummaryValue>,
}

/// `Summary.Value` of a scalar.
#[derive(Clone, PartialEq, Message)]
struct SummaryValue {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

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
    Open(BufWriter<File>),
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
        let event = Event { wall_time, ..Event::default() };
        if matches!(self.file, Events::None) {
            let name = format!("{EVENTS}{:010}.sanki.{}", wall_time as u64, process::id());
            let mut file = BufWriter::new(File::create(self.folder.join(name))?);
            write_record(
                &mut file,
                &Event { file_version: Some("brain.Event:2".to_owned()), ..event.clone() },
            )?;
            self.file = Events::Open(file);
        }
        let Events::Open(file) = &mut self.file else { return Ok(()) };
        for (tag, value) in values {
            let value = SummaryValue { tag: tag.clone(), simple_value: Some(*value as f32) };
            let summary = Some(Summary { value: vec![value] });
            write_record(file, &Event { step: step as i64, summary, ..event.clone() })?;
        }
        file.flush()
    }
}

/// Writes `event` as a TFRecord: the length of its bytes, the checksum of that, the bytes, their checksum.
fn write_record(file: &mut impl Write, event: &Event) -> io::Result<()> {
    let bytes = event.encode_to_vec();
    let length = (bytes.len() as u64).to_le_bytes();
    file.write_all(&length)?;
    file.write_all(&checksum(&length).to_le_bytes())?;
    file.write_all(&bytes)?;
    file.write_all(&checksum(&bytes).to_le_bytes())
}

/// The CRC-32C of `bytes`, masked as TFRecords have it (`tensorflow/core/lib/hash/crc32c.h`).
fn checksum(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
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
            events.push(Event::decode(&bytes[at + 12..at + 12 + length]).unwrap());
            at += length + 16;
        }
        assert_eq!(events.iter().map(|event| event.step).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(events[2].summary.as_ref().unwrap().value[0].tag, "loss");
    }

    /// As Python's TensorBoard writes the same event.
    #[test]
    fn a_record_has_the_bytes_that_tensorboard_writes() {
        let value = SummaryValue { tag: "loss".to_owned(), simple_value: Some(0.0) };
        let summary = Some(Summary { value: vec![value] });
        let event = Event { wall_time: 1.5, step: 3, summary, ..Event::default() };
        let mut bytes = Vec::new();
        write_record(&mut bytes, &event).unwrap();
        assert_eq!(
            data_encoding::HEXLOWER.encode(&bytes),
            "1a00000000000000129bd82d09000000000000f83f10032a0d0a0b0a046c6f737315000000002092744e"
        );
    }
}
