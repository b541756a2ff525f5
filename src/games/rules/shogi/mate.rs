//! Whether a dropped pawn mates (uchifuzume), which makes the drop illegal.

use super::{ShogiSquare, boards::ShogiBoard, position::Position, square::Bits};
use crate::games::rules::mover::Mover;

/// Whether a pawn that `M`, the side to move, drops on the empty `square` in front of the enemy's king
/// mates it. Being next to the king, the pawn cannot be shut off: it must be taken, or the king must go.
#[cold]
pub(super) fn pawn_drop_mates<B: ShogiBoard, M: Mover>(position: &Position<B>, square: ShogiSquare) -> bool {
    let pawn = B::Bits::of(square);
    !king_escapes::<B, M>(position, pawn) && !can_be_taken::<B, M>(position, square)
}

/// Whether the enemy's king has a square to go to, that of the pawn included.
fn king_escapes<B: ShogiBoard, M: Mover>(position: &Position<B>, pawn: B::Bits) -> bool {
    let king = position.kings[M::Enemy::INDEX];
    let occupied = (position.occupied() & !B::Bits::of(king)) | pawn;
    let flights = B::TABLES.king[king.index()] & !position.sides[M::Enemy::INDEX];
    flights.squares().any(|flight| !position.is_attacked::<M>(flight, occupied))
}

/// Whether a piece other than the king can take the pawn on `square` without baring its king to a slider.
fn can_be_taken<B: ShogiBoard, M: Mover>(position: &Position<B>, square: ShogiSquare) -> bool {
    let king = position.kings[M::Enemy::INDEX];
    let takers = position.attackers::<M::Enemy>(square, position.occupied()) & !B::Bits::of(king);
    takers.squares().any(|taker| {
        let occupied = (position.occupied() & !B::Bits::of(taker)) | B::Bits::of(square);
        !position.slider_attacks::<M>(king, occupied)
    })
}
