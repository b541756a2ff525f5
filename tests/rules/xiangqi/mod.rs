//! The rules of xiangqi and minixiangqi: against the verdicts of other programs, against a plain
//! implementation of the same rules, and one by one.

mod chase_cases;
mod cycles;
use crate::mirror;
mod oracles;
use crate::property;
mod random_games;
mod reference;
mod rule_cases;
use crate::verdicts;
mod wang1994;

use verdicts::{legal_moves, read};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const MINI_START: &str = "rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1";
