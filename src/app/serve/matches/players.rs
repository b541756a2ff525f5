//! Who can be chosen to play.

use std::path::Path;

use maud::{Markup, html};

use crate::{
    app::serve::{
        engines::Engines,
        folders::Folders,
        nets::{self, NetId},
        runs::Run,
        state::ServerState,
        texts::Texts,
    },
    arena::EngineSpec,
    games::rules::GameId,
};

/// Players that know nothing, as `sanki match` names them.
const REFERENCES: [&str; 5] =
    ["uniform@sims=8", "uniform@sims=32", "uniform@sims=128", "uniform@sims=512", "random"];
/// What the form calls another program.
const ENGINE: &str = "engine";
/// Checkpoints of a run to choose from, at most: the newest and others evenly before it.
const CHECKPOINTS: usize = 12;

/// A player, as chosen in the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerChoice {
    /// A net.
    Net(NetId),
    /// One that knows nothing.
    Reference(&'static str),
    /// Another program, by its dialect and command.
    Engine(String),
}

impl PlayerChoice {
    /// Reads a choice among what `engines` allows; `command` belongs to another program. Whether it may be started is
    /// asked with the whole order.
    ///
    /// # Errors
    /// In words.
    pub(super) fn read(texts: Texts, engines: &Engines, choice: &str, command: &str) -> Result<Self, String> {
        let reference = REFERENCES.into_iter().find(|&reference| reference == choice);
        if let Some(reference) = reference {
            return Ok(PlayerChoice::Reference(reference));
        }
        if engines.is_listed(choice) {
            return Ok(PlayerChoice::Engine(choice.to_owned()));
        }
        if choice != ENGINE {
            let net = choice.parse().map_err(|()| texts.text("contests.no_player").to_owned())?;
            return Ok(PlayerChoice::Net(net));
        }
        let command = command.trim();
        let is_named = EngineSpec::is_meant(command) && !command.ends_with(':');
        if !is_named || command.contains(char::is_control) {
            return Err(texts.text("contests.no_engine").to_owned());
        }
        Ok(PlayerChoice::Engine(command.to_owned()))
    }

    /// As `sanki match` takes it.
    ///
    /// # Errors
    /// In words: where there is no such net.
    pub(super) fn argument(&self, texts: Texts, state: &ServerState) -> Result<String, String> {
        match self {
            PlayerChoice::Net(net) => {
                let path = net.path(&state.folders).ok_or_else(|| texts.text("contests.no_player"))?;
                Ok(path.to_str().ok_or_else(|| texts.text("contests.no_player"))?.to_owned())
            }
            PlayerChoice::Reference(name) => Ok((*name).to_owned()),
            PlayerChoice::Engine(command) => Ok(command.clone()),
        }
    }

    /// What it plays, where it plays one game only.
    pub(super) fn game(&self, folders: &Folders) -> Option<GameId> {
        match self {
            PlayerChoice::Net(NetId::Published(game)) => Some(*game),
            PlayerChoice::Net(NetId::Run(name, _)) => Some(Run::open(folders, name)?.config.game),
            PlayerChoice::Reference(_) | PlayerChoice::Engine(_) => None,
        }
    }
}

/// The choice of a player, called `name` in the form.
pub(super) fn choice(texts: Texts, state: &ServerState, name: &str, chosen: &str) -> Markup {
    let option = |value: &str, label: &str| {
        html! { option value=(value) selected[value == chosen] { (label) } }
    };
    let published = nets::all(&state.folders).into_iter().filter(|net| matches!(net.id, NetId::Published(_)));
    html! {
        select id=(name) name=(name) required {
            optgroup label=(texts.text("contests.published")) {
                @for net in published {
                    (option(&net.id.to_string(), texts.game(net.game)))
                }
            }
            @for run in Run::all(&state.folders).into_iter().filter(Run::has_net) {
                @let game = texts.game(run.config.game);
                optgroup label=(format!("{} – {game}", run.name)) {
                    (option(&NetId::Run(run.name.clone(), None).to_string(),
                        &format!("{} – {}", run.name, texts.text("contests.newest"))))
                    @for generation in few(&run.generations()).into_iter().rev() {
                        @let words = texts.fill("contests.generation", &[("number", &generation.to_string())]);
                        (option(&NetId::Run(run.name.clone(), Some(generation)).to_string(),
                            &format!("{} – {words}", run.name)))
                    }
                }
            }
            optgroup label=(texts.text("contests.yardsticks")) {
                @for reference in REFERENCES { (option(reference, &label(texts, reference))) }
            }
            @if !state.engines.listed.is_empty() {
                optgroup label=(texts.text("contests.engine")) {
                    @for engine in &state.engines.listed { (option(engine, engine)) }
                }
            }
            @if state.engines.any { (option(ENGINE, texts.text("contests.engine"))) }
        }
    }
}

