//! Lines along files and ranks, and what stands beside a square.
//!
//! A ray towards larger indices ends at the lowest occupied bit, which a subtraction finds: `o ^ (o - 1)`. A ray
//! to the left ends at the highest one; two squares of one rank never share a byte, so reversing the *bytes* of
//! the word reverses their order and the same subtraction serves (the byte reversal is the idea of
//! Mizar's "Qugiy" bitboards, 2021). The file downwards fits into a small word, whose highest bit is counted.

use super::square::{FILES, PalaceSquare, SQUARES, STRIDE, Set};

/// The squares from a square to the edge of the largest board: up, right, left.
struct Rays {
    up: [u128; SQUARES],
    right: [u128; SQUARES],
    /// With its bytes reversed.
    left_flipped: [u128; SQUARES],
    /// All directions.
    cross: [u128; SQUARES],
}

static RAYS: Rays = rays();

const fn ray(from: usize, file_step: i8, rank_step: i8) -> u128 {
    let square = PalaceSquare::from_index(from);
    let (mut file, mut rank) = (square.file() as i8 + file_step, square.rank() as i8 + rank_step);
    let mut set = 0;
    while file >= 0 && rank >= 0 && file < FILES as i8 && rank < STRIDE as i8 {
        set |= 1 << PalaceSquare::new(file as u8, rank as u8).index();
        file += file_step;
        rank += rank_step;
    }
    set
}

const fn rays() -> Rays {
    let mut rays =
        Rays { up: [0; SQUARES], right: [0; SQUARES], left_flipped: [0; SQUARES], cross: [0; SQUARES] };
    let mut from = 0;
    while from < SQUARES {
        let left = ray(from, -1, 0);
        rays.up[from] = ray(from, 0, 1);
        rays.right[from] = ray(from, 1, 0);
        rays.left_flipped[from] = left.swap_bytes();
        rays.cross[from] = rays.up[from] | rays.right[from] | left | ray(from, 0, -1);
        from += 1;
    }
    rays
}

/// The ray up to and including the first occupied square, where bits count away from its start.
#[inline(always)]
fn until_first(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    ray & (blockers ^ blockers.wrapping_sub(1))
}

/// The squares below one on its file, as the low bits of a word.
struct Below {
    /// The index of the file's lowest square.
    start: u32,
    rank: u32,
    /// The occupied ones.
    blockers: u32,
}

impl Below {
    #[inline(always)]
    fn new(from: usize, occupied: u128) -> Below {
        let rank = from as u32 % u32::from(STRIDE);
        let start = from as u32 - rank;
        Below { start, rank, blockers: (occupied >> start) as u32 & ((1 << rank) - 1) }
    }

    /// Those from `lowest` on, a single bit.
    #[inline(always)]
    fn above(&self, lowest: u32) -> u32 {
        (1 << self.rank) - lowest
    }

    /// The squares of these bits.
    #[inline(always)]
    fn set(&self, bits: u32) -> u128 {
        u128::from(bits) << self.start
    }
}

/// The highest bit of a number above zero, alone.
#[inline(always)]
fn highest(bits: u32) -> u32 {
    1 << bits.ilog2()
}

/// The squares of the file and the rank of `square`, without it.
#[inline(always)]
pub fn cross(square: PalaceSquare) -> Set {
    Set(RAYS.cross[square.index()])
}

/// The squares that a rook on `from` reaches on the largest board; the first occupied one of each direction
/// belongs to them.
#[inline(always)]
pub fn rook(from: PalaceSquare, occupied: Set) -> Set {
    let (from, occupied) = (from.index(), occupied.0);
    let up = until_first(RAYS.up[from], occupied);
    let right = until_first(RAYS.right[from], occupied);
    let left = until_first(RAYS.left_flipped[from], occupied.swap_bytes()).swap_bytes();
    let below = Below::new(from, occupied);
    // Without a blocker the lowest square is the last one, too.
    let first = highest(below.blockers | 1);
    Set(up | right | left | below.set(below.above(first)))
}

