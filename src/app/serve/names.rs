//! What players are called, in the visitor's language.

use super::{nets::NetId, texts::Texts};

/// The player that a game knows as `name`: a person, a net at a level (`published:janggi (sims200)`), or whatever the
/// name says by itself.
pub(super) fn player(texts: Texts, name: &str) -> String {
    if name == "human" {
        return texts.text("play.person").to_owned();
    }
    let (id, level) = match name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
        Some((id, level)) => (id, Some(level)),
        None => (name, None),
    };
    let Ok(net) = id.parse::<NetId>() else { return name.to_owned() };
    let net = match net {
        NetId::Published(_) => texts.text("play.published").to_owned(),
        NetId::Run(run, None) => run.to_string(),
        NetId::Run(run, Some(generation)) => format!("{run} {generation}"),
    };
    match level.and_then(|level| texts.find(&format!("levels.{level}"))) {
        Some(level) => format!("{net} ({level})"),
        None => net,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::texts::Language, *};

    #[test]
    fn players_have_names_that_people_know() {
        let called = |name: &str| player(Texts::new(Language::English), name);
        assert_eq!(called("human"), "person");
        assert_eq!(called("published:janggi (sims200)"), "Sanki (4: 200 simulations)");
        assert_eq!(called("run:first@40 (instinct)"), "first 40 (1: by instinct)");
        assert_eq!(called("run:first"), "first");
        for other in ["uci:fairy-stockfish@nodes=100", "Lee (9 dan)", "", ")"] {
            assert_eq!(called(other), other);
        }
    }
}
