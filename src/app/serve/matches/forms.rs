//! The forms for a new match and a new ladder.

use std::{num::NonZero, ops::RangeInclusive, thread};

use maud::{Markup, html};
use serde::Deserialize;

use super::{
    order::{MatchOrder, MoveBudget, What},
    players::{self, PlayerChoice},
};
use crate::{
    app::serve::{folders::FolderName, runs::Run, state::ServerState, texts::Texts},
    games::rules::GameId,
};

/// Games of a match or a ladder.
const GAMES: RangeInclusive<u32> = 2..=100_000;
/// Simulations, or milliseconds, for a move.
const AMOUNT: RangeInclusive<u32> = 1..=1_000_000;

/// What the forms were filled in with. Numbers are texts: what is none is answered in words.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(super) struct Filled {
    /// The players, and the commands of those that are programs.
    a: String,
    b: String,
    a_command: String,
    b_command: String,
    /// The game, where no net says it.
    game: String,
    /// The run of a ladder.
    run: String,
    unit: String,
    amount: String,
    games: String,
    cores: String,
}

impl Default for Filled {
    fn default() -> Self {
        Filled {
            a: String::new(),
            b: "uniform@sims=32".to_owned(),
            a_command: String::new(),
            b_command: String::new(),
            game: GameId::Dobutsu.to_string(),
            run: String::new(),
            unit: "sims".to_owned(),
            amount: "32".to_owned(),
            games: "100".to_owned(),
            cores: most_cores().to_string(),
        }
    }
}

fn most_cores() -> u32 {
    thread::available_parallelism().map_or(1, NonZero::get) as u32
}

/// Reads a number that the form calls by the text `key`.
///
/// # Errors
/// In words, which say what it can be.
fn number(texts: Texts, key: &str, text: &str, range: RangeInclusive<u32>) -> Result<u32, String> {
    text.trim().parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let (low, high) = (range.start().to_string(), range.end().to_string());
        let parts = [("what", texts.text(key)), ("low", &low), ("high", &high)];
        texts.fill("contests.bad_number", &parts)
    })
}

impl Filled {
    fn order(&self, texts: Texts, what: What) -> Result<MatchOrder, String> {
        let amount = number(texts, "contests.amount", &self.amount, AMOUNT)?;
        let budget =
            if self.unit == "movetime" { MoveBudget::Movetime(amount) } else { MoveBudget::Sims(amount) };
        let games = read_games(texts, &self.games)?;
        let cores = number(texts, "contests.cores", &self.cores, 1..=most_cores())? as usize;
        Ok(MatchOrder { what, budget, games, cores })
    }

    /// What a match is ordered with, and its game.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn a_match(&self, texts: Texts, state: &ServerState) -> Result<(MatchOrder, GameId), String> {
        let read = |choice, command| PlayerChoice::read(texts, &state.engines, choice, command);
        let players = [read(&self.a, &self.a_command)?, read(&self.b, &self.b_command)?];
        let known: Vec<GameId> = players.iter().filter_map(|player| player.game(&state.folders)).collect();
        if known.iter().any(|game| *game != known[0]) {
            return Err(texts.text("contests.two_games").to_owned());
        }
        let chosen = self.game.parse::<GameId>().ok();
        let game = known.first().copied().or(chosen).ok_or_else(|| texts.text("contests.no_game"))?;
        let arguments = [players[0].argument(texts, state)?, players[1].argument(texts, state)?];
        let what = What::Match { players: arguments, game: Some(game) };
        Ok((self.order(texts, what)?, game))
    }

    /// What a ladder is ordered with, and its run.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn a_ladder(
        &self,
        texts: Texts,
        state: &ServerState,
    ) -> Result<(MatchOrder, FolderName), String> {
        let name = FolderName::try_from(self.run.clone()).map_err(|error| error.to_string())?;
        let run = Run::open(&state.folders, &name).filter(Run::has_net);
        let run = run.ok_or_else(|| texts.text("contests.no_player"))?;
        Ok((self.order(texts, What::Ladder { run: run.root })?, name))
    }
}

