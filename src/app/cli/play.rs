//! `sanki play`: a game in the terminal.

use std::{
    io::{self, BufReader, Write},
    num::NonZero,
    path::PathBuf,
    str::FromStr,
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::Result;
use clap::ValueEnum;

use super::{
    CliError, colours, interrupt,
    players::{Entrant, PlayerSpec, Terms},
    position::{self, StartArgs},
    stdout,
};
use crate::{
    app::{
        engine::{NetChoice, choose_net, net_folders},
        report::side_names,
        terminal::{
            Begin, BoardView, Colours, Commentary, Ends, GameLoop, GameLoopConfig, Left, Legend, PieceStyle,
            Playable, PlayerSeat, TerminalInput,
        },
    },
    arena::{
        PlayerBudget, SavedGame,
        analysis::{AnalysisNet, Analyst, Effort},
    },
    base::store::printable,
    games::rules::{GameId, RuleSet, Side},
    net::{LEVELS, ModelFile, ModelMeta},
    with_game,
};

/// Play in the terminal: people and programs, in any pairing
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A player is `human`, `random`, `uniform` (a search without a net), a model, a run's folder, or another \
engine: uci:COMMAND, usi:COMMAND or ucci:COMMAND. Each may have a budget of its own, as in uniform@sims=256. \
Of two players, the first one plays the first side. A single player is your opponent. Without players, you \
play against the game's net: --model, or the one in `checkpoints`.

Moves are written as in `sanki show`: b2b3, c7c8+, P@e5. During the game, `help` lists what else you can type.

Examples:
  sanki play
  sanki play --game shogi --level 3
  sanki play --game shogi --handicap rook
  sanki play --game xiangqi --side second --movetime 1000
  sanki play --model runs/first
  sanki play human human --game janggi --pieces characters
  sanki play uniform@sims=200 uci:fairy-stockfish@nodes=50 --game minishogi")]
pub struct PlayArgs {
    /// Who plays the first side, and who the second
    #[arg(value_name = "PLAYER", num_args = 0..=2)]
    players: Vec<Participant>,
    /// The game [default: that of the model or of the loaded game, else janggi]
    #[arg(long)]
    game: Option<GameId>,
    /// A checkpoint, a run's folder or an exported model: your opponent if you name none; it also gives hints
    /// and comments
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// How strong your opponent is, from 1, a beginner, to 20, its full strength. A net without levels of its own (sanki
    /// levels) has those of its game
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=LEVELS.into()))]
    level: Option<u32>,
    /// The rule set [default: that of the model, else the game's first]
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// Continue a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "setup", "handicap", "rules"])]
    load: Option<PathBuf>,
    /// The side that you play, if you name fewer than two players [default: first]
    #[arg(long, value_enum)]
    side: Option<SideArg>,
    /// Simulations per move, for programs without a budget of their own, and for hints and comments [default:
    /// 400]
    #[arg(long, group = "budget")]
    sims: Option<NonZero<u32>>,
    /// Milliseconds per move, in place of simulations
    #[arg(long, group = "budget", value_name = "MS")]
    movetime: Option<NonZero<u32>>,
    /// How pieces are shown
    #[arg(long, value_enum, default_value = "letters")]
    pieces: PieceStyle,
    /// Comment on every position: score, depth and best moves
    #[arg(long)]
    analysis: bool,
    /// The seed of the programs' random choices, and of the set-ups that they choose in janggi
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideArg {
    First,
    Second,
}

/// Somebody at the board.
#[derive(Clone, Debug)]
enum Participant {
    Human,
    Program(PlayerSpec),
}

impl FromStr for Participant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "human" { Ok(Participant::Human) } else { text.parse().map(Participant::Program) }
    }
}

impl Participant {
    fn model(&self) -> Result<Option<ModelFile>> {
        match self {
            Participant::Human => Ok(None),
            Participant::Program(spec) => spec.model(),
        }
    }
}

/// Simulations a move where nothing else is said: an answer at once, by any net.
const SIMULATIONS: u32 = 400;

