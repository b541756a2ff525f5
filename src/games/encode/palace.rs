//! What the encodings of janggi and xiangqi share: how a move's direction becomes a plane.
//!
//! A policy index is `move plane * squares + destination`. The destination and the direction name a move
//! without its origin: along a line only the nearest piece can come, but for a cannon, which jumps and has
//! planes of its own.
//!
//! | plane of a direction | the piece goes |
//! | --- | --- |
//! | 0-1 | forward, backward; any distance |
//! | 2-3 | left, right |
//! | 4-7 | diagonally: forward to the left, to the right, backward to the left, to the right |
//! | 8-11 | a jump, farther along the file than along the rank: in the same order |
//! | 12-15 | a jump, farther along the rank |

use super::view::Offset;
use crate::games::rules::{Point, palace::PalaceSquare};

/// Straight directions: the first planes.
pub const STRAIGHT: usize = 4;
/// Straight and diagonal directions.
pub const LINES: usize = 8;
/// The first plane of a jump.
pub const JUMPS: usize = 8;
/// Directions altogether.
pub const DIRECTIONS: usize = 16;

/// The plane of a direction; the step goes somewhere.
pub fn direction(Offset { right, forward }: Offset) -> usize {
    let (to_right, backward) = (usize::from(right > 0), usize::from(forward < 0));
    match (right.abs(), forward.abs()) {
        (0, _) => backward,
        (_, 0) => 2 + to_right,
        (files, ranks) if files == ranks => 4 + 2 * backward + to_right,
        (files, ranks) => 8 + 4 * usize::from(files > ranks) + 2 * backward + to_right,
    }
}

/// The direction that `direction` becomes when left and right are swapped.
pub fn mirror(direction: usize) -> usize {
    if direction < 2 { direction } else { direction ^ 1 }
}

/// The square for a view.
pub fn place(square: PalaceSquare) -> Point {
    Point { file: square.file(), rank: square.rank() }
}

/// Plies without a capture as a share of the limit; 0 without one.
pub fn spent(clock: u32, limit: Option<u32>) -> f32 {
    limit.map_or(0.0, |limit| (clock as f32 / limit as f32).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_distinct_and_swap_with_their_mirrors() {
        let jumps = [(1, 2), (2, 1), (2, 3), (3, 2)];
        let mut seen = [0; DIRECTIONS];
        for (files, ranks) in [(0, 1), (0, 7), (1, 0), (5, 0), (1, 1), (2, 2)].into_iter().chain(jumps) {
            for (right, forward) in [(files, ranks), (-files, ranks), (files, -ranks), (-files, -ranks)] {
                let plane = direction(Offset { right, forward });
                assert_eq!(mirror(plane), direction(Offset { right: -right, forward }));
                seen[plane] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count >= 2), "{seen:?}");
    }
}