/// Reads how many games are wanted.
///
/// # Errors
/// Those of [`number`].
pub(super) fn read_games(texts: Texts, text: &str) -> Result<u32, String> {
    number(texts, "contests.games", text, GAMES)
}

/// The form for a match.
pub(super) fn match_form(texts: Texts, state: &ServerState, filled: &Filled) -> Markup {
    let text = |key| texts.text(key);
    html! {
        form.order #match method="post" action="/contests/match" {
            (field(text("contests.a"), &players::choice(texts, state, "a", &filled.a)))
            (field(text("contests.b"), &players::choice(texts, state, "b", &filled.b)))
            @if state.engines.any { (engines(texts, filled)) }
            @else if state.engines.listed.is_empty() { p.hint { (text("contests.no_engines")) } }
            (field(text("contests.game_if"), &html! {
                select name="game" {
                    @for game in GameId::ALL {
                        option value=(game) selected[game.as_str() == filled.game] {
                            (texts.game(game))
                        }
                    }
                }
            }))
            (conditions(texts, filled))
            p { button.main type="submit" #start-match { (text("contests.start_match")) } }
        }
    }
}

/// The commands of other programs, where the owner allows any.
fn engines(texts: Texts, filled: &Filled) -> Markup {
    let command = |name: &str, label: &str, value: &str| {
        field(
            label,
            &html! {
                input name=(name) value=(value) maxlength="1000" placeholder="uci:fairy-stockfish" spellcheck="false"
                    autocomplete="off";
            },
        )
    };
    html! {
        details #engines open[!filled.a_command.is_empty() || !filled.b_command.is_empty()] {
            summary { (texts.text("contests.engine")) }
            p.hint { (texts.text("contests.engines_about")) }
            (command("a_command", texts.text("contests.a"), &filled.a_command))
            (command("b_command", texts.text("contests.b"), &filled.b_command))
        }
    }
}

/// The form for a ladder.
pub(super) fn ladder_form(texts: Texts, state: &ServerState, filled: &Filled) -> Markup {
    let text = |key| texts.text(key);
    let runs: Vec<Run> = Run::all(&state.folders).into_iter().filter(Run::has_net).collect();
    html! {
        @if runs.is_empty() { p.hint { (text("contests.no_runs")) } }
        @else {
            form.order #ladder method="post" action="/contests/ladder" {
                (field(text("contests.run"), &html! {
                    select name="run" {
                        @for run in &runs {
                            option value=(run.name) selected[run.name.as_str() == filled.run] { (run.name) }
                        }
                    }
                }))
                (conditions(texts, filled))
                p { button.main type="submit" #start-ladder { (text("contests.start_ladder")) } }
            }
        }
    }
}

/// What both have in common: the budget, the games, the cores.
fn conditions(texts: Texts, filled: &Filled) -> Markup {
    let text = |key| texts.text(key);
    let unit = |value: &str, label: &str| {
        html! { option value=(value) selected[value == filled.unit] { (label) } }
    };
    html! {
        (field(text("contests.amount"), &html! {
            span.pair {
                input type="number" name="amount" value=(filled.amount) min=(AMOUNT.start()) max=(AMOUNT.end()) required;
                select name="unit" aria-label=(text("contests.unit")) {
                    (unit("sims", text("contests.sims")))
                    (unit("movetime", text("contests.movetime")))
                }
            }
        }))
        (field(text("contests.games"), &html! {
            input type="number" name="games" value=(filled.games) min=(GAMES.start()) max=(GAMES.end()) step="2" required;
        }))
        (field(text("contests.cores"), &html! {
            input type="number" name="cores" value=(filled.cores) min="1" max=(most_cores()) required;
        }))
    }
}

fn field(label: &str, input: &Markup) -> Markup {
    html! { label { span { (label) } (input) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::serve::texts::Language;

    #[test]
    fn numbers_that_are_none_are_answered_in_words() {
        let texts = Texts::new(Language::English);
        for bad in ["", "x", "1", "-5", "1e9", "100001", "4294967296"] {
            let words = read_games(texts, bad).unwrap_err();
            assert!(words.contains("100000") && words.contains('2'), "{bad}: {words}");
        }
        assert_eq!(read_games(texts, " 20 "), Ok(20));
    }
}
