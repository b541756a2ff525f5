//! The kinds of pieces of dobutsu shogi.

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One step forward.
    Chick,
    /// One step diagonally.
    Elephant,
    /// One step orthogonally.
    Giraffe,
    /// One step any way; it decides the game.
    Lion,
    /// A promoted chick: as a gold general.
    Hen,
}

impl Kind {
    /// Every kind, in the order of their discriminants.
    pub const ALL: [Kind; 5] = [Kind::Chick, Kind::Elephant, Kind::Giraffe, Kind::Lion, Kind::Hen];
    /// How many kinds there are.
    pub const COUNT: usize = Self::ALL.len();
    /// The number of kinds, from the first, that can be held in hand; a lion there ends the game.
    pub const IN_HAND: usize = 4;
    /// The kinds that can be dropped.
    pub const DROPPABLE: [Kind; 3] = [Kind::Chick, Kind::Elephant, Kind::Giraffe];

    /// The letter of a FEN, uppercase; a hen has its chick's, behind a `+`.
    pub fn letter(self) -> char {
        match self {
            Kind::Chick | Kind::Hen => 'C',
            Kind::Elephant => 'E',
            Kind::Giraffe => 'G',
            Kind::Lion => 'L',
        }
    }

    /// What it is once captured.
    pub fn unpromoted(self) -> Kind {
        if self == Kind::Hen { Kind::Chick } else { self }
    }
}