/// The squares to which a cannon of xiangqi on `from` may go: the empty ones that a rook reaches, and in each
/// direction the second occupied one.
#[inline(always)]
pub fn cannon(from: PalaceSquare, occupied: Set) -> Set {
    let (from, occupied) = (from.index(), occupied.0);
    let up = cannon_ray(RAYS.up[from], occupied);
    let right = cannon_ray(RAYS.right[from], occupied);
    let left = cannon_ray(RAYS.left_flipped[from], occupied.swap_bytes()).swap_bytes();
    let below = Below::new(from, occupied);
    let first = highest(below.blockers | 1);
    let rest = below.blockers & !first;
    let second = highest(rest | 1) & rest;
    let down = below.set(below.above(first) & !below.blockers | second);
    Set(up | right | left | down)
}

/// The same along a ray, where bits count away from its start.
#[inline(always)]
fn cannon_ray(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    let below = blockers.wrapping_sub(1);
    let rest = blockers & below;
    ray & below & !blockers | rest & rest.wrapping_neg()
}

/// The squares strictly between two squares of one line; none where they share no line.
#[inline(always)]
pub const fn between(a: PalaceSquare, b: PalaceSquare) -> Set {
    Set(BETWEEN[a.index()][b.index()])
}

/// Which of the four squares next to `square` are occupied, as an index below 16.
#[inline(always)]
pub const fn orthogonal_blockers(square: usize, occupied: u128) -> usize {
    // Those to the left, below, above and to the right become bits 0, 9, 11 and 20, which the product gathers
    // at the top.
    let window = ((occupied << 10) >> square) as u32 & (1 | 1 << 9 | 1 << 11 | 1 << 20);
    (window.wrapping_mul(1 << 28 | 1 << 20 | 1 << 10) >> 28) as usize
}

static BETWEEN: [[u128; SQUARES]; SQUARES] = between_table();

const fn between_table() -> [[u128; SQUARES]; SQUARES] {
    const STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let mut table = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < STEPS.len() {
            let (file_step, rank_step) = STEPS[direction];
            let mut rest = ray(from, file_step, rank_step);
            let whole = rest;
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                table[from][to] = whole & ray(to, -file_step, -rank_step);
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

    /// The squares reached step by step: those before and on the first piece, and those behind it.
    fn walk(from: PalaceSquare, occupied: Set) -> [Set; 2] {
        let mut reached = [Set::EMPTY; 2];
        for (file_step, rank_step) in STEPS {
            let (mut file, mut rank) = (from.file() as i8, from.rank() as i8);
            let mut pieces = 0;
            while pieces < 2 {
                (file, rank) = (file + file_step, rank + rank_step);
                if !(0..FILES as i8).contains(&file) || !(0..STRIDE as i8).contains(&rank) {
                    break;
                }
                let square = PalaceSquare::new(file as u8, rank as u8);
                reached[pieces] |= Set::of(square);
                pieces += usize::from(occupied.contains(square));
            }
        }
        reached
    }

    fn random_sets() -> impl Iterator<Item = Set> {
        let word = |seed: u64| seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        let wide = move |seed: u64| u128::from(word(seed)) << 64 | u128::from(word(seed + 7777));
        (0..200).map(move |seed| Set(wide(seed) & wide(seed + 1000) & ((1 << SQUARES) - 1)))
    }

    #[test]
    fn lines_reach_what_a_walk_reaches() {
        for from in (0..SQUARES).map(PalaceSquare::from_index) {
            for occupied in random_sets() {
                let [open, behind] = walk(from, occupied);
                assert_eq!(rook(from, occupied), open, "{from} {occupied:?}");
                let moves = open & !occupied | behind & occupied;
                assert_eq!(cannon(from, occupied), moves, "{from} {occupied:?}");
            }
            assert_eq!(cross(from), walk(from, Set::EMPTY)[0]);
        }
    }

    #[test]
    fn between_is_what_hides_one_from_the_other() {
        for a in (0..SQUARES).map(PalaceSquare::from_index) {
            for b in (0..SQUARES).map(PalaceSquare::from_index) {
                let is_line = cross(a).contains(b);
                let common = rook(a, Set::of(b)) & rook(b, Set::of(a)) & cross(a) & cross(b);
                let same_line: Set = common
                    .squares()
                    .filter(|s| {
                        (s.file() == a.file() && s.file() == b.file())
                            || (s.rank() == a.rank() && s.rank() == b.rank())
                    })
                    .filter(|&s| s != a && s != b)
                    .collect();
                assert_eq!(between(a, b), if is_line { same_line } else { Set::EMPTY }, "{a} {b}");
            }
        }
    }
}
