//! Numbers for the positions of dobutsu shogi: every way to lay the eight pieces on the board or into hands, as the side to
//! move sees it, has its own, and there are no others.
//!
//! A number is made of the squares of both lions, of how many giraffes, elephants and chicks stand on the board, and of the
//! places of each of these kinds among the squares that the kinds before it left free.

use sanki::games::rules::{
    Game, Side,
    dobutsu::{ALL, Dobutsu, Kind, Position, SQUARES, squares},
};

const FILES: usize = Dobutsu::FILES;
/// The places of two lions.
const LIONS: u32 = (SQUARES * (SQUARES - 1)) as u32;
/// The kinds of which there are two pieces, and in how many ways one can lie on a square: whose it is, and whether a chick is
/// a hen.
const PAIRS: [(Kind, u32); 3] = [(Kind::Giraffe, 2), (Kind::Elephant, 2), (Kind::Chick, 4)];
/// Squares without a lion.
const FREE: u32 = (SQUARES - 2) as u32;
/// How many of each kind of [`PAIRS`] may stand on the board: none, one or two.
const ON_BOARD: usize = 3;

/// The ways to lay two pieces of a kind, `on_board` of them on `free` squares, in `ways` ways each.
const fn lay_count(on_board: usize, free: u32, ways: u32) -> u32 {
    match on_board {
        0 => 3,
        1 => free * ways * 2,
        _ => free * (free - 1) / 2 * ways * ways,
    }
}

/// In how many ways each kind of [`PAIRS`] lies there, with `counts` of them on the board.
const fn sizes(counts: [usize; 3]) -> [u32; 3] {
    let (mut sizes, mut free, mut i) = ([0; 3], FREE, 0);
    while i < 3 {
        sizes[i] = lay_count(counts[i], free, PAIRS[i].1);
        free -= counts[i] as u32;
        i += 1;
    }
    sizes
}

/// Where the numbers for each count begin, and in the end how many numbers there are for one place of the lions.
const STARTS: [u32; ON_BOARD.pow(3) + 1] = {
    let (mut starts, mut i) = ([0; ON_BOARD.pow(3) + 1], 0);
    while i < ON_BOARD.pow(3) {
        let [a, b, c] = sizes(counts_of(i));
        starts[i + 1] = starts[i] + a * b * c;
        i += 1;
    }
    starts
};

/// How many of each kind of [`PAIRS`] are on the board in a block of numbers.
const fn counts_of(block: usize) -> [usize; 3] {
    [block / ON_BOARD / ON_BOARD, block / ON_BOARD % ON_BOARD, block % ON_BOARD]
}

/// How many numbers there are: 1,567,925,964.
pub const NUMBERS: u32 = LIONS * STARTS[ON_BOARD.pow(3)];

/// The board as the side to move sees it, and the mirror image of that: where a square lies.
const VIEWS: [[[u8; SQUARES]; 2]; 2] = {
    let (mut views, mut i) = ([[[0; SQUARES]; 2]; 2], 0);
    while i < 4 * SQUARES {
        let (side, mirrored, square) = (i / 2 / SQUARES, i / SQUARES % 2, i % SQUARES);
        let turned = if side == 1 { SQUARES - 1 - square } else { square };
        let seen = if mirrored == 1 { turned / FILES * FILES + FILES - 1 - turned % FILES } else { turned };
        views[side][mirrored][square] = seen as u8;
        i += 1;
    }
    views
};

/// The number that a position, which has both lions, shares with its mirror image: the lower one of the two.
pub fn number_of(position: &Position) -> u32 {
    let views = &VIEWS[position.side().index()];
    number_in(position, &views[0]).min(number_in(position, &views[1]))
}

/// The number of a position whose squares lie as `view` says.
fn number_in(position: &Position, view: &[u8; SQUARES]) -> u32 {
    let (us, them) = (position.side(), !position.side());
    let lion = |side| u32::from(view[position.pieces(side, Kind::Lion).trailing_zeros() as usize]);
    let (ours, theirs) = (lion(us), lion(them));
    let lions = ours * (SQUARES as u32 - 1) + theirs - u32::from(theirs > ours);
    let mut free = ALL & !(1 << ours | 1 << theirs);
    let (mut block, mut rest) = (0, 0);
    for (kind, ways) in PAIRS {
        // Square and way of each piece on the board.
        let (mut laid, mut count) = ([(0, 0); 2], 0);
        let boards = [(us, kind), (them, kind), (us, Kind::Hen), (them, Kind::Hen)];
        for (way, &(side, kind)) in boards[..ways as usize].iter().enumerate() {
            for square in squares(position.pieces(side, kind)) {
                laid[count] = (view[square], way as u32);
                count += 1;
            }
        }
        let size = lay_count(count, free.count_ones(), ways);
        let place = |square: u8| (free & ((1 << square) - 1)).count_ones();
        let number = match count {
            0 => u32::from(position.hand(us, kind)),
            1 => (place(laid[0].0) * ways + laid[0].1) * 2 + u32::from(position.hand(us, kind)),
            _ => {
                laid.sort_unstable();
                let [(low, low_way), (high, high_way)] = laid;
                let (low, high) = (place(low), place(high));
                ((high * (high - 1) / 2 + low) * ways + low_way) * ways + high_way
            }
        };
        laid[..count].iter().for_each(|&(square, _)| free &= !(1 << square));
        (block, rest) = (block * ON_BOARD + count, rest * size + number);
    }
    lions * STARTS[ON_BOARD.pow(3)] + STARTS[block] + rest
}

/// The position with a number; the first player is to move.
pub fn position_of(number: u32) -> Position {
    let per_lions = STARTS[ON_BOARD.pow(3)];
    let (lions, within) = (number / per_lions, number % per_lions);
    let block = STARTS.partition_point(|&start| start <= within) - 1;
    let counts = counts_of(block);
    let [_, elephants, chicks] = sizes(counts);
    let rest = within - STARTS[block];
    let numbers = [rest / chicks / elephants, rest / chicks % elephants, rest % chicks];

    let (us, them) = (Side::First, Side::Second);
    let mut position = Position::empty(us);
    let (ours, theirs) = (lions / (SQUARES as u32 - 1), lions % (SQUARES as u32 - 1));
    let theirs = theirs + u32::from(theirs >= ours);
    position.toggle(us, Kind::Lion, ours as usize);
    position.toggle(them, Kind::Lion, theirs as usize);
    let mut free = ALL & !(1 << ours | 1 << theirs);
    for (((kind, ways), number), count) in PAIRS.into_iter().zip(numbers).zip(counts) {
        let mut lay = |place: u32, way: u32| {
            let square = squares(free).nth(place as usize).expect("a number's squares are free");
            let kind = if way < 2 { kind } else { Kind::Hen };
            position.toggle(if way.is_multiple_of(2) { us } else { them }, kind, square);
            1 << square
        };
        let (taken, own) = match count {
            0 => (0, number),
            1 => (lay(number / 2 / ways, number / 2 % ways), number % 2),
            _ => {
                let places = number / ways / ways;
                // The highest pair that does not pass the number.
                let high = (1..FREE).rfind(|high| high * (high - 1) / 2 <= places).expect("0 is one");
                let low = places - high * (high - 1) / 2;
                (lay(low, number / ways % ways) | lay(high, number % ways), 0)
            }
        };
        free &= !taken;
        position.set_hand(us, kind, own as u8);
        position.set_hand(them, kind, (2 - count as u32 - own) as u8);
    }
    position
}
