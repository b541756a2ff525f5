//! What a line that a person types asks for.

/// What there is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    Help,
    /// The legal moves, of the piece on this square if one is named.
    Moves(String),
    Hint,
    Analysis,
    Undo,
    Flip,
    Pieces,
    Legend,
    Board,
    /// Into this file.
    Save(String, Overwrite),
    /// From this file.
    Load(String),
    New,
    Resign,
    Declare,
    Quit,
    /// None of these: a move, or nothing that is known.
    Other(String),
}

/// Whether a file that is there already may be written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overwrite {
    Never,
    Asked,
}

/// What a person is to type twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Warned<M> {
    /// This move.
    Move(M),
    /// A declaration.
    Declaration,
}

pub(super) const HELP: &str = "\
  h3e3, h3-e3    a move: from, to; c7c8+ promotes, P@e5 drops; or as players
                 of the game write it: C2.5, P-7f, 7g7f, P79-78; upper or
                 lower case
  e4             a square alone: what the piece there can do
  pass           in janggi, leaves everything as it is; two passes in a row end
                 the game, and so does a pass while the kings face each other
  moves          all legal moves
  hint           what the net would play for you
  analysis       score, depth and best moves at every turn; again: off
  undo           takes back your last move and the answer
  flip, pieces, legend, board   the other side below, characters or letters,
                 the names of the pieces, the board again
  save FILE, load FILE   saves this game, continues another; save! overwrites
  new            a new game, with the choice of set-ups in janggi
  resign, declare, quit   gives up; declares the king's entry, in shogi (a false
                 declaration loses); leaves the game";

impl PlayCommand {
    /// What `line` asks for: a command in any case, or a move.
    pub(super) fn of(line: &str) -> PlayCommand {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        let is_alone = rest.is_empty();
        match word.to_lowercase().as_str() {
            "moves" => PlayCommand::Moves(rest.to_lowercase()),
            "save" => PlayCommand::Save(rest, Overwrite::Never),
            "save!" => PlayCommand::Save(rest, Overwrite::Asked),
            "load" => PlayCommand::Load(rest),
            "help" | "?" | "h" if is_alone => PlayCommand::Help,
            "hint" if is_alone => PlayCommand::Hint,
            "analysis" | "analyse" if is_alone => PlayCommand::Analysis,
            "undo" if is_alone => PlayCommand::Undo,
            "flip" if is_alone => PlayCommand::Flip,
            "pieces" if is_alone => PlayCommand::Pieces,
            "legend" if is_alone => PlayCommand::Legend,
            "board" if is_alone => PlayCommand::Board,
            "new" if is_alone => PlayCommand::New,
            "resign" if is_alone => PlayCommand::Resign,
            "declare" if is_alone => PlayCommand::Declare,
            "quit" | "exit" | "q" if is_alone => PlayCommand::Quit,
            _ => PlayCommand::Other(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_any_case_and_files_as_they_are() {
        assert_eq!(PlayCommand::of("UNDO"), PlayCommand::Undo);
        assert_eq!(
            PlayCommand::of("Save  My Game.json"),
            PlayCommand::Save("My Game.json".into(), Overwrite::Never)
        );
        assert_eq!(PlayCommand::of("save! a"), PlayCommand::Save("a".into(), Overwrite::Asked));
        assert_eq!(PlayCommand::of("moves B1"), PlayCommand::Moves("b1".into()));
        assert_eq!(PlayCommand::of("horse c3"), PlayCommand::Other("horse c3".into()));
        assert!(HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
