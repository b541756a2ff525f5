//! The rules of shogi and minishogi: against the verdicts of other programs, against a plain implementation
//! of the same rules, and one by one.

mod oracles;
mod problems;
use crate::property;
mod random_games;
mod reference;
mod rule_cases;
mod text;
use crate::verdicts;

use verdicts::{legal_moves, read};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1";
const MINI_START: &str = "rbsgk/4p/5/P4/KGSBR[-] w 0 1";