/// Runs the command.
pub fn run(args: PlayArgs) -> Result<()> {
    if let (2, Some(_)) = (args.players.len(), args.side) {
        return Err(CliError::usage("--side says which side you play, but two players are named").into());
    }
    let loaded = args.load.as_deref().map(SavedGame::read).transpose()?;
    let named = args.model.as_deref().map(ModelFile::read).transpose()?;
    let models = args.players.iter().map(Participant::model).collect::<Result<Vec<_>>>()?;
    let meta = named.iter().chain(models.iter().flatten()).next().map(|model| model.meta.clone());
    let from = loaded.as_ref().map(|saved| saved.game).or(meta.as_ref().map(|meta| meta.game));
    let game = args.game.or(from).unwrap_or(GameId::Janggi);
    for model in named.iter().chain(models.iter().flatten()) {
        position::check_game(game, &model.meta)?;
    }
    let rules = match &loaded {
        Some(saved) => saved.rules,
        None => position::rule_set_for(game, args.rules.as_deref(), meta.as_ref())?,
    };
    let model = Model::find(&args, game, rules, named, &models, meta.as_ref());
    with_game!(game, G => play::<G>(&args, rules, &model, &models, loaded))
}

/// The net at hand: the opponent where none is named, and who gives hints.
struct Model {
    file: Option<ModelFile>,
    path: Option<PathBuf>,
    notes: Vec<String>,
}

impl Model {
    /// The one named, else that of a player, else that of the game.
    fn find(
        args: &PlayArgs,
        game: GameId,
        rules: RuleSet,
        named: Option<ModelFile>,
        models: &[Option<ModelFile>],
        meta: Option<&ModelMeta>,
    ) -> Self {
        if named.is_some() {
            return Model { file: named, path: args.model.clone(), notes: Vec::new() };
        }
        let own = models.iter().flatten().find(|_| meta.is_some_and(|meta| meta.game == game));
        if let Some(model) = own {
            return Model { file: Some(model.clone()), path: None, notes: Vec::new() };
        }
        let level = args.level.filter(|_| args.players.is_empty());
        Model::of_game(choose_net(game, rules, None, &net_folders()), level)
    }

    /// The net of the game, if there is one; `level` is that of the opponent which it makes.
    fn of_game(choice: NetChoice, level: Option<u32>) -> Self {
        let NetChoice { model, path, mut notes } = choice;
        if path.is_none() && level.is_some() {
            notes.push("levels are for nets: without one, --level changes nothing".to_owned());
        }
        Model { file: model, path, notes }
    }

    /// The player that it makes for this budget; without a net the yardstick, which knows the rules alone.
    fn player(&self, level: Option<u32>, budget: PlayerBudget) -> PlayerSpec {
        match (&self.path, budget) {
            (Some(path), _) => PlayerSpec::of_model(path).at_level(level),
            (None, PlayerBudget::Simulations(_)) => "uniform".parse().expect("a player"),
            // It goes by no time.
            (None, PlayerBudget::MoveTime(_) | PlayerBudget::Clock(_)) => {
                format!("uniform@sims={SIMULATIONS}").parse().expect("a player")
            }
        }
    }
}

fn play<G: Playable>(
    args: &PlayArgs,
    rules: RuleSet,
    model: &Model,
    models: &[Option<ModelFile>],
    loaded: Option<SavedGame>,
) -> Result<()> {
    let budget = match (args.sims, args.movetime) {
        (_, Some(time)) => PlayerBudget::MoveTime(Duration::from_millis(time.get().into())),
        (simulations, None) => PlayerBudget::Simulations(simulations.map_or(SIMULATIONS, NonZero::get)),
    };
    let weakened = |player: &Participant| matches!(player, Participant::Program(spec) if spec.has_levels());
    if args.level.is_some() && !args.players.is_empty() && !args.players.iter().any(weakened) {
        return Err(CliError::usage("--level is for nets, and no player is one").into());
    }
    let program = |spec: &PlayerSpec, file: Option<&ModelFile>| -> Result<PlayerSeat<G>> {
        let entrant = Entrant::new::<G>(spec, rules, file, &Terms::of_budget(budget))?;
        Ok(PlayerSeat::Program { name: printable(entrant.name()).into_owned(), player: entrant.player() })
    };
    let seat = |place: usize| match &args.players[place] {
        Participant::Human => Ok(PlayerSeat::Person),
        Participant::Program(spec) => program(&spec.clone().at_level(args.level), models[place].as_ref()),
    };
    let opponent = match args.players.len() {
        0 => program(&model.player(args.level, budget), model.file.as_ref()),
        _ => seat(0),
    };
    let is_second = matches!(args.side, Some(SideArg::Second));
    let seats = match (args.players.len(), is_second) {
        (2, _) => [seat(0)?, seat(1)?],
        (_, false) => [PlayerSeat::Person, opponent?],
        (_, true) => [opponent?, PlayerSeat::Person],
    };
    let has_people = seats.iter().any(|seat| matches!(seat, PlayerSeat::Person));
    let begin = begin::<G>(args, rules, has_people, loaded)?;
    // From here on Ctrl-C is heard at the next look.
    interrupt::hush();
    let stop = interrupt::flag();
    let is_stopped = || stop.load(Ordering::Relaxed);
    let net = AnalysisNet::<G>::load(model.file.as_ref())?;
    let mut out = stdout();
    greet::<G>(&mut out, rules, &seats, model)?;
    let config = GameLoopConfig {
        rules,
        begin,
        view: view(args, &seats),
        seats,
        analyst: Analyst::new(&net, net.threads()),
        effort: match budget {
            PlayerBudget::MoveTime(time) => Effort::Time(time),
            PlayerBudget::Simulations(simulations) => Effort::Simulations(simulations),
            PlayerBudget::Clock(_) => unreachable!("no clock can be asked for here"),
        },
        commentary: if args.analysis { Commentary::On } else { Commentary::Off },
        seed: args.seed,
    };
    let input = TerminalInput::of(BufReader::new(io::stdin()))?;
    match GameLoop::new(config, Ends { input, out: Box::new(out), is_stopped: &is_stopped }).run()? {
        Left::Done => Ok(()),
        Left::Interrupted => Err(CliError::interrupted("you left the game").into()),
    }
}

