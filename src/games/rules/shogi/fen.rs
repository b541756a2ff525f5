//! Positions as text: Fairy-Stockfish's FEN and SFEN.

use super::{ShogiKind, ShogiSquare, boards::ShogiBoard, position::Position, square::Bits, zobrist::MOST};
use crate::games::rules::{
    ParseError, Side,
    mover::{First, Second},
};

/// A position with the counters of its FEN.
pub(super) struct Setting<B: ShogiBoard> {
    pub(super) position: Position<B>,
    /// Plies since the last capture, promotion or drop: what Fairy-Stockfish counts.
    pub(super) clock: u32,
    /// Plies before the position, as its move number tells.
    pub(super) plies: u32,
}

/// The order in which Fairy-Stockfish writes a hand.
const HAND_ORDER: [ShogiKind; 7] = [
    ShogiKind::Gold,
    ShogiKind::Knight,
    ShogiKind::Lance,
    ShogiKind::Pawn,
    ShogiKind::Silver,
    ShogiKind::Rook,
    ShogiKind::Bishop,
];

/// Reads a FEN, which has the hands in brackets behind the board, or an SFEN, which has not. Where fields are missing, the
/// first side is to move and the hands are empty.
pub(super) fn parse<B: ShogiBoard>(text: &str) -> Result<Setting<B>, ParseError> {
    let bad = |why: &str| ParseError::new("FEN", text, why);
    let fields: Vec<&str> = text.split_whitespace().collect();
    let setting = match fields[..] {
        [] => return Err(bad("it is empty")),
        [board, ref rest @ ..] if board.contains('[') => parse_fen::<B>(board, rest, text)?,
        // As a FEN of a game without hands.
        [board, side, "-", "-", ref counters @ ..] if !counters.is_empty() => {
            let rest: Vec<&str> = [side].iter().chain(counters).copied().collect();
            parse_fen::<B>(&format!("{board}[]"), &rest, text)?
        }
        [board, ref rest @ ..] => parse_sfen::<B>(board, rest, text)?,
    };
    check(&setting, text)?;
    Ok(setting)
}

/// `BOARD[HANDS] [w|b [- -] [CLOCK [MOVE]]]`.
fn parse_fen<B: ShogiBoard>(board: &str, rest: &[&str], text: &str) -> Result<Setting<B>, ParseError> {
    let Some((board, hands)) = board.strip_suffix(']').and_then(|board| board.split_once('[')) else {
        return Err(ParseError::new("hand", board, "it is not of the form BOARD[HANDS]"));
    };
    let mut position = parse_board::<B>(board)?;
    parse_hands(&mut position, hands)?;
    let (side, counters) = match rest {
        [] => (Side::First, rest),
        [side, counters @ ..] => (parse_side(side, ["w", "b"])?, counters),
    };
    let dashes = counters.iter().take_while(|&&field| field == "-").count();
    let (clock, number) = match &counters[dashes.min(2)..] {
        [] => (0, 1),
        [clock] => (parse_counter(clock)?, 1),
        [clock, number] => (parse_counter(clock)?, parse_counter(number)?),
        _ => return Err(ParseError::new("FEN", text, "it has too many fields")),
    };
    let plies = 2 * number.saturating_sub(1) + side.index() as u32;
    position.set_side_to_move(side);
    Ok(Setting { position, clock, plies })
}

/// `BOARD [b|w [HANDS [MOVE]]]`.
fn parse_sfen<B: ShogiBoard>(board: &str, rest: &[&str], text: &str) -> Result<Setting<B>, ParseError> {
    let mut position = parse_board::<B>(board)?;
    let (side, hands, number) = match rest {
        [] => (&"b", &"-", 1),
        [side] => (side, &"-", 1),
        [side, hands] => (side, hands, 1),
        [side, hands, number] => (side, hands, parse_counter(number)?),
        _ => {
            return Err(ParseError::new(
                "FEN",
                text,
                "it has more fields than an SFEN, and no hands in brackets",
            ));
        }
    };
    let side = parse_side(side, ["b", "w"])?;
    parse_hands(&mut position, hands)?;
    // SFEN counts plies from 1; a number that does not fit the side is one too low.
    let plies = number.saturating_sub(1);
    let plies = plies + (plies + side.index() as u32) % 2;
    position.set_side_to_move(side);
    Ok(Setting { position, clock: 0, plies })
}

