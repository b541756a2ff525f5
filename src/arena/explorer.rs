//! What was played in positions, and how those games ended: a tree over games, in which ways that lead to the same position
//! meet.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::games::{
    book::{Book, position_key},
    records::Record,
    rules::{Game, Outcome, ParseError, Side, Verdict},
};

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Endings {
    /// Won by the first side, and by the second.
    pub wins: [u32; 2],
    /// Drawn.
    pub draws: u32,
    /// Without a known result.
    pub unknown: u32,
}

impl Endings {
    fn add(&mut self, outcome: Option<Outcome>) {
        match outcome.map(|outcome| outcome.verdict) {
            Some(Verdict::Win(side)) => self.wins[side.index()] += 1,
            Some(Verdict::Draw) => self.draws += 1,
            None => self.unknown += 1,
        }
    }

    /// How many games there were.
    pub fn games(&self) -> u32 {
        self.decided() + self.unknown
    }

    /// How many have a result.
    pub fn decided(&self) -> u32 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// The half points of `side`: two for a win, one for a draw.
    pub fn half_points(&self, side: Side) -> u32 {
        2 * self.wins[side.index()] + self.draws
    }

    /// The mean score of `side`, in `0.0..=1.0`; `None` where no game has a result.
    pub fn score(&self, side: Side) -> Option<f64> {
        let decided = self.decided();
        (decided > 0).then(|| f64::from(self.half_points(side)) / (2.0 * f64::from(decided)))
    }
}

/// A tree over games of `G`.
pub struct Explorer<G: Game> {
    /// By [`position_key`]: the moves that were played.
    positions: HashMap<String, BTreeMap<G::Move, Endings>>,
    /// The keys of the positions at which games began.
    starts: HashSet<String>,
    games: u32,
}

impl<G: Game> Default for Explorer<G> {
    fn default() -> Self {
        Explorer { positions: HashMap::new(), starts: HashSet::new(), games: 0 }
    }
}

impl<G: Game> Explorer<G> {
    /// Adds the first `plies` moves of a game from `start`, which ended so. A position that comes again in the same game
    /// counts once.
    pub fn add(&mut self, start: &G, moves: &[G::Move], outcome: Option<Outcome>, plies: usize) {
        let mut game = start.clone();
        let mut seen = HashSet::new();
        for &mv in moves.iter().take(plies) {
            let key = position_key(&game.fen());
            if seen.insert(key.clone()) {
                self.positions.entry(key).or_default().entry(mv).or_default().add(outcome);
            }
            game.play(mv);
        }
        self.starts.insert(position_key(&start.fen()));
        self.games += 1;
    }

    /// Adds the first `plies` moves of a record.
    ///
    /// # Errors
    /// When it cannot be played so; then nothing is added.
    pub fn add_record(&mut self, record: &Record, plies: usize) -> Result<(), ParseError> {
        let start = G::from_fen(record.rules, &record.start)?;
        let (mut game, mut moves) = (start.clone(), Vec::new());
        for text in record.moves.iter().take(plies) {
            let mv = game.parse_move(text)?;
            game.play(mv);
            moves.push(mv);
        }
        self.add(&start, &moves, record.outcome, plies);
        Ok(())
    }

    /// How many games were added.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Whether a game began in the position of `game`.
    pub fn begins_at(&self, game: &G) -> bool {
        self.starts.contains(&position_key(&game.fen()))
    }

    /// What was played in the position of `game`, the moves of most games first.
    pub fn moves(&self, game: &G) -> Vec<(G::Move, Endings)> {
        let Some(played) = self.positions.get(&position_key(&game.fen())) else { return Vec::new() };
        let mut moves: Vec<_> = played.iter().map(|(&mv, &endings)| (mv, endings)).collect();
        moves.sort_by_key(|(mv, endings)| (std::cmp::Reverse(endings.games()), *mv));
        moves
    }

    /// A book of the moves that were played at least `least` times; the weight of each is what it has scored, in half
    /// points.
    pub fn book(&self, least: u32) -> Book {
        let mut book = Book::new(G::ID);
        for (key, moves) in &self.positions {
            let side = if key.ends_with(" b") { Side::Second } else { Side::First };
            let kept = moves.iter().filter(|(_, endings)| endings.games() >= least);
            book.add(key, kept.map(|(mv, endings)| (mv.to_string(), endings.half_points(side))));
        }
        book
    }

