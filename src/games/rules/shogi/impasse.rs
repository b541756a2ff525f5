//! Entering kings: points, declarations (nyugyoku), and the impasse of the 1990 text.

use super::{ShogiKind, boards::ShogiBoard, piece::Hand, position::Position, square::Bits};
use crate::games::rules::{Declaration, Outcome, Reason, RuleSet, Side, Verdict};

/// What one side has in its promotion zone, as the declarations count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entering {
    /// Whether its king stands in the zone.
    pub king: bool,
    /// Its other pieces in the zone.
    pub pieces: u32,
    /// The points of those and of its hand: 5 for a bishop or a rook, promoted or not, 1 for any other. In a handicap
    /// game the giver has those of the pieces given, too.
    pub points: u32,
}

/// Pieces beside the king that a declaration needs in the zone.
const PIECES_NEEDED: u32 = 10;
/// Points that the 27-point rule asks of the first and of the second player: one more than half for the side
/// that moves first.
const CSA_WIN: [u32; 2] = [28, 27];
/// Points that win under the 24-point rule.
const JSA_WIN: u32 = 31;
/// Points that draw under the 24-point rule.
const JSA_DRAW: u32 = 24;
/// Points without which a side loses the impasse of the 1990 text.
const STOUTEN_DRAW: u32 = 24;
/// Plies without check, capture or promotion after which the 1990 text's "cannot be checked" is taken as
/// given; the text leaves it to the players.
const STOUTEN_PLIES: u32 = 20;

/// The points of `side`'s pieces within `squares` and in its hand.
fn points<B: ShogiBoard>(position: &Position<B>, side: Side, squares: B::Bits) -> u32 {
    let own = position.sides[side.index()] & squares;
    let great = position.kinds[ShogiKind::Bishop.index()] | position.kinds[ShogiKind::Rook.index()];
    let small = own & !great & !position.kinds[ShogiKind::King.index()];
    let hand = &position.hands[side.index()];
    let held = ShogiKind::HAND.into_iter().map(|kind| match kind {
        ShogiKind::Bishop | ShogiKind::Rook => 5 * u32::from(hand.count(kind)),
        _ => u32::from(hand.count(kind)),
    });
    5 * (own & great).count() + small.count() + held.sum::<u32>()
}

/// Whether the king of `side` stands in its promotion zone.
fn king_entered<B: ShogiBoard>(position: &Position<B>, side: Side) -> bool {
    let king = B::Bits::of(position.kings[side.index()]);
    !(king & B::TABLES.zone[side.index()]).is_empty()
}

/// The points of the pieces that the second player gives in a handicap game that begins, or goes on without a capture,
/// at `position`: nobody holds a piece, the first player has its whole set, and the second has not.
///
/// The giver counts them for its declaration, as if it still had them (ShogiHome, issue 589; YaneuraOu's `CSARule27H`).
pub(super) fn given<B: ShogiBoard>(position: &Position<B>) -> u32 {
    let counts = |side: Side| position.kinds.map(|kind| 2 * (kind & position.sides[side.index()]).count());
    let set = B::SET.map(u32::from);
    if position.hands != [Hand::default(); 2] || counts(Side::First) != set {
        return 0;
    }
    let has = |side| points(position, side, B::TABLES.board);
    has(Side::First).saturating_sub(has(Side::Second))
}

/// What `side` has in its promotion zone, where the second player has given so many points.
pub(super) fn entering<B: ShogiBoard>(position: &Position<B>, side: Side, given: u32) -> Entering {
    let zone = B::TABLES.zone[side.index()];
    let king = king_entered(position, side);
    let pieces = (position.sides[side.index()] & zone).count() - u32::from(king);
    let given = if side == Side::Second { given } else { 0 };
    Entering { king, pieces, points: points(position, side, zone) + given }
}

/// What a declaration by the side to move gives under `rules`.
pub(super) fn declaration<B: ShogiBoard>(
    position: &Position<B>,
    rules: RuleSet,
    given: u32,
) -> Option<Declaration> {
    let is_checked = !position.checkers.is_empty();
    if is_checked { None } else { unchecked_declaration(position, position.side, rules, given) }
}

/// What a declaration by `side` gives under `rules` when it is to move and not in check.
pub(super) fn unchecked_declaration<B: ShogiBoard>(
    position: &Position<B>,
    side: Side,
    rules: RuleSet,
    given: u32,
) -> Option<Declaration> {
    if !matches!(rules, RuleSet::Csa27 | RuleSet::Jsa24) || !king_entered(position, side) {
        return None;
    }
    let entering = entering(position, side, given);
    if entering.pieces < PIECES_NEEDED {
        return None;
    }
    match rules {
        RuleSet::Csa27 if entering.points >= CSA_WIN[side.index()] => Some(Declaration::Win),
        RuleSet::Jsa24 if entering.points >= JSA_WIN => Some(Declaration::Win),
        RuleSet::Jsa24 if entering.points >= JSA_DRAW => Some(Declaration::Draw),
        _ => None,
    }
}

/// Whether the 1990 text may have its verdict after the next ply, by the enemy of `enemy`.
pub(super) fn impasse_is_near<B: ShogiBoard>(position: &Position<B>, enemy: Side, quiet: u32) -> bool {
    quiet + 1 >= STOUTEN_PLIES && king_entered(position, enemy)
}

/// The verdict of the 1990 text once both kings have entered and `quiet` plies have gone by without check,
/// capture or promotion. A side with fewer than 24 points loses; where both have fewer, which takes a
/// position with pieces missing, neither does. The second player has the points that it has given, too.
pub(super) fn impasse<B: ShogiBoard>(position: &Position<B>, quiet: u32, given: u32) -> Option<Outcome> {
    let entered = [Side::First, Side::Second].into_iter().all(|side| king_entered(position, side));
    if quiet < STOUTEN_PLIES || !entered {
        return None;
    }
    let points = [(Side::First, 0), (Side::Second, given)];
    let points = points.map(|(side, given)| self::points(position, side, B::TABLES.board) + given);
    let verdict = match points.map(|points| points >= STOUTEN_DRAW) {
        [true, false] => Verdict::Win(Side::First),
        [false, true] => Verdict::Win(Side::Second),
        _ => Verdict::Draw,
    };
    Some(Outcome { verdict, reason: Reason::Impasse, points: Some(points.map(|points| points as f32)) })
}