fn parse_board<B: ShogiBoard>(text: &str) -> Result<Position<B>, ParseError> {
    let bad = |why: String| ParseError::new("board", text, why);
    let mut position = Position::empty();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != usize::from(B::RANKS) {
        return Err(bad(format!("it has {} ranks, not {}", ranks.len(), B::RANKS)));
    }
    for (row, rank) in (0..B::RANKS).rev().zip(ranks) {
        let mut file = 0;
        let mut promoted = false;
        for letter in rank.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|&empty| empty > 0 && !promoted) {
                file += empty as u8;
            } else if letter == '+' && !promoted {
                promoted = true;
            } else {
                let kind = parse_kind::<B>(letter).filter(|kind| !promoted || kind.promoted().is_some());
                let kind =
                    kind.ok_or_else(|| bad(format!("'{letter}' in rank '{rank}' is no piece here")))?;
                if file >= B::FILES {
                    return Err(bad(format!("rank '{rank}' has more than {} files", B::FILES)));
                }
                let kind = kind.promoted().filter(|_| promoted).unwrap_or(kind);
                position.put(side_of(letter), kind, ShogiSquare::new(file, row));
                promoted = false;
                file += 1;
            }
            if file > B::FILES {
                return Err(bad(format!("rank '{rank}' has more than {} files", B::FILES)));
            }
        }
        if promoted {
            return Err(bad(format!("rank '{rank}' ends in '+'")));
        }
        if file < B::FILES {
            return Err(bad(format!("rank '{rank}' has {file} files, not {}", B::FILES)));
        }
    }
    Ok(position)
}

/// The kind of this letter, if the game has it.
fn parse_kind<B: ShogiBoard>(letter: char) -> Option<ShogiKind> {
    ShogiKind::from_letter(letter).filter(|kind| B::SET[kind.index()] > 0)
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

/// Reads the hands of both sides, `-` or letters: one for each piece (FEN), or with a count before (SFEN).
fn parse_hands<B: ShogiBoard>(position: &mut Position<B>, text: &str) -> Result<(), ParseError> {
    let bad = |why: String| ParseError::new("hand", text, why);
    if text == "-" {
        return Ok(());
    }
    let mut count = 0;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            count = 10 * count + digit as u8;
            if count == 0 || count > 18 {
                return Err(bad("a count is not in 1 to 18".to_owned()));
            }
            continue;
        }
        let kind = parse_kind::<B>(letter).filter(|&kind| kind != ShogiKind::King);
        let kind = kind.ok_or_else(|| bad(format!("'{letter}' cannot be held")))?;
        let side = side_of(letter);
        let held = position.hands[side.index()].count(kind) + count.max(1);
        if usize::from(held) > MOST {
            return Err(bad(format!("more than {MOST} of '{letter}'")));
        }
        position.set_hand(side, kind, held);
        count = 0;
    }
    if count > 0 {
        return Err(bad("it ends in a count".to_owned()));
    }
    Ok(())
}

fn parse_side(text: &str, [first, second]: [&str; 2]) -> Result<Side, ParseError> {
    match text {
        _ if text == first => Ok(Side::First),
        _ if text == second => Ok(Side::Second),
        _ => Err(ParseError::new("side to move", text, format!("it is neither '{first}' nor '{second}'"))),
    }
}

/// Counters are small, so that adding the plies of any game to them cannot overflow. Those that a game reaches
/// beyond that are written as the greatest.
fn parse_counter(text: &str) -> Result<u32, ParseError> {
    let number: u16 =
        text.parse().map_err(|_| ParseError::new("counter", text, "it is not a number in 0 to 65535"))?;
    Ok(number.into())
}

/// Refuses positions that no game can go on from, or that have more pieces than a set.
fn check<B: ShogiBoard>(setting: &Setting<B>, text: &str) -> Result<(), ParseError> {
    let position = &setting.position;
    check_kings(setting).map_err(|why| ParseError::new("board", text, why))?;
    for kind in ShogiKind::HAND {
        let total = total(position, kind);
        if total > MOST as u32 {
            let why = format!("it has {total} of '{}', more than {MOST}", kind.letter());
            return Err(ParseError::new("FEN", text, why));
        }
    }
    let (all, set) = (
        ShogiKind::HAND.map(|kind| total(position, kind)).iter().sum::<u32>(),
        ShogiKind::HAND.map(|kind| u32::from(B::SET[kind.index()])).iter().sum::<u32>(),
    );
    if all > set {
        let why = format!("it has {all} pieces beside the kings, more than the {set} of a set");
        return Err(ParseError::new("FEN", text, why));
    }
    let (waiting, occupied) = (position.kings[(!position.side).index()], position.occupied());
    let in_check = match position.side {
        Side::First => position.is_attacked::<First>(waiting, occupied),
        Side::Second => position.is_attacked::<Second>(waiting, occupied),
    };
    if in_check {
        return Err(ParseError::new("FEN", text, "the side that is not to move is in check"));
    }
    Ok(())
}

