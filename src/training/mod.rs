//! Training: self-play, the replay window, the learner and the loop of generations, on one machine or many.

pub mod improve;
pub mod learner;
pub mod remote;
pub mod replay;
pub mod run;
pub mod selfplay;