/// How the first game begins: as the user says; in janggi a person who says nothing chooses the set-up.
fn begin<G: Playable>(
    args: &PlayArgs,
    rules: RuleSet,
    has_people: bool,
    loaded: Option<SavedGame>,
) -> Result<Begin<G>> {
    if let Some(saved) = loaded {
        if saved.game != G::ID {
            let message = format!("the saved game is one of {}, not of {}", saved.game, G::ID);
            return Err(CliError::usage(message).help("leave --game out").into());
        }
        return Ok(Begin::Saved(Box::new(saved)));
    }
    if !G::ID.facts().setups.is_empty() && has_people && args.start.is_empty() {
        return Ok(Begin::Setups);
    }
    let start: G = args.start.read(rules)?;
    position::tell_unusual(&start);
    Ok(Begin::From(Box::new(start)))
}

/// The board from the side of the person, if there is one; in colours where the terminal has them and they are wanted.
fn view<G: Playable>(args: &PlayArgs, seats: &[PlayerSeat<G>; 2]) -> BoardView {
    let bottom = match seats {
        [PlayerSeat::Program { .. }, PlayerSeat::Person] => Side::Second,
        _ => Side::First,
    };
    let colours = if colours::are_shown(&io::stdout()) { Colours::Ansi } else { Colours::Plain };
    BoardView { bottom, pieces: args.pieces, colours, legend: Legend::Shown }
}

fn greet<G: Playable>(
    out: &mut impl Write,
    rules: RuleSet,
    seats: &[PlayerSeat<G>; 2],
    model: &Model,
) -> Result<()> {
    let name = |seat: &PlayerSeat<G>| match seat {
        PlayerSeat::Person => "human".to_owned(),
        PlayerSeat::Program { name, .. } => name.clone(),
    };
    let [first, second] = side_names(G::ID);
    writeln!(out, "{} ({rules}): {first} {}, {second} {}", G::ID, name(&seats[0]), name(&seats[1]))?;
    for note in &model.notes {
        writeln!(out, "{}", printable(note))?;
    }
    if seats.iter().any(|seat| matches!(seat, PlayerSeat::Person)) {
        writeln!(out, "Type a move, or help. --game chooses another game:\n{}.", games())?;
    }
    Ok(())
}

fn games() -> String {
    GameId::ALL.map(GameId::as_str).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::dobutsu::Dobutsu;

    #[test]
    fn without_a_net_there_is_an_opponent_for_every_budget() {
        let none = Model { file: None, path: None, notes: Vec::new() };
        for (budget, name) in [
            (PlayerBudget::MoveTime(Duration::from_millis(1000)), "uniform@sims=400"),
            (PlayerBudget::Simulations(20), "uniform@sims=20"),
        ] {
            let spec = none.player(Some(3), budget);
            let terms = Terms::of_budget(budget);
            let entrant = Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, None, &terms).unwrap();
            assert_eq!(entrant.name(), name);
        }
    }

    #[test]
    fn a_level_without_a_net_is_told_to_change_nothing() {
        let none = || NetChoice { model: None, path: None, notes: Vec::new() };
        let notes = Model::of_game(none(), Some(3)).notes;
        assert!(notes.len() == 1 && notes[0].contains("--level"), "{notes:?}");
        assert!(Model::of_game(none(), None).notes.is_empty());
        let some = NetChoice { path: Some("dobutsu.sanki".into()), ..none() };
        assert!(Model::of_game(some, Some(3)).notes.is_empty());
    }
}