/// Pieces of a kind, on the board, promoted or not, and in hands.
fn total<B: ShogiBoard>(position: &Position<B>, kind: ShogiKind) -> u32 {
    let held = position.hands.iter().map(|hand| u32::from(hand.count(kind))).sum::<u32>();
    position.kinds[kind.index()].count() + held
}

/// One king for each side, or none for the attacker of a problem; else what is wrong.
///
/// The attacker is the side to move. Once moves were played, or in check, it is the side that waits: then the position is
/// one from the middle of a problem.
fn check_kings<B: ShogiBoard>(setting: &Setting<B>) -> Result<(), String> {
    let Setting { position, plies, .. } = setting;
    let missing = |side| format!("it has 0 of '{}'", ShogiKind::King.letter_of(side));
    let kings = |side: Side| (position.sides[side.index()] & position.kinds[ShogiKind::King.index()]).count();
    let sides = [Side::First, Side::Second];
    if let Some(side) = sides.into_iter().find(|&side| kings(side) > 1) {
        return Err(format!("it has {} of '{}'", kings(side), ShogiKind::King.letter_of(side)));
    }
    let (mover, waiting) = (position.side, !position.side);
    match (kings(mover), kings(waiting)) {
        (0, 0) => Err(format!("{}, and none of the other side's", missing(waiting))),
        (1, 0) if *plies == 0 && position.checkers.is_empty() => {
            Err(format!("{}: in a problem only the side that is to mate may lack its king", missing(waiting)))
        }
        _ => Ok(()),
    }
}

/// What no game from the start can lead to, in words.
pub(super) fn unusual<B: ShogiBoard>(position: &Position<B>) -> Option<String> {
    let too_many = ShogiKind::HAND.into_iter().find_map(|kind| {
        let (total, set) = (total(position, kind), u32::from(B::SET[kind.index()]));
        (total > set).then(|| format!("it has {total} of '{}', a set has {set}", kind.letter()))
    });
    let sides = [Side::First, Side::Second];
    let kingless = sides.into_iter().find(|side| position.kings[side.index()] == B::NOWHERE);
    let no_king = || kingless.map(|side| format!("it has no '{}'", ShogiKind::King.letter_of(side)));
    let place = || sides.into_iter().find_map(|side| unusual_place(position, side));
    too_many.or_else(no_king).or_else(place)
}

/// A piece of `side` that can never move, or two pawns on a file.
fn unusual_place<B: ShogiBoard>(position: &Position<B>, side: Side) -> Option<String> {
    let own = position.sides[side.index()];
    let unpromoted = |kind| own & position.unpromoted(kind);
    let pawns = unpromoted(ShogiKind::Pawn);
    let dead = ((unpromoted(ShogiKind::Lance) | pawns) & B::TABLES.last_rank[side.index()])
        | (unpromoted(ShogiKind::Knight) & B::TABLES.last_ranks[side.index()]);
    if let Some(square) = dead.squares().next() {
        return Some(format!("'{}' on {square} can never move", position.kind_on(square).letter_of(side)));
    }
    // Squares are counted file by file.
    let mut pairs = pawns.squares().zip(pawns.squares().skip(1));
    let (pawn, next) = pairs.find(|(pawn, next)| pawn.file() == next.file())?;
    Some(format!("'{}' on {pawn} and {next}: two on a file", ShogiKind::Pawn.letter_of(side)))
}

/// Writes a FEN, `plies` after the start of the game.
pub(super) fn write<B: ShogiBoard>(position: &Position<B>, clock: u32, plies: u32) -> String {
    let mut text = String::new();
    for rank in (0..B::RANKS).rev() {
        let mut empty = 0;
        for file in 0..B::FILES {
            let Some((side, kind)) = position.piece_on(ShogiSquare::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            if kind.is_promoted() {
                text.push('+');
            }
            text.push(kind.letter_of(side));
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text.push(if rank > 0 { '/' } else { '[' });
    }
    for side in [Side::First, Side::Second] {
        for kind in HAND_ORDER {
            for _ in 0..position.hands[side.index()].count(kind) {
                text.push(kind.letter_of(side));
            }
        }
    }
    let side = ["w", "b"][position.side.index()];
    let [clock, number] = [clock, plies / 2 + 1].map(|counter| counter.min(u16::MAX.into()));
    text + &format!("] {side} - - {clock} {number}")
}
