//! A square by file and rank.

/// A square as the first player counts: files from their left, ranks from their side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// From 0.
    pub file: u8,
    /// From 0.
    pub rank: u8,
}
