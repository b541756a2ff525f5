//! Where a game of `.gib` begins.

use anyhow::{Result, bail};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{letter_of, lines::Sheet, name};
use crate::games::{
    records::Record,
    rules::{
        Game, GameId, Side,
        janggi::{Formation, Formations, Janggi},
    },
};

/// A start that may be meant.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) fen: String,
    /// What there is to say where it is taken though it is not the one that is written.
    pub(super) note: Option<&'static str>,
    /// Whether the file does not say it.
    pub(super) is_guess: bool,
}

/// The starts that a game may have, the one that is written first.
pub(super) fn possible(sheet: &Sheet) -> Result<Vec<Start>> {
    if let Some((_, fen)) = sheet.tag(&["FEN"]) {
        return Ok(vec![Start { fen: fen.to_owned(), note: None, is_guess: false }]);
    }
    if let Some((_, board)) = sheet.tag(&["판"]) {
        return drawn(board);
    }
    let mut formations = Vec::new();
    for names in [["초차림", "초포진"], ["한차림", "한포진"]] {
        match sheet.tag(&names) {
            Some((line, text)) if !matches!(text.trim(), "" | "미상" | "-") => match formation(text) {
                Some(formation) => formations.push(Some(formation)),
                None => bail!("line {line}: '{text}' is no set-up: 마상상마, 상마마상, 마상마상 or 상마상마"),
            },
            _ => formations.push(None),
        }
    }
    let [cho, han] = [formations[0], formations[1]];
    let start = |cho: Formation, han: Formation, note, is_guess| {
        // A set-up with a name draws nothing from the generator.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let rules = GameId::Janggi.rule_sets()[0];
        Start { fen: Janggi::start(rules, Formations { cho, han }.into(), &mut rng).fen(), note, is_guess }
    };
    if let (Some(cho), Some(han)) = (cho, han) {
        let mirrored = Some("the set-up of Han is written from its own side");
        return Ok(vec![start(cho, han, None, false), start(cho, mirror(han), mirrored, false)]);
    }
    let guessed = Some("a set-up is not written: one that fits the moves is taken");
    let either =
        |known: Option<Formation>| known.map_or(Formation::ALL.to_vec(), |formation| vec![formation]);
    let both = either(cho).into_iter().flat_map(|cho| either(han).into_iter().map(move |han| (cho, han)));
    Ok(both.map(|(cho, han)| start(cho, han, guessed, true)).collect())
}

/// The formation whose pieces stand so from the left.
fn formation(text: &str) -> Option<Formation> {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let letters: Option<String> =
        letters.map(|letter| letter_of(letter).map(|letter| letter.to_ascii_lowercase())).collect();
    let letters = letters?;
    Formation::ALL.into_iter().find(|formation| formation.letters() == letters)
}

fn mirror(formation: Formation) -> Formation {
    let letters: String = formation.letters().chars().rev().collect();
    Formation::ALL.into_iter().find(|formation| formation.letters() == letters).unwrap_or(formation)
}

/// The words for both formations of a record that begins with two.
pub(super) fn formations_of(record: &Record) -> Option<[String; 2]> {
    let position = |fen: &str| fen.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>();
    let begun = position(&record.start);
    let has_begun = |formations: &Formations| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        position(&Janggi::start(record.rules, (*formations).into(), &mut rng).fen()) == begun
    };
    let Formations { cho, han } = Formations::all().find(has_begun)?;
    let words = |formation: Formation, side| {
        formation.letters().chars().map(|letter| name(letter.to_ascii_uppercase(), side)).collect()
    };
    Some([words(cho, Side::First), words(han, Side::Second)])
}

/// The characters of Cho's pieces on a drawn board, and of Han's.
const CHO: &str = "장사상마차포졸궁왕초楚卒";
const HAN: &str = "將士象馬車包兵漢한병";

/// The board of a FEN as this format draws it: Cho in Korean characters, Han in Chinese ones, ranks from the top.
pub(super) fn board(fen: &str) -> String {
    let cells = fen.split_whitespace().next().unwrap_or_default();
    let draw = |letter: char| match letter {
        'a'..='z' => match letter {
            'k' => '將',
            'a' => '士',
            'b' => '象',
            'n' => '馬',
            'r' => '車',
            'c' => '包',
            _ => '兵',
        },
        'A'..='Z' => name(letter, Side::First),
        other => other,
    };
    cells.chars().map(draw).collect()
}

/// The positions that a drawn board may mean: programs do not agree on which rank comes first, and who moves is not said.
fn drawn(text: &str) -> Result<Vec<Start>> {
    // Behind the board there may be the kind of handicap.
    let cells = text.split_whitespace().next().unwrap_or_default();
    let mut fen = String::new();
    for letter in cells.chars() {
        let drawn = match letter {
            '/' | '1'..='9' => Some(letter),
            _ if HAN.contains(letter) => letter_of(letter).map(|letter| letter.to_ascii_lowercase()),
            _ if CHO.contains(letter) => letter_of(letter),
            _ => None,
        };
        let Some(drawn) = drawn else { bail!("'{letter}' is no piece of a board") };
        fen.push(drawn);
    }
    let turned: Vec<&str> = fen.split('/').rev().collect();
    let boards = [fen.clone(), turned.join("/")];
    let starts = boards.iter().flat_map(|board| ["w", "b"].map(|side| format!("{board} {side} - - 0 1")));
    Ok(starts.map(|fen| Start { fen, note: None, is_guess: false }).collect())
}
