//! Matches between players, and what their results are worth.
//!
//! Owns players, external engines among them, openings, the frozen yardstick, the referee, records and the statistics of matches. Knows nothing
//! of training.

mod alphabeta;
pub mod analysis;
mod book_builder;
mod explorer;
mod external;
mod folder;
mod forfeits;
mod ladder;
mod levels;
mod matches;
mod node_match;
mod openings;
mod player;
mod record;
mod referee;
mod saved;
mod scheduler;
mod stats;
mod uniform;
mod watch;

pub use alphabeta::AlphaBetaPlayer;
pub use book_builder::{BookBuilder, BookLimits};
pub use explorer::{Endings, Explorer};
#[doc(hidden)]
pub use external::overheard;
pub use external::{EngineSpec, EngineTimeouts, ExternalPlayer, check as check_engine, kill_all_engines};
pub use folder::{GamesOf, MatchFolder, games_path, next_number};
pub use forfeits::Forfeits;
pub use ladder::{Ladder, LadderConfig, Rank};
pub use levels::{CurvePoint, LevelMatch, Levels, LevelsConfig, measure_levels};
pub use matches::{Match, MatchConfig, MatchResult, SprtResult};
pub use node_match::{NodeMatch, NodeMatchConfig};
pub use openings::{
    GeneratorConfig, Opening, embedded, extend as extend_openings, generate, handicap_openings, read_openings,
};
pub use player::{Forfeit, GameClock, Player, PlayerAction, PlayerBudget, RandomPlayer, SearchPlayer, Turn};
pub use record::{GameCheck, MOST_MATCH_GAMES, MatchGame};
pub use saved::{Person, SavedClock, SavedGame, Seating};
pub use scheduler::{Competitor, Conditions, Factory, check_moves, check_start};
pub use stats::{Elo, Hypothesis, Meeting, N50, NodeScore, ParseSprtError, Ratings, Sprt, Tally, next_nodes};
pub use uniform::UniformPlayer;
pub use watch::Broken;
