//! The choice of set-ups before a game of janggi.

use std::io::Write;

use anyhow::Result;
use rand::RngExt;

use super::{
    game_loop::{GameLoop, Playable, PlayerSeat},
    input::Heard,
};
use crate::games::rules::{
    Side,
    janggi::{Formation, Formations},
};

impl<G: Playable> GameLoop<'_, G> {
    /// Lets Han choose its set-up and then Cho, as in tournaments. Programs draw theirs. `None` if a person left.
    pub(super) fn choose_setups(&mut self) -> Result<Option<Formations>> {
        let Some(han) = self.choose_setup(Side::Second)? else { return Ok(None) };
        let Some(cho) = self.choose_setup(Side::First)? else { return Ok(None) };
        Ok(Some(Formations { cho, han }))
    }

    fn choose_setup(&mut self, side: Side) -> Result<Option<Formation>> {
        let name = self.side(side);
        let formation = match self.seats[side.index()] {
            PlayerSeat::Program { .. } => Formation::ALL[self.rng.random_range(0..Formation::ALL.len())],
            PlayerSeat::Person => {
                self.say(format_args!("The set-up of {name}, from its own left to right:"))?;
                for (formation, number) in Formation::ALL.into_iter().zip(1..) {
                    let [hangul, roman, ..] = formation.names(side) else { unreachable!("each has names") };
                    self.say(format_args!("  {number}  {roman:<14} {:<38} {hangul}", in_english(roman)))?;
                }
                loop {
                    write!(self.ends.out, "set-up of {name}, 1 to 4 [1]> ")?;
                    self.ends.out.flush()?;
                    let line = match self.ends.input.next(self.ends.is_stopped)? {
                        Heard::Line(line) => line.to_lowercase(),
                        Heard::End | Heard::Stopped => return Ok(None),
                    };
                    if ["quit", "exit", "q"].contains(&line.as_str()) {
                        return Ok(None);
                    }
                    match named(&line, side) {
                        Some(formation) => break formation,
                        None => self.say(format_args!(
                            "'{}' is no set-up: type its number or its name, or quit",
                            clip(&line)
                        ))?,
                    }
                }
            }
        };
        let [_, roman, ..] = formation.names(side) else { unreachable!("each has names") };
        self.say(format_args!("{name} sets up {roman}."))?;
        Ok(Some(formation))
    }
}

/// The beginning of what was typed.
fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The formation of `side` that `text` names, in lowercase: its number, its letters or a name.
fn named(text: &str, side: Side) -> Option<Formation> {
    let by_number = match text {
        "" => Some(0),
        number => number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
    };
    let is_named =
        |formation: &Formation| formation.letters() == text || formation.names(side).contains(&text);
    match by_number {
        Some(place) => Formation::ALL.get(place).copied(),
        None => Formation::ALL.into_iter().find(is_named),
    }
}

/// `horse elephant elephant horse` of `masangsangma`.
fn in_english(roman: &str) -> String {
    roman.replace("sang", "elephant ").replace("ma", "horse ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_ups_have_numbers_and_names() {
        assert_eq!(in_english("masangsangma"), "horse elephant elephant horse");
        assert_eq!(named("", Side::First), Some(Formation::Nbbn));
        assert_eq!(named("2", Side::Second), Some(Formation::Bnnb));
        assert_eq!(named("masangmasang", Side::First), Some(Formation::Nbnb));
        assert_eq!(named("masangmasang", Side::Second), Some(Formation::Bnbn));
        assert_eq!(
            (named("5", Side::First), named("0", Side::First), named("x", Side::First)),
            (None, None, None)
        );
    }
}