/// At most [`CHECKPOINTS`] of `all`, the first and the last among them.
fn few(all: &[u32]) -> Vec<u32> {
    let count = all.len().min(CHECKPOINTS);
    match count {
        0 | 1 => all.to_vec(),
        _ => (0..count).map(|place| all[place * (all.len() - 1) / (count - 1)]).collect(),
    }
}

/// What a player is called, from the name that it has in the games: without the folders that its net lies in.
pub(super) fn label(texts: Texts, name: &str) -> String {
    let (player, budget) = match name.rsplit_once('@') {
        Some((player, budget)) if budget.contains('=') => (player, budget),
        _ => (name, ""),
    };
    let number = budget.split_once('=').map_or("", |(_, number)| number);
    let player = match player {
        "random" => texts.text("contests.random").to_owned(),
        "uniform" => return texts.fill("contests.uniform", &[("number", number)]),
        net => net_label(texts, net),
    };
    match budget.split_once('=') {
        Some(("sims" | "nodes", number)) => {
            format!("{player}, {}", texts.fill("contests.at_sims", &[("number", number)]))
        }
        Some(("movetime", number)) => {
            format!("{player}, {}", texts.fill("contests.at_ms", &[("number", number)]))
        }
        _ => player,
    }
}

/// The same without what a net has for a move.
pub(super) fn short_label(texts: Texts, name: &str) -> String {
    match name.rsplit_once('@') {
        Some((net, budget)) if budget.contains('=') && net != "uniform" => label(texts, net),
        _ => label(texts, name),
    }
}

/// `runs/first/checkpoints/gen-000040.sanki` as “first, generation 40”, any other file by its name.
fn net_label(texts: Texts, net: &str) -> String {
    if EngineSpec::is_meant(net) {
        return net.to_owned();
    }
    let path = Path::new(net);
    let Some(file) = path.file_name().and_then(|name| name.to_str()) else { return net.to_owned() };
    let stem = file.strip_suffix(".sanki").unwrap_or(file);
    let generation: Option<u32> = stem.strip_prefix("gen-").and_then(|number| number.parse().ok());
    let run = path.parent().and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    match (generation, run) {
        (Some(generation), Some(run)) => {
            let generation = texts.fill("contests.generation", &[("number", &generation.to_string())]);
            format!("{run} – {generation}")
        }
        _ => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::serve::texts::Language;

    #[test]
    fn players_are_called_by_what_a_person_knows() {
        let texts = Texts::new(Language::English);
        for (name, words) in [
            (
                "runs/first/checkpoints/gen-000040.sanki@sims=32",
                "first – generation 40, 32 simulations a move",
            ),
            ("/a@b/checkpoints/janggi.sanki@movetime=100", "janggi, 100 ms a move"),
            ("uci:fairy-stockfish?Hash=1@nodes=9", "uci:fairy-stockfish?Hash=1, 9 simulations a move"),
            ("generation 7", "generation 7"),
        ] {
            assert_eq!(label(texts, name), words);
        }
        assert!(label(texts, "uniform@sims=8").contains('8'));
        assert_eq!(short_label(texts, "uniform@sims=8"), label(texts, "uniform@sims=8"));
        assert_eq!(short_label(texts, "a/janggi.sanki@sims=8"), "janggi");
        assert!(label(texts, "uniform@sims=8 (2)").contains('8'));
    }

    #[test]
    fn choices_are_read_and_others_refused() {
        let texts = Texts::new(Language::English);
        let engines = Engines { listed: vec!["usi:y?a=b".to_owned()], any: false };
        let read = |choice, command| PlayerChoice::read(texts, &engines, choice, command);
        assert_eq!(read("usi:y?a=b", ""), Ok(PlayerChoice::Engine("usi:y?a=b".to_owned())));
        assert_eq!(read("random", ""), Ok(PlayerChoice::Reference("random")));
        assert_eq!(read("run:first@4", ""), Ok(PlayerChoice::Net("run:first@4".parse().unwrap())));
        assert_eq!(read(ENGINE, " uci:x y "), Ok(PlayerChoice::Engine("uci:x y".to_owned())));
        for (choice, command) in [
            ("", ""),
            ("run:../x", ""),
            ("/etc/passwd", ""),
            ("usi:y", ""),
            (ENGINE, "rm -rf"),
            (ENGINE, "uci:"),
            (ENGINE, "uci:a\nb"),
        ] {
            assert!(read(choice, command).is_err(), "{choice} {command}");
        }
    }

    #[test]
    fn long_runs_offer_a_few_checkpoints() {
        let all: Vec<u32> = (0..100).collect();
        let few = few(&all);
        assert_eq!((few.len(), few[0], few[11]), (CHECKPOINTS, 0, 99));
        assert_eq!(super::few(&[3, 4]), [3, 4]);
        assert!(super::few(&[]).is_empty());
    }
}
