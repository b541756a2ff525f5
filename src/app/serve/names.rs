//! What players are called, in the visitor's language.

use super::{nets::NetId, texts::Texts};

/// The player that a game knows as `name`: a person, a net at a level (`published:janggi (level7)`), or whatever the
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
    match level.and_then(|level| level_name(texts, level)) {
        Some(level) => format!("{net} ({level})"),
        None => net,
    }
}

/// What the level is called that the page calls `key`: `level7`, `time3`.
fn level_name(texts: Texts, key: &str) -> Option<String> {
    match key.strip_prefix("level") {
        Some(number) => Some(texts.fill("levels.level", &[("level", number)])),
        None => texts.find(&format!("levels.{key}")).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::texts::Language, *};

    #[test]
    fn players_have_names_that_people_know() {
        let called = |name: &str| player(Texts::new(Language::English), name);
        assert_eq!(called("human"), "person");
        assert_eq!(called("published:janggi (level7)"), "Sanki (Level 7)");
        assert_eq!(called("run:first@40 (time3)"), "first 40 (Level 20: three seconds)");
        assert_eq!(called("run:first@40 (sims200)"), "first 40", "a level of before");
        assert_eq!(called("run:first"), "first");
        for other in ["uci:fairy-stockfish@nodes=100", "Lee (9 dan)", "", ")"] {
            assert_eq!(called(other), other);
        }
    }
}
