//! The one encoding of the shogi family: shogi, minishogi and dobutsu.
//!
//! All three games have the same planes, scalars and move planes, and only the board differs, so that a
//! network trained on one can start on another. Everything is seen by the side to move: the board is turned
//! by 180 degrees for the second player, and left and right are swapped if [`view::mirrored`](super::view::mirrored) says
//! so.
//!
//! # Planes
//!
//! | plane | a feature on a square means |
//! | --- | --- |
//! | 0-7 | an own P, L, N, S, G, B, R, K stands there |
//! | 8-13 | an own +P, +L, +N, +S, +B, +R |
//! | 14-27 | the same of the opponent |
//!
//! A side without a king, as the attacker of a shogi problem is, has no K: it stands nowhere, has not entered, and the other
//! king alone says whether left and right are swapped.
//!
//! Dobutsu's chick is a P, the hen +P, the elephant B, the giraffe R, the lion K: each steps where its
//! namesake does or starts to.
//!
//! # Scalars
//!
//! | scalar | is |
//! | --- | --- |
//! | 0-3 | own P in hand: 1 or more, 2 or more, 3 or more, count / 18 |
//! | 4-15 | own L, N, S, G in hand, for each: 1 or more, 2 or more, count / 4 |
//! | 16-19 | own B, R in hand, for each: 1 or more, 2 or more |
//! | 20-39 | the same of the opponent |
//! | 40-41 | the position occurred before: once or more, twice or more (a third time ends every game) |
//! | 42 | the side to move is in check |
//! | 43 | the side to move is the first player |
//! | 44 | plies without check, capture or promotion / 20, where the rule set counts them |
//! | 45-46 | points for entering / 28, at most 1, where the rule set counts them: own, the opponent's |
//! | 47-48 | the king stands in the zone where such points count: own, the opponent's |
//! | 49-54 | the rule set: shogi `csa27`, `jsa24`, `stouten1990`, minishogi, dobutsu `standard`, `threefold` |
//!
//! # Moves
//!
//! A policy index is `move plane * squares + destination`. The destination and the direction name a move
//! without its origin: along a line, only the nearest piece can come (as in dlshogi).
//!
//! | move plane | the piece goes |
//! | --- | --- |
//! | 0-2 | forward to the left, forward, forward to the right; any distance |
//! | 3-4 | left, right |
//! | 5-7 | backward to the left, backward, backward to the right |
//! | 8-9 | a knight's jump to the left, to the right |
//! | 10-19 | the same, and promotes |
//! | 20-26 | from the hand: P, L, N, S, G, B, R |

use super::view::{Offset, View, flag};
use crate::games::rules::{GameId, Point, RuleSet, Side};

/// The version of the tables above.
pub const VERSION: u32 = 2;
/// Nets of version 1, which did not mirror the board, saw all positions both ways in training.
pub const OLDEST_USABLE: u32 = 1;
/// Kinds of pieces: P, L, N, S, G, B, R, K, +P, +L, +N, +S, +B, +R.
pub const KINDS: usize = 14;
/// Feature planes: own pieces, then the opponent's.
pub const PLANES: usize = 2 * KINDS;
/// Kinds that a hand holds: P, L, N, S, G, B, R.
pub const HAND_KINDS: usize = 7;
/// Scalars beside the planes.
pub const SCALARS: usize = 55;
/// Directions in which a piece can come.
const DIRECTIONS: usize = 10;
/// Move planes: directions, directions with promotion, drops.
pub const MOVE_PLANES: usize = 2 * DIRECTIONS + HAND_KINDS;

/// Plies without progress at which `stouten1990` counts out an impasse.
const QUIET_PLIES: f32 = 20.0;
/// Points that win a declaration for the first player in `csa27`.
const DECLARING_POINTS: f32 = 28.0;

/// Every rule set of the family, in the order of their flags.
const RULE_SETS: [(GameId, RuleSet); 6] = [
    (GameId::Shogi, RuleSet::Csa27),
    (GameId::Shogi, RuleSet::Jsa24),
    (GameId::Shogi, RuleSet::Stouten1990),
    (GameId::Minishogi, RuleSet::Standard),
    (GameId::Dobutsu, RuleSet::Standard),
    (GameId::Dobutsu, RuleSet::Threefold),
];