    /// The lines from `start` on, each move of them played at least `least` times, of `plies` moves or to where there is no
    /// such move; those of most games first. Where several lead to the same position, one goes on from there.
    pub fn lines(&self, start: &G, plies: usize, least: u32) -> Vec<Vec<G::Move>> {
        let (mut lines, mut seen) = (Vec::new(), HashSet::new());
        self.walk(start, &mut Vec::new(), plies, least, &mut seen, &mut lines);
        lines
    }

    fn walk(
        &self,
        game: &G,
        line: &mut Vec<G::Move>,
        plies: usize,
        least: u32,
        seen: &mut HashSet<String>,
        lines: &mut Vec<Vec<G::Move>>,
    ) {
        let is_new = seen.insert(position_key(&game.fen()));
        let mut next = if line.len() < plies && is_new { self.moves(game) } else { Vec::new() };
        next.retain(|(_, endings)| endings.games() >= least);
        if next.is_empty() {
            if is_new && !line.is_empty() {
                lines.push(line.clone());
            }
            return;
        }
        for (mv, _) in next {
            line.push(mv);
            self.walk(&game.after(mv), line, plies, least, seen, lines);
            line.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{Reason, RuleSet, Setup, xiangqi::Xiangqi},
    };

    fn start() -> Xiangqi {
        Xiangqi::start(RuleSet::Axf, Setup::Standard, &mut Rng::seed_from_u64(1))
    }

    fn explorer(games: &[(&str, Option<Outcome>)]) -> Explorer<Xiangqi> {
        let mut explorer = Explorer::default();
        for (moves, outcome) in games {
            let (mut game, mut line) = (start(), Vec::new());
            for text in moves.split(' ') {
                let mv = game.parse_move(text).unwrap();
                game.play(mv);
                line.push(mv);
            }
            explorer.add(&start(), &line, *outcome, 10);
        }
        explorer
    }

    fn won(side: Side) -> Option<Outcome> {
        Some(Outcome::win(side, Reason::Checkmate))
    }

    #[test]
    fn ways_to_the_same_position_meet() {
        let all = explorer(&[
            ("h3e3 h10g8 b1c3 b10c8", won(Side::First)),
            ("b1c3 h10g8 h3e3 b10c8", won(Side::Second)),
            ("h3e3 h10g8 b1c3 i10h10", Some(Outcome::draw(Reason::Repetition))),
            ("c4c5 g7g6", None),
        ]);
        assert_eq!(all.games(), 4);
        let moves = |game: &Xiangqi| -> Vec<(String, Endings)> {
            all.moves(game).into_iter().map(|(mv, endings)| (mv.to_string(), endings)).collect()
        };
        let first = moves(&start());
        assert_eq!(first[0], ("h3e3".to_owned(), Endings { wins: [1, 0], draws: 1, unknown: 0 }));
        assert_eq!((first.len(), first[0].1.score(Side::First)), (3, Some(0.75)));
        let mut game = start();
        for text in ["h3e3", "h10g8", "b1c3"] {
            game.play(game.parse_move(text).unwrap());
        }
        let replies = moves(&game);
        assert_eq!(replies[0], ("b10c8".to_owned(), Endings { wins: [1, 1], draws: 0, unknown: 0 }));
        assert_eq!(all.moves(&game).iter().map(|(_, endings)| endings.games()).sum::<u32>(), 3);
    }

    #[test]
    fn a_book_has_what_was_played_often_and_scored() {
        let all = explorer(&[
            ("h3e3 h10g8", won(Side::First)),
            ("h3e3 h10g8", Some(Outcome::draw(Reason::Repetition))),
            ("c4c5 g7g6", won(Side::Second)),
            ("c4c5 g7g6", won(Side::Second)),
            ("b1c3 g7g6", won(Side::First)),
        ]);
        let book = all.book(2);
        let moves = book.moves(&start());
        assert_eq!(moves.len(), 1, "one was played once, one has lost each game");
        assert_eq!((moves[0].0.to_string(), moves[0].1), ("h3e3".to_owned(), 3));
        let mut game = start();
        game.play(game.parse_move("c4c5").unwrap());
        assert_eq!(book.moves(&game)[0].1, 4, "the second side's points");
        let written = |least| -> Vec<String> {
            let lines = all.lines(&start(), 10, least);
            let text = |line: &Vec<_>| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let mut lines: Vec<String> = lines.iter().map(text).collect();
            lines.sort();
            lines
        };
        assert_eq!(written(2), ["c4c5 g7g6", "h3e3 h10g8"]);
        assert_eq!(written(1).len(), 3);
        assert_eq!(all.lines(&start(), 1, 2).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }
}
