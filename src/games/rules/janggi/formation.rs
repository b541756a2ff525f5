//! The set-ups that the players choose before the game.

use std::{fmt, str::FromStr};

use rand::{Rng, RngExt};

use super::facts::SETUPS;
use crate::games::rules::{ParseError, Setup, Side};

/// How one side sets up its knights and bishops, from file `b` to `c` and from `g` to `h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Formation {
    /// Knight, bishop; bishop, knight: the bishops inside (ansang).
    #[default]
    Nbbn,
    /// Bishop, knight; knight, bishop: the bishops outside (bakkatsang).
    Bnnb,
    /// Knight, bishop; knight, bishop.
    Nbnb,
    /// Bishop, knight; bishop, knight.
    Bnbn,
}

use Formation::*;

impl Formation {
    /// All four.
    pub const ALL: [Formation; 4] = [Nbbn, Bnnb, Nbnb, Bnbn];

    /// The four pieces by their letters in FEN, from file `b` to file `h`.
    pub const fn letters(self) -> &'static str {
        match self {
            Nbbn => "nbbn",
            Bnnb => "bnnb",
            Nbnb => "nbnb",
            Bnbn => "bnbn",
        }
    }

    /// Its Korean names, as the player sees it from its own side, where the second player's left is file `i`:
    /// the pieces in their order in hangul and romanised, where the bishops stand, the opening it is for.
    const fn own_names(self) -> &'static [&'static str] {
        match self {
            Nbbn => &["마상상마", "masangsangma", "안상", "ansang", "원앙마", "wonangma"],
            Bnnb => &["상마마상", "sangmamasang", "바깥상", "bakkatsang", "양귀마", "yanggwima"],
            Nbnb => &["마상마상", "masangmasang", "오른상", "oreunsang", "맞상", "matsang"],
            Bnbn => &["상마상마", "sangmasangma", "왼상", "oensang", "귀마", "gwima"],
        }
    }

    /// The Korean names of this formation where `side` has it.
    pub const fn names(self, side: Side) -> &'static [&'static str] {
        self.seen_by(side).own_names()
    }

    /// The formation as `side` sees it, and back.
    const fn seen_by(self, side: Side) -> Formation {
        match (side, self) {
            (Side::Second, Nbnb) => Bnbn,
            (Side::Second, Bnbn) => Nbnb,
            _ => self,
        }
    }

    /// The formation that `text` names for `side`: by its letters, or in Korean.
    fn parse(text: &str, side: Side) -> Result<Formation, ParseError> {
        let called =
            |formation: &Formation| formation.letters() == text || formation.names(side).contains(&text);
        Formation::ALL.into_iter().find(called).ok_or_else(|| {
            let known = Formation::ALL
                .map(|formation| format!("{} ({})", formation.letters(), formation.names(side).join(", ")));
            ParseError::new("set-up", text, format!("known are {}", known.join(", ")))
        })
    }
}

/// The formations of both sides, one of sixteen set-ups.
///
/// Written as `nbbn/bnbn`, that of Cho (the first player, at the bottom) first, each from the left of the
/// board; read also by Korean names, which are as the player sees it. One name alone is for both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Formations {
    /// The first player's.
    pub cho: Formation,
    /// The second player's.
    pub han: Formation,
}

impl Formations {
    /// All sixteen.
    pub fn all() -> impl Iterator<Item = Formations> {
        Formation::ALL.into_iter().flat_map(|cho| Formation::ALL.map(|han| Formations { cho, han }))
    }

    /// One of the sixteen, each as likely.
    pub(super) fn draw<R: Rng + ?Sized>(rng: &mut R) -> Formations {
        let mut formation = || Formation::ALL[rng.random_range(0..Formation::ALL.len())];
        Formations { cho: formation(), han: formation() }
    }

    /// The starting position with them, as a FEN.
    pub(super) fn fen(self) -> String {
        let (han, cho) = (self.han.letters(), self.cho.letters().to_ascii_uppercase());
        format!(
            "r{}a1a{}r/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/R{}A1A{}R w - - 0 1",
            &han[..2],
            &han[2..],
            &cho[..2],
            &cho[2..]
        )
    }
}

impl From<Formations> for Setup {
    fn from(formations: Formations) -> Setup {
        Setup::Named(SETUPS[formations.cho as usize * Formation::ALL.len() + formations.han as usize])
    }
}

impl fmt::Display for Formations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.cho.letters(), self.han.letters())
    }
}

impl FromStr for Formations {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (cho, han) = text.split_once('/').unwrap_or((text, text));
        Ok(Formations { cho: Formation::parse(cho, Side::First)?, han: Formation::parse(han, Side::Second)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_up_has_its_name() {
        assert_eq!(Formations::all().count(), SETUPS.len());
        for (formations, name) in Formations::all().zip(SETUPS) {
            assert_eq!(formations.to_string(), name);
            assert_eq!(Setup::from(formations), Setup::Named(name));
        }
        assert_eq!(Formations::default().to_string(), SETUPS[0], "the standard one comes first");
    }
}
