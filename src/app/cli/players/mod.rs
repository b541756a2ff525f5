//! Players of matches, ladders and games at the terminal: as they are named on the command line, and ready to play.

mod entrant;
mod spec;

pub use self::{
    entrant::{Entrant, Terms},
    spec::{PlayerSpec, parse_clock},
};
