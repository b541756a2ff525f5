//! Positions as text: what the pieces of this family add to the FEN of the palace.

use super::{
    PalaceKind, PalaceSquare, boards::XiangqiBoard, piece::from_letter, position::Position, ruleset::Rules,
};
use crate::games::rules::{
    ParseError, Side,
    mover::{First, Second},
    palace::{
        Pieces,
        fen::{self, Setting},
    },
};

/// Reads a FEN, and refuses positions that no game can go on from.
pub(super) fn parse<B: XiangqiBoard>(
    rules: &'static Rules,
    text: &str,
) -> Result<Setting<Position<B>>, ParseError> {
    let kind = |letter| from_letter(letter).filter(|kind| B::SET[kind.index()] > 0);
    let Setting { position: pieces, clock, plies } = fen::parse(text, (B::FILES, B::RANKS), kind)?;
    let bad = |why: String| ParseError::new("board", text, why);
    check_counts::<B>(&pieces).map_err(bad)?;
    check_places::<B>(&pieces).map_err(bad)?;
    let position = Position::new(pieces, rules);
    check_king(&position).map_err(bad)?;
    Ok(Setting { position, clock, plies })
}

/// Each side has its king, and altogether no more pieces than at the start.
fn check_counts<B: XiangqiBoard>(pieces: &Pieces) -> Result<(), String> {
    for side in [Side::First, Side::Second] {
        let kings = pieces.of(side, PalaceKind::King).count();
        if kings != 1 {
            return Err(format!("it has {kings} '{}', not 1", PalaceKind::King.letter_of(side)));
        }
        let all: u32 = PalaceKind::ALL.into_iter().map(|kind| pieces.of(side, kind).count()).sum();
        let most = B::SET.iter().map(|&count| u32::from(count)).sum();
        if all > most {
            return Err(format!("a side has {all} pieces, more than {most}"));
        }
    }
    Ok(())
}

/// What no game from the start can lead to, in words.
pub(super) fn unusual<B: XiangqiBoard>(pieces: &Pieces) -> Option<String> {
    let kinds =
        || [Side::First, Side::Second].into_iter().flat_map(|side| PalaceKind::ALL.map(|kind| (side, kind)));
    let too_many = kinds().find_map(|(side, kind)| {
        let (count, set) = (pieces.of(side, kind).count(), u32::from(B::SET[kind.index()]));
        (count > set).then(|| format!("it has {count} of '{}', a set has {set}", kind.letter_of(side)))
    });
    too_many.or_else(|| {
        let strays = pieces.iter().find(|&(side, kind, at)| !B::TABLES.home(side, kind).contains(at));
        strays.map(|(side, kind, at)| format!("'{}' can never have come to {at}", kind.letter_of(side)))
    })
}

/// No piece stands where the rules do not say how it moves: kings and guards in their palace, bishops on their side of
/// the river. Points of these that no game leads to, and pawns behind their start, are read as composed problems have
/// them.
fn check_places<B: XiangqiBoard>(pieces: &Pieces) -> Result<(), String> {
    let ranks = (0..B::RANKS).rev();
    for square in ranks.flat_map(|rank| (0..B::FILES).map(move |file| PalaceSquare::new(file, rank))) {
        if let Some((side, kind)) = pieces.on(square)
            && !B::TABLES.area(side, kind).contains(square)
        {
            return Err(format!("'{}' cannot stand on {square}", kind.letter_of(side)));
        }
    }
    Ok(())
}

/// The side that has just moved has left its king safe.
fn check_king<B: XiangqiBoard>(position: &Position<B>) -> Result<(), String> {
    let king = position.pieces.kings[(!position.pieces.side).index()];
    let occupied = position.pieces.occupied();
    let attacked = match position.pieces.side {
        Side::First => position.is_attacked::<First>(king, occupied),
        Side::Second => position.is_attacked::<Second>(king, occupied),
    };
    if attacked {
        return Err("the side not to move is in check, or the kings face each other".to_owned());
    }
    Ok(())
}

/// Writes a position in Fairy-Stockfish's FEN.
pub(super) fn write<B: XiangqiBoard>(position: &Position<B>, clock: u32, plies: u32) -> String {
    fen::write((B::FILES, B::RANKS), &position.pieces, clock, plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{
        RuleSet,
        xiangqi::boards::{NineByTen, SevenBySeven},
    };

    #[test]
    fn positions_that_cannot_be_are_refused() {
        let cases = [
            ("4k4/9/9/9/9/9/9/9/9/9 w", "it has 0 'K', not 1"),
            ("3kk4/9/9/9/9/9/9/9/9/4K4 w", "it has 2 'k', not 1"),
            ("4k4/9/9/9/9/9/9/RRRRRRRRR/RRRRRRRRR/3K5 w", "a side has 19 pieces, more than 16"),
            ("4k4/9/9/9/9/9/9/9/9/RR1K1R3 w", ""),
            ("2k6/9/9/9/9/9/9/9/9/4K4 w", "'k' cannot stand on c10"),
            ("4k4/9/9/9/9/9/9/9/9/3KA4 w", ""),
            ("4k4/9/9/9/9/9/9/9/9/3K2A2 w", "'A' cannot stand on g1"),
            ("4k4/9/9/9/9/9/9/9/9/B2K5 w", ""),
            ("4k4/9/9/9/9/2B6/9/9/9/3K5 w", ""),
            ("4k4/9/9/9/2B6/9/9/9/9/3K5 w", "'B' cannot stand on c6"),
            ("4k4/9/9/9/9/1P7/9/9/9/3K5 w", ""),
            ("4k4/9/9/9/9/9/9/P8/9/3K5 w", ""),
            ("pp2k4/9/9/9/9/9/9/9/9/3K1P3 w", ""),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the side not to move is in check, or the kings face each other"),
            ("4k4/9/9/9/9/9/9/9/4R4/4K4 w", "the side not to move is in check, or the kings face each other"),
        ];
        for (text, why) in cases {
            let found = parse::<NineByTen>(Rules::of(RuleSet::Axf), text)
                .err()
                .map_or(String::new(), |error| error.why);
            assert_eq!(found, why, "{text}");
        }
        let mini = |text| parse::<SevenBySeven>(Rules::of(RuleSet::Standard), text).map(|start| start.clock);
        assert_eq!(mini("3k3/7/7/7/7/P6/2K4 w - - 7 1"), Ok(7));
        assert_eq!(mini("3k3/7/7/7/7/7/P1K4 w"), Ok(0), "a pawn behind its start");
        assert!(mini("3k3/7/7/7/7/7/A1K4 w").is_err(), "there are no guards");
    }

    #[test]
    fn what_no_game_leads_to_is_said() {
        let why = |text| {
            let start = parse::<NineByTen>(Rules::of(RuleSet::Axf), text).expect(text);
            unusual::<NineByTen>(&start.position.pieces).unwrap_or_default()
        };
        assert_eq!(why("p3k4/9/9/9/9/9/9/9/9/3K5 w"), "'p' can never have come to a10");
        assert_eq!(why("4k4/9/9/9/9/9/9/9/9/B2K5 w"), "'B' can never have come to a1");
        assert_eq!(why("3k5/9/9/9/9/9/9/9/9/4KA3 w"), "");
    }

    #[test]
    fn letters_of_the_english_words_are_read() {
        let letters = "theagaeht/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/THEAGAEHT w - - 0 1";
        let position = parse::<NineByTen>(Rules::of(RuleSet::Axf), letters).expect("a start").position;
        assert_eq!(write(&position, 0, 0), NineByTen::START);
    }
}
