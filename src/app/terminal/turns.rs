//! What a person does at the board.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{
    board::points,
    command::{HELP, Overwrite, PlayCommand, Warned},
    game_loop::{Commentary, GameLoop, Playable, Turned},
    input::Heard,
    messages::{end_by_pass, in_words},
    moves::{legal, of_square, read, texts},
};
use crate::{
    app::report::side_names,
    base::store::{printable, write_atomic, write_new},
    games::{
        notation::is_pass,
        records::Format,
        rules::{Declaration, Outcome, Reason, Verdict},
    },
};

impl<G: Playable> GameLoop<'_, G> {
    /// Asks until something changes.
    pub(super) fn person_acts(&mut self) -> Result<Turned> {
        loop {
            let prompt = match (self.outcome(), self.game().side_to_move()) {
                (Some(_), _) => "game over: undo, new, save FILE, quit> ".to_owned(),
                (None, side) => format!("{} to move> ", self.side(side)),
            };
            write!(self.ends.out, "{prompt}")?;
            self.ends.out.flush()?;
            let line = match self.ends.input.next(self.ends.is_stopped)? {
                Heard::Line(line) => line,
                Heard::End | Heard::Stopped => {
                    self.say("")?;
                    return Ok(Turned::Left);
                }
            };
            if line.is_empty() {
                continue;
            }
            if let Some(turned) = self.obey(PlayCommand::of(&line))? {
                return Ok(turned);
            }
        }
    }

    /// Does what is asked for; `None` where the person is to be asked again.
    fn obey(&mut self, command: PlayCommand) -> Result<Option<Turned>> {
        let warned = self.warned.take();
        let is_over = self.outcome().is_some();
        let shown = Ok(Some(Turned::Shown));
        match command {
            PlayCommand::Help => self.say(HELP)?,
            PlayCommand::Quit => return Ok(Some(Turned::Left)),
            PlayCommand::Undo if self.undo() => return shown,
            PlayCommand::Undo => self.say("there is nothing to take back")?,
            PlayCommand::New => {
                let began = self.new_game()?;
                return Ok(Some(if began { Turned::Shown } else { Turned::Left }));
            }
            PlayCommand::Flip | PlayCommand::Pieces | PlayCommand::Legend | PlayCommand::Board => {
                self.change_view(&command);
                return shown;
            }
            PlayCommand::Save(name, overwrite) => self.save(&name, overwrite)?,
            PlayCommand::Load(name) => match self.try_load(&name) {
                Ok(()) => return shown,
                Err(why) => self.say(why)?,
            },
            _ if is_over => self.say("the game is over")?,
            PlayCommand::Moves(square) => self.list_moves(&square)?,
            PlayCommand::Hint => {
                let hint = self.hint();
                self.say(hint)?;
            }
            PlayCommand::Analysis => self.switch_commentary()?,
            PlayCommand::Resign => {
                let loser = self.game().side_to_move();
                self.ended = Some((Outcome::win(!loser, Reason::Resignation), None));
                return shown;
            }
            PlayCommand::Declare if !G::ID.facts().has_declarations => {
                self.say(format_args!("{} knows no declaration", G::ID))?;
            }
            PlayCommand::Declare if warned != Some(Warned::Declaration) => self.warn_of_declaring()?,
            PlayCommand::Declare => {
                self.ended = Some(self.declare());
                return shown;
            }
            PlayCommand::Other(text) => return self.play_text(&text, warned),
        }
        Ok(None)
    }

    /// Turns the board or changes what is written on it, as `command` says.
    fn change_view(&mut self, command: &PlayCommand) {
        let view = &mut self.view;
        match command {
            PlayCommand::Flip => view.bottom = !view.bottom,
            PlayCommand::Pieces => view.pieces = view.pieces.other(),
            PlayCommand::Legend => view.legend = view.legend.other(),
            _ => {}
        }
    }

    /// The comments on each position: off, or on from this one.
    fn switch_commentary(&mut self) -> Result<()> {
        if self.commentary == Commentary::On {
            self.commentary = Commentary::Off;
            return self.say("analysis: off");
        }
        self.commentary = Commentary::On;
        let line = self.commentary_line();
        self.say(line)
    }

    /// What a declaration comes to, and what is to be said of it. One that wins has ended the game already: nobody needs
    /// to make it.
    fn declare(&self) -> (Outcome, Option<String>) {
        match self.game().declaration() {
            Some(Declaration::Win) => (Outcome::win(self.game().side_to_move(), Reason::Declaration), None),
            Some(Declaration::Draw) => (Outcome::draw(Reason::Declaration), None),
            None => {
                let lost = Outcome::win(!self.game().side_to_move(), Reason::IllegalMove);
                (lost, Some("A false declaration loses.".to_owned()))
            }
        }
    }

    fn warn_of_declaring(&mut self) -> Result<()> {
        let (outcome, note) = self.declare();
        let warning = format!("a declaration ends the game: {}.", in_words::<G>(&outcome));
        let why = note.unwrap_or_else(|| outcome.reason.sentence().to_owned());
        self.warn(Warned::Declaration, &warning, &why)
    }

    /// Says what `warned` leads to, which the person has to type again.
    fn warn(&mut self, warned: Warned<G::Move>, warning: &str, why: &str) -> Result<()> {
        self.warned = Some(warned);
        let warning = self.view.alarm(warning);
        self.say(warning)?;
        self.say(format_args!("{why} Type it once more to do it."))
    }

    /// What is to be said before `mv` is played, and how the game then ends: that it ends the game and does not win it, or
    /// is a pass that ends it, or lets the other side end and win it with another pass.
    fn warning_of(&self, mv: G::Move) -> Option<(String, Outcome)> {
        let side = self.game().side_to_move();
        let is_a_pass = is_pass(&mv.to_string());
        if let Some(outcome) = self.ends_by(mv) {
            let what = if is_a_pass { "a pass" } else { "that move" };
            let is_to_be_said = is_a_pass || outcome.verdict != Verdict::Win(side);
            return is_to_be_said
                .then(|| (format!("{what} ends the game: {}.", in_words::<G>(&outcome)), outcome));
        }
        let outcome = end_by_pass(&self.game().after(mv)).filter(|_| is_a_pass)?;
        (outcome.verdict == Verdict::Win(!side)).then(|| {
            let other = side_names(G::ID)[(!side).index()];
            (format!("{other} can pass too, and the game ends: {}.", in_words::<G>(&outcome)), outcome)
        })
    }

    /// Plays what was typed if it is a move, after the warning that it deserves.
    fn play_text(&mut self, text: &str, warned: Option<Warned<G::Move>>) -> Result<Option<Turned>> {
        let mv = match read(self.game(), self.moves.last().copied(), text) {
            Ok(mv) => mv,
            Err(why) => {
                self.say(why)?;
                return Ok(None);
            }
        };
        if warned != Some(Warned::Move(mv))
            && let Some((warning, outcome)) = self.warning_of(mv)
        {
            self.warn(Warned::Move(mv), &warning, outcome.reason.sentence())?;
            return Ok(None);
        }
        let promoting = format!("{mv}+");
        let could_promote = legal(self.game()).iter().any(|other| other.to_string() == promoting);
        self.push(mv);
        if could_promote {
            self.say(format_args!("note: {promoting} would have promoted; undo takes it back"))?;
        }
        Ok(Some(Turned::Shown))
    }

    fn list_moves(&mut self, square: &str) -> Result<()> {
        let moves = legal(self.game());
        if square.is_empty() {
            return self.say(texts(moves).join(" "));
        }
        let line = match points(square)[..] {
            [point] => of_square(self.game(), &moves, point),
            _ => format!("'{}' is no square, as e4 is one", square.chars().take(20).collect::<String>()),
        };
        self.say(line)
    }

    /// Takes back an end that a person made, or else moves up to the last one of a person; whether there was anything.
    fn undo(&mut self) -> bool {
        let had_ended = self.ended.take().is_some();
        // A program that made the end would make it again.
        if had_ended && self.is_person(self.game().side_to_move()) {
            return true;
        }
        let place =
            self.games[..self.moves.len()].iter().rposition(|game| self.is_person(game.side_to_move()));
        if let Some(place) = place {
            self.moves.truncate(place);
            self.games.truncate(place + 1);
        }
        had_ended || place.is_some()
    }

    fn save(&mut self, name: &str, overwrite: Overwrite) -> Result<()> {
        let path = match (name, &self.file) {
            ("", Some(path)) => path.clone(),
            ("", None) => return self.say("save where? `save FILE`"),
            (name, _) => PathBuf::from(name),
        };
        if self.file.as_ref() != Some(&path) && Format::of(&path.to_string_lossy(), &[]).is_some() {
            let own = shown(&path.with_extension("json"));
            return self.say(format_args!(
                "games are saved as JSON: `save {own}`; sanki convert writes other formats"
            ));
        }
        let may_overwrite = overwrite == Overwrite::Asked || self.file.as_ref() == Some(&path);
        let text = self.saved().to_text();
        if path.exists() && !may_overwrite {
            return self.say(format_args!("{} exists already: `save! {0}` overwrites it", shown(&path)));
        }
        let write = if may_overwrite { write_atomic } else { write_new };
        match write(&path, text.as_bytes()) {
            Ok(()) => {
                self.say(format_args!("saved in {}", shown(&path)))?;
                self.file = Some(path);
                Ok(())
            }
            Err(error) => self.say(printable(&format!("{error:#}"))),
        }
    }

    fn try_load(&mut self, name: &str) -> Result<(), String> {
        if name.is_empty() {
            return Err("load what? `load FILE`".to_owned());
        }
        self.load(name.into()).map_err(|error| printable(&format!("{error:#}")).into_owned())
    }
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}
