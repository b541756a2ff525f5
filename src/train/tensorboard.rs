//! Scalars for TensorBoard: an event file, as TensorFlow's `TFRecordWriter` makes it.
//!
//! ```text
//! record   u64 length, u32 checksum of that, bytes, u32 checksum of those; little endian
//! bytes    a protobuf message, `Event`
//! ```

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

use prost::{Message, Oneof};

/// What the name of an event file begins with.
pub const EVENTS: &str = "events.out.tfevents.";

/// `Event` of TensorFlow's `event.proto`, as far as it is needed here.
#[derive(Clone, PartialEq, Message)]
struct Event {
    /// Seconds since 1970.
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(oneof = "What", tags = "3, 5")]
    what: Option<What>,
}

#[derive(Clone, PartialEq, Oneof)]
enum What {
    #[prost(string, tag = "3")]
    FileVersion(String),
    #[prost(message, tag = "5")]
    Summary(Summary),
}

/// `Summary` of `summary.proto`.
#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Value>,
}

/// `Summary.Value`: a scalar.
#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

/// Writes an event file; steps are positions played. Curves cannot fail a run: what cannot be written ends them, with a
/// warning.
pub struct TensorBoard {
    folder: PathBuf,
    file: Writer,
}

enum Writer {
    /// Nothing was written yet.
    None,
    Open(File),
    Failed,
}

impl TensorBoard {
    /// Curves in a file of their own in `folder`, which is made with the first values.
    pub fn new(folder: &Path) -> Self {
        TensorBoard { folder: folder.to_owned(), file: Writer::None }
    }

    /// Writes `values`, each under its tag, at `step`.
    pub fn write(&mut self, step: u64, values: &[(String, f64)]) {
        if let Err(error) = self.try_write(step, values) {
            self.file = Writer::Failed;
            tracing::warn!("TensorBoard's file cannot be written: no more curves from this process: {error}");
        }
    }

    fn try_write(&mut self, step: u64, values: &[(String, f64)]) -> io::Result<()> {
        let wall_time = jiff::Timestamp::now().as_millisecond() as f64 / 1e3;
        let mut bytes = Vec::new();
        if matches!(self.file, Writer::None) {
            let name = format!("{EVENTS}{:010}.sanki.{}", wall_time as u64, process::id());
            self.file = Writer::Open(File::create(self.folder.join(name))?);
            let version = What::FileVersion("brain.Event:2".to_owned());
            bytes.extend(record(&Event { wall_time, step: 0, what: Some(version) }));
        }
        let Writer::Open(file) = &mut self.file else { return Ok(()) };
        let value =
            |(tag, value): &(String, f64)| Value { tag: tag.clone(), simple_value: Some(*value as f32) };
        let summary = What::Summary(Summary { value: values.iter().map(value).collect() });
        bytes.extend(record(&Event { wall_time, step: step as i64, what: Some(summary) }));
        file.write_all(&bytes)
    }
}

fn record(event: &Event) -> Vec<u8> {
    let bytes = event.encode_to_vec();
    let length = (bytes.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(bytes.len() + 16);
    record.extend(length);
    record.extend(masked(crc32c(&length)).to_le_bytes());
    record.extend(&bytes);
    record.extend(masked(crc32c(&bytes)).to_le_bytes());
    record
}

/// A checksum that may itself be among bytes that have one (TensorFlow, `crc32c.h`).
fn masked(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Castagnoli's CRC-32 (RFC 3720, appendix B.4), bit by bit: it is of little use elsewhere, and has kilobytes to do.
fn crc32c(bytes: &[u8]) -> u32 {
    let shift = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 * (crc & 1));
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_castagnolis() {
        // RFC 3720, appendix B.4: 32 bytes of zeros, of ones, and counting up.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(&std::array::from_fn::<u8, 32, _>(|i| i as u8)), 0x46dd_794e);
    }

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
        assert!(matches!(&events[2].what, Some(What::Summary(summary)) if summary.value[0].tag == "loss"));
    }
}
