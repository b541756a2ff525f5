//! The count of positions behind each first move, as programs show it to compare their rules.

use super::Game;

/// Plies that are counted without asking whether to stop: a second on the largest board.
const UNBROKEN: u32 = 3;

/// [`Game::perft`] by first moves: each with its leaf nodes at `depth` plies, at least one. `None` if `is_stopped`, which is
/// asked again and again, says so before the end.
pub fn divide<G: Game>(game: &G, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<Vec<(G::Move, u64)>> {
    let mut moves = Vec::new();
    game.perft_moves(&mut moves);
    let count = |mv| Some((mv, count(&game.after(mv), depth.saturating_sub(1), is_stopped)?));
    moves.into_iter().map(count).collect()
}

fn count<G: Game>(game: &G, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= UNBROKEN {
        return Some(game.perft(depth));
    }
    let mut moves = Vec::new();
    game.perft_moves(&mut moves);
    moves.into_iter().map(|mv| count(&game.after(mv), depth - 1, is_stopped)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{dobutsu::Dobutsu, janggi::Janggi, shogi::Minishogi, xiangqi::Minixiangqi};

    /// What `divide` counts in all.
    fn sum<G: Game>(game: &G, depth: u32) -> u64 {
        divide(game, depth, &|| false).unwrap().iter().map(|(_, count)| count).sum()
    }

    fn read<G: Game>(fen: &str) -> G {
        G::from_fen(G::ID.rule_sets()[0], fen).unwrap()
    }

    /// With move counts shortly before the limit, which end the game but no count.
    #[test]
    fn counts_are_those_of_the_rules() {
        let minishogi: Minishogi = read("rbsgk/4p/5/P4/KGSBR[-] w - - 0 1");
        let minixiangqi: Minixiangqi = read("rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 99 60");
        let janggi: Janggi =
            read("rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 99 60");
        let dobutsu: Dobutsu = read("gle/1c1/1C1/ELG[-] w 0 1");
        for depth in [1, 2, 5] {
            assert_eq!(sum(&minishogi, depth), minishogi.perft(depth));
            assert_eq!(sum(&minixiangqi, depth), minixiangqi.perft(depth));
            assert_eq!(sum(&dobutsu, depth), dobutsu.perft(depth));
        }
        assert_eq!(sum(&janggi, 4), janggi.perft(4));
    }

    #[test]
    fn a_game_that_is_over_by_a_limit_is_counted_all_the_same() {
        let game: Minixiangqi = read("rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 100 60");
        assert!(game.outcome().is_some());
        assert_eq!(sum(&game, 2), game.perft(2));
        assert!(game.perft(2) > 0);
    }

    #[test]
    fn a_count_can_be_stopped() {
        let game: Minishogi = read("rbsgk/4p/5/P4/KGSBR[-] w - - 0 1");
        assert_eq!(divide(&game, 0, &|| false).unwrap().len(), divide(&game, 1, &|| false).unwrap().len());
        assert_eq!(divide(&game, 20, &|| true), None);
    }
}
