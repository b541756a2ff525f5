//! Whether a record can be learnt from.

use crate::{
    games::{
        encode::Encode,
        rules::{Move, ParseError},
    },
    training::selfplay::GameRecord,
};

/// Whether every move of `record`, played or a candidate, is legal in its game.
///
/// # Errors
/// Says what is wrong: files of another program's version can be whole and still make no sense.
pub fn check_record<G: Encode>(record: &GameRecord) -> Result<(), ParseError> {
    let bad = |what, why: &str| ParseError::new(what, format!("game {}", record.index), why);
    if !G::ID.rule_sets().contains(&record.rules) {
        return Err(bad("record", "its rule set is of another game"));
    }
    let candidates: usize = record.plies.iter().map(|ply| usize::from(ply.candidates)).sum();
    if record.plies.len() > usize::from(u16::MAX) || candidates != record.candidates.len() {
        return Err(bad("record", "its plies and candidates do not match"));
    }
    let mut game = G::from_fen(record.rules, &record.start)?;
    let mut moves = Vec::new();
    for (ply, candidates) in record.plies() {
        moves.clear();
        game.legal_moves(&mut moves);
        let legal = |bits: u16| moves.iter().find(|mv| mv.bits() == bits);
        if !candidates.iter().all(|candidate| legal(candidate.mv).is_some()) {
            return Err(bad("record", "a candidate is no legal move"));
        }
        game.play(*legal(ply.mv).ok_or_else(|| bad("record", "it has an illegal move"))?);
    }
    Ok(())
}
