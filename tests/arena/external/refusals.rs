//! Engines that cannot play are refused before a match.

use super::*;

#[test]
fn engines_that_cannot_play_are_refused_with_the_reason() {
    let marker = marker("refused");
    let bad = bad_engine(&marker);
    let check =
        |text: &str, game, rules| check_engine(&spec(text), game, rules).map_err(|error| error.to_string());
    let dobutsu = |text: &str, rules| check(text, GameId::Dobutsu, rules);
    assert_eq!(dobutsu(&format!("{bad}?threads=2"), RuleSet::Standard).as_deref(), Ok("Bad Engine"));
    let named = format!("{bad}?UCI_Variant=dobutsu");
    assert_eq!(dobutsu(&named, RuleSet::Threefold).as_deref(), Ok("Bad Engine"), "the user knows better");
    for (text, game, rules, part) in [
        (format!("{bad}?Thread=2"), GameId::Dobutsu, RuleSet::Standard, "no option 'Thread', but Threads"),
        (bad.clone(), GameId::Dobutsu, RuleSet::Threefold, "no variant for dobutsu under threefold"),
        (bad.clone(), GameId::Janggi, RuleSet::Points, "no variant for janggi under points"),
        ("usi:true".into(), GameId::Xiangqi, RuleSet::Axf, "xiangqi cannot be written in usi"),
        ("uci:no-such-engine".into(), GameId::Dobutsu, RuleSet::Standard, "'no-such-engine' does not start"),
        ("uci:true".into(), GameId::Dobutsu, RuleSet::Standard, "it ended before 'uciok': exit status: 0"),
    ] {
        let error = check(&text, game, rules).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert_nobody_is_left(&marker);
}

#[test]
fn an_engine_that_never_answers_loses_before_its_first_move() {
    let marker = marker("deaf");
    let limits = EngineTimeouts { handshake: Duration::from_millis(300), ..LIMITS };
    let engine = spec(&format!("{} deaf", bad_engine(&marker)));
    let mut player = ExternalPlayer::<Dobutsu>::new(engine, RuleSet::Standard, MOVE_TIME, limits);
    for _ in 0..2 {
        let forfeit = player.begin().unwrap_err();
        assert_eq!(forfeit, Forfeit { reason: Reason::Timeout, why: "no 'uciok' within 300.0ms".into() });
        assert_nobody_is_left(&marker);
    }
}

#[test]
fn who_announces_options_for_ever_is_refused() {
    let marker = marker("chatter");
    let engine = spec(&format!("{} chatter", bad_engine(&marker)));
    let begin = Instant::now();
    let error = check_engine(&engine, GameId::Dobutsu, RuleSet::Standard).unwrap_err().to_string();
    assert!(error.contains("more than 1000 options"), "{error}");
    assert!(begin.elapsed() < LIMITS.handshake, "it was not listened to for longer than that takes");
    assert_nobody_is_left(&marker);
}

#[test]
fn what_engines_say_is_printed_without_control_characters() {
    let marker = marker("colours");
    let engine = spec(&format!("{} colours", bad_engine(&marker)));
    let error = check_engine(&engine, GameId::Dobutsu, RuleSet::Standard).unwrap_err().to_string();
    assert!(error.contains("]0;my title") && !error.contains(char::is_control), "{error:?}");
    assert_nobody_is_left(&marker);
}
