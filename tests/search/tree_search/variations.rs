//! What is told of a search: moves that may be searched, lines, and mates to their end.

use super::*;

#[test]
fn only_the_moves_named_are_searched_until_none_is() {
    // First wins with 2 alone; all its other moves lose to 5.
    let game = Three::after(&[0, 3, 1, 4]);
    let mut search = Search::new(puct());
    let mut start = |only: &[Square]| {
        search.restrict(only);
        search.start_after(&[], &game, 500);
        run(&mut search, &mut Even);
        let mut moves: Vec<Square> = search.root_moves().map(|mv| mv.mv).collect();
        moves.sort_unstable();
        (moves, search.best_move(), search.root_wdl())
    };
    let all = (vec![Square(2), Square(5), Square(6), Square(7), Square(8)], Square(2), Wdl::WIN);
    assert_eq!(start(&[]), all);
    let (moves, _, wdl) = start(&[Square(6), Square(8)]);
    assert_eq!((moves, wdl), (vec![Square(6), Square(8)], Wdl::LOSS));
    assert_eq!(start(&[Square(5)]).1, Square(5));
    assert_eq!(start(&[]), all);
}

#[test]
fn variations_tell_what_is_certain_of_the_best_moves() {
    let game = Three::after(&[0, 3, 1, 4]);
    let mut search = Search::new(puct());
    search.start(&game, 2000, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, &mut Even);
    let lines = search.variations(9);
    assert_eq!((lines[0].moves.as_slice(), lines[0].certain), (&[Square(2)][..], Some(Certain::Win(1))));
    assert_eq!(winning_line(&search), Some(vec![Square(2)]));
    assert_eq!(search.variations(1).len(), 1);

    // Where no move wins, the loss that takes longest comes first, and shows how it comes about.
    search.restrict(&[Square(6), Square(8)]);
    search.start_after(&[], &game, 2000);
    run(&mut search, &mut Even);
    for line in search.variations(9) {
        assert_eq!((line.certain, line.moves.last()), (Some(Certain::Loss(2)), Some(&Square(5))));
        assert_eq!((line.moves.len(), line.wdl), (2, Wdl::LOSS));
    }
    assert_eq!(winning_line(&search), None);
}

#[test]
fn variations_are_lines_of_legal_moves_best_first() {
    for game in positions(&Four::empty(), 3).into_iter().step_by(7) {
        let search = search(puct(), &game, 300, &mut Hash);
        let lines = search.variations(5);
        assert_eq!(lines[0].moves[0], search.best_move());
        let is_open = |line: &&sanki::search::Variation<Square<5>>| line.certain.is_none();
        assert!(lines.iter().skip(1).filter(is_open).is_sorted_by_key(|line| std::cmp::Reverse(line.visits)));
        for line in &lines {
            let root_move = root_move(&search, line.moves[0]);
            assert_eq!(line.visits, root_move.visits);
            let mut after = game.clone();
            for &mv in &line.moves {
                let mut legal = Vec::new();
                after.legal_moves(&mut legal);
                assert!(legal.contains(&mv));
                after.play(mv);
            }
        }
        // What ends the game is known without a walk.
        assert!(search.deepest() + 1 >= lines.iter().map(|line| line.moves.len()).max().unwrap());
    }
}

/// The best line, if it wins for certain.
fn winning_line<G: Game>(search: &Search<G>) -> Option<Vec<G::Move>> {
    let best = search.variations(1).swap_remove(0);
    matches!(best.certain, Some(Certain::Win(_))).then_some(best.moves)
}

/// The whole way of a mate is told, also where the tree has only its first move.
#[test]
fn a_mate_is_told_to_its_end() {
    let mut told = 0;
    for game in positions(&minishogi_start(), 20) {
        let config = PuctConfig { mate_visits: 8, mate_plies: 5, ..PuctConfig::default() };
        let search = search(SearchConfig::Puct(config), &game, 50, &mut Even);
        let Some(line) = winning_line(&search) else { continue };
        let best = search.variations(1).swap_remove(0);
        if line.len() <= 5 {
            assert_eq!(best.certain, Some(Certain::Win(line.len() as u32)), "{}: {line:?}", game.fen());
        }
        let mut end = game.clone();
        for &mv in &line {
            assert!(end.outcome().is_none());
            end.play(mv);
        }
        let won = end.outcome_or_declaration().map(|outcome| outcome.verdict);
        assert_eq!(
            won,
            Some(sanki::games::rules::Verdict::Win(game.side_to_move())),
            "{}: {line:?}",
            game.fen()
        );
        told += usize::from(line.len() > 1);
    }
    assert!(told > 10, "{told}");
}
