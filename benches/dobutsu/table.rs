//! The values of all positions of dobutsu shogi that games reach.

use std::{
    fs::File,
    io::{BufWriter, Read, Write},
    path::Path,
};

use anyhow::{Context, Result, ensure};
use sanki::games::rules::dobutsu::{DobutsuMove, Position};

use super::numbering::{NUMBERS, number_of};

/// In place of plies: no game reaches the position.
pub const NEVER: u8 = 255;
/// In place of plies: neither side can force a win.
pub const DRAWN: u8 = 254;
/// What a file begins with.
const MAGIC: &[u8; 16] = b"sanki dobutsu 1\n";

/// What a position is worth to the side to move, if both sides play as well as they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// The opponent can force a win.
    Lost,
    /// Neither side can.
    Drawn,
    /// The side to move can.
    Won,
}

/// Counts of positions, before solving and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Positions that games reach, of mirror images one.
    pub reached: u64,
    /// The lion can be taken.
    pub takes_lion: u64,
    /// The game is over: the opponent's lion is home.
    pub over: u64,
    /// The side to move wins.
    pub won: u64,
    /// The side to move loses.
    pub lost: u64,
    /// Neither side can force a win.
    pub drawn: u64,
    /// Plies of the longest win.
    pub longest: u8,
    /// Plies to the end from the start of a game; it is lost.
    pub start: u8,
}

/// What has been published: by Tanaka, who solved the game first ("An Analysis of a Board Game 'Doubutsu Shogi'", IPSJ SIG
/// technical report 2009-GI-22), and by others who came to the same.
pub const PUBLISHED: Counts = Counts {
    reached: 246_803_167,
    takes_lion: 140_298_614,
    over: 7_018_985,
    won: 196_773_087,
    lost: 47_347_380,
    drawn: 2_682_700,
    longest: 173,
    start: 78,
};

/// The value of every position, and how far its end is.
pub struct Table {
    /// By the positions' numbers, the plies to the end where the winner hurries and the loser does not: an odd number if the
    /// side to move wins, an even one if it loses. Or [`DRAWN`], or [`NEVER`].
    plies: Vec<u8>,
}

impl Table {
    /// A table of these plies.
    pub fn new(plies: Vec<u8>) -> Self {
        assert_eq!(plies.len(), NUMBERS as usize);
        Table { plies }
    }

    /// What `position` is worth to the side to move; `None` if no game reaches it in which every lion that can be taken is
    /// taken.
    pub fn value(&self, position: &Position) -> Option<Value> {
        match self.plies[number_of(position) as usize] {
            NEVER => None,
            DRAWN => Some(Value::Drawn),
            plies if plies % 2 == 1 => Some(Value::Won),
            _ => Some(Value::Lost),
        }
    }

    /// What a move leaves to the side that makes it. The table knows `position`, where no lion can be taken.
    pub fn value_after(&self, position: &Position, mv: DobutsuMove) -> Value {
        match self.value(&position.after(mv)).expect("the solver went on from here") {
            Value::Won => Value::Lost,
            Value::Drawn => Value::Drawn,
            Value::Lost => Value::Won,
        }
    }

    /// Writes the table, compressed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let mut file = zstd::Encoder::new(BufWriter::new(out), 1)?;
        file.write_all(MAGIC)?;
        file.write_all(&self.plies)?;
        file.finish()?.flush()?;
        Ok(())
    }

    /// Reads what [`Table::write`] wrote.
    ///
    /// # Errors
    /// When it cannot be read or is no such file.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut file = zstd::Decoder::new(file)?;
        let (mut magic, mut plies) = ([0; MAGIC.len()], Vec::with_capacity(NUMBERS as usize));
        file.read_exact(&mut magic)?;
        ensure!(&magic == MAGIC, "{} is no table of dobutsu", path.display());
        file.take(u64::from(NUMBERS) + 1).read_to_end(&mut plies)?;
        ensure!(plies.len() == NUMBERS as usize, "{} is damaged", path.display());
        Ok(Table { plies })
    }
}