/// What a position is beside its board, for the scalars. Pairs hold the mover's own first.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The game and its rule set.
    pub rules: (GameId, RuleSet),
    /// Whose turn it is.
    pub mover: Side,
    /// P, L, N, S, G, B, R in hand.
    pub hands: [[u8; HAND_KINDS]; 2],
    /// How often the position occurred, now included.
    pub occurrences: u8,
    /// Whether the mover is in check.
    pub check: bool,
    /// Plies without check, capture or promotion; 0 where the rules do not count them.
    pub quiet_plies: u32,
    /// Points for entering; 0 where the rules do not count them.
    pub points: [u32; 2],
    /// Whether the king stands where such points count.
    pub entered: [bool; 2],
}

impl Situation {
    /// Appends the [`SCALARS`] numbers to `out`.
    pub fn write(&self, out: &mut Vec<f32>) {
        self.hands.iter().for_each(|hand| out.extend_from_slice(&hand_scalars(hand)));
        let [points, enemy_points] = self.points.map(|points| full(points as f32 / DECLARING_POINTS));
        let [entered, enemy_entered] = self.entered.map(flag);
        out.extend_from_slice(&[
            flag(self.occurrences >= 2),
            flag(self.occurrences >= 3),
            flag(self.check),
            flag(self.mover == Side::First),
            full(self.quiet_plies as f32 / QUIET_PLIES),
            points,
            enemy_points,
            entered,
            enemy_entered,
        ]);
        out.extend_from_slice(&RULE_SETS.map(|rules| flag(rules == self.rules)));
    }
}

/// What a hand is in the scalars: pawns, then lances, knights, silvers and golds, then bishops and rooks.
fn hand_scalars(hand: &[u8; HAND_KINDS]) -> [f32; 20] {
    let [pawns, lances, knights, silvers, golds, bishops, rooks] = hand.map(f32::from);
    let (one, two, three) = (|n| flag(n >= 1.0), |n| flag(n >= 2.0), |n| flag(n >= 3.0));
    let quarter = |n: f32| full(n / 4.0);
    [
        one(pawns),
        two(pawns),
        three(pawns),
        full(pawns / 18.0),
        one(lances),
        two(lances),
        quarter(lances),
        one(knights),
        two(knights),
        quarter(knights),
        one(silvers),
        two(silvers),
        quarter(silvers),
        one(golds),
        two(golds),
        quarter(golds),
        one(bishops),
        two(bishops),
        one(rooks),
        two(rooks),
    ]
}

/// At most 1.
fn full(share: f32) -> f32 {
    share.min(1.0)
}

/// The policy index of a move on the board.
pub fn board_move(view: &View, from: Point, to: Point, promotes: bool) -> usize {
    let promotion = if promotes { DIRECTIONS } else { 0 };
    view.policy_index(direction(view.step(from, to)) + promotion, to)
}

/// The policy index of a drop of `kind`, in `0..HAND_KINDS`.
pub fn drop(view: &View, kind: usize, to: Point) -> usize {
    view.policy_index(2 * DIRECTIONS + kind, to)
}

/// The move plane, in `0..DIRECTIONS`, of a piece that goes so.
fn direction(Offset { right, forward }: Offset) -> usize {
    let (row, column) = ((forward + FARTHEST) as usize, (right + FARTHEST) as usize);
    BY_STEP[row][column].into()
}

/// How far a piece goes in any direction, at most.
const FARTHEST: isize = 8;

/// By step: ranks forward, then files to the right, both from the longest step back. It is asked of every legal move.
const BY_STEP: [[u8; STEPS]; STEPS] = {
    let mut table = [[0; STEPS]; STEPS];
    let mut i = 0;
    while i < STEPS * STEPS {
        let (row, column) = (i / STEPS, i % STEPS);
        table[row][column] = toward(column as isize - FARTHEST, row as isize - FARTHEST);
        i += 1;
    }
    table
};

/// Steps along a rank or a file.
const STEPS: usize = 2 * FARTHEST as usize + 1;

/// The direction of a step.
const fn toward(right: isize, forward: isize) -> u8 {
    let is_jump = right.abs() == 1 && forward == 2;
    match (forward.signum(), right.signum()) {
        (1, -1) if is_jump => 8,
        (1, 1) if is_jump => 9,
        (1, right) => (1 + right) as u8,
        (0, -1) => 3,
        (0, _) => 4,
        (_, right) => (6 + right) as u8,
    }
}

/// The move plane that `plane` becomes when left and right are swapped.
pub fn mirror_move_plane(plane: usize) -> usize {
    const MIRRORED: [usize; DIRECTIONS] = [2, 1, 0, 4, 3, 7, 6, 5, 9, 8];
    if plane < 2 * DIRECTIONS {
        plane / DIRECTIONS * DIRECTIONS + MIRRORED[plane % DIRECTIONS]
    } else {
        plane
    }
}
