//! Player specs: names, settings and what is said about bad ones.

use std::collections::BTreeSet;
use std::time::Duration;

use kiebitz_core::{PlayerSpec, Rng, Settings, SpecError, parse_duration};

/// The settings of a search, as a player's builder reads them.
#[derive(Debug, PartialEq)]
struct Uct {
    visits: u64,
    time: Option<Duration>,
    exploration: f64,
    rave: bool,
    playout: &'static str,
}

fn uct(text: &str) -> Result<Uct, SpecError> {
    let spec: PlayerSpec = text.parse()?;
    let mut settings = Settings::new(&spec);
    let uct = Uct {
        visits: settings.integer("visits", 1_000, 1, 1_000_000)?,
        time: settings.duration("time")?,
        exploration: settings.number("c", 1.4, 0.0, 10.0)?,
        rave: settings.switch("rave", true)?,
        playout: settings.choice("playout", &["light", "heavy"])?,
    };
    settings.finish()?;
    Ok(uct)
}

#[test]
fn good_specs() {
    let default = uct("uct").unwrap();
    assert_eq!(default, Uct { visits: 1_000, time: None, exploration: 1.4, rave: true, playout: "light" });
    let all = uct("UCT: visits = 20_000, time=1.5s,c=0.7,rave=off,playout=heavy").unwrap();
    let time = Some(Duration::from_millis(1_500));
    assert_eq!(all, Uct { visits: 20_000, time, exploration: 0.7, rave: false, playout: "heavy" });
    assert_eq!(uct("uct:rave=yes").unwrap(), default);
    assert_eq!(uct("uct:visits=1").unwrap().visits, 1);
    let spec: PlayerSpec = " best:level=10 ".parse().unwrap();
    assert_eq!((spec.name.as_str(), spec.settings["level"].as_str()), ("best", "10"));
    // The settings come in a fixed order, so that equal specs have equal texts.
    let spec: PlayerSpec = "ismcts:visits=9,threads=2,a==b".parse().unwrap();
    assert_eq!(spec.to_string(), "ismcts:a==b,threads=2,visits=9");
    assert_eq!(spec.to_string().parse::<PlayerSpec>().unwrap(), spec);
    assert_eq!("greedy".parse::<PlayerSpec>().unwrap().to_string(), "greedy");
}

#[test]
fn bad_specs() {
    let form = "is not of the form name or name:key=value,key=value";
    for (text, code, message) in [
        ("", "spec.syntax", format!("player '' {form}: the name is empty")),
        (" :visits=1", "spec.syntax", format!("player ' :visits=1' {form}: the name is empty")),
        ("u c t", "spec.syntax", format!("player 'u c t' {form}: a name consists of letters, digits, - and _")),
        ("uct;x", "spec.syntax", format!("player 'uct;x' {form}: a name consists of letters, digits, - and _")),
        ("棋", "spec.syntax", format!("player '棋' {form}: a name consists of letters, digits, - and _")),
        ("uct:", "spec.syntax", format!("player 'uct:' {form}: '' has no =")),
        ("uct:visits", "spec.syntax", format!("player 'uct:visits' {form}: 'visits' has no =")),
        ("uct:visits=1,", "spec.syntax", format!("player 'uct:visits=1,' {form}: '' has no =")),
        ("uct:visits=", "spec.syntax", format!("player 'uct:visits=' {form}: 'visits=' lacks a key or a value")),
        ("uct:=1", "spec.syntax", format!("player 'uct:=1' {form}: '=1' lacks a key or a value")),
        ("uct:c=1,c=2", "spec.syntax", format!("player 'uct:c=1,c=2' {form}: 'c' is given twice")),
        (
            "uct:visit=1",
            "spec.unknown_key",
            "player 'uct' has no setting 'visit'; it has: visits, time, c, rave, playout".to_owned(),
        ),
        (
            "uct:visits=0",
            "spec.bad_value",
            "player 'uct': visits=0 cannot be used, it must be a whole number from 1 to 1000000".to_owned(),
        ),
        (
            "uct:visits=1e6",
            "spec.bad_value",
            "player 'uct': visits=1e6 cannot be used, it must be a whole number from 1 to 1000000".to_owned(),
        ),
        (
            "uct:visits=99999999999999999999",
            "spec.bad_value",
            "player 'uct': visits=99999999999999999999 cannot be used, it must be a whole number from 1 to 1000000".to_owned(),
        ),
        (
            "uct:c=NaN",
            "spec.bad_value",
            "player 'uct': c=NaN cannot be used, it must be a number from 0 to 10".to_owned(),
        ),
        (
            "uct:c=-0.1",
            "spec.bad_value",
            "player 'uct': c=-0.1 cannot be used, it must be a number from 0 to 10".to_owned(),
        ),
        (
            "uct:rave=maybe",
            "spec.bad_value",
            "player 'uct': rave=maybe cannot be used, it must be on or off".to_owned(),
        ),
        (
            "uct:playout=Light",
            "spec.bad_value",
            "player 'uct': playout=Light cannot be used, it must be one of light, heavy".to_owned(),
        ),
        (
            "uct:time=fast",
            "spec.bad_value",
            "player 'uct': time=fast cannot be used, it must be a duration such as 500ms, 1.5s or 2m, from 1ms to one day"
                .to_owned(),
        ),
    ] {
        let error = uct(text).unwrap_err();
        assert_eq!((error.code(), error.to_string()), (code, message), "{text}");
    }
    let long = uct(&format!("uct:c={}", "1".repeat(5_000))).unwrap_err().to_string();
    assert!(long.ends_with("is too long") && long.len() < 250, "{long}");
    let long = uct(&format!("uct:visits={}", "9".repeat(4_000))).unwrap_err().to_string();
    assert!(long.len() < 200, "{long}");
    let spec: PlayerSpec = "random:seed=1".parse().unwrap();
    let error = Settings::new(&spec).finish().unwrap_err();
    assert_eq!(error.to_string(), "player 'random' has no setting 'seed'; it has: none");
}

#[test]
fn durations() {
    for (text, milliseconds) in [
        ("500ms", 500),
        ("1.5s", 1_500),
        ("2", 2_000),
        ("2m", 120_000),
        ("1 min", 60_000),
        ("24h", 86_400_000),
        ("1ms", 1),
    ] {
        assert_eq!(parse_duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
    }
    for text in ["", "s", "0", "-1s", "0.5ms", "25h", "1d", "1e3", "inf", "nan", "1s1", "١s", "1.2.3s"] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
}

/// Any text is read or refused with one sentence, and what is read is written so that it is read the same.
#[test]
fn spoiled_specs() {
    const LETTERS: [char; 18] =
        [':', ',', '=', ' ', '_', '-', '0', '9', '.', 'e', 's', 'm', 'A', '\n', '\0', 'é', '棋', '\u{2003}'];
    let seeds = ["uct:time=1s,threads=2,rave=off", "random", "uct:visits=20_000,c=1.25", "pimc:samples=32,depth=3"];
    let mut rng = Rng::new(12);
    let (mut accepted, mut errors) = (0, BTreeSet::new());
    for i in 0..20_000 {
        let mut text: Vec<char> = seeds[i % seeds.len()].chars().collect();
        for _ in 0..=rng.below(4) {
            let at = rng.below(text.len() + 1);
            let letter = LETTERS[rng.below(LETTERS.len())];
            match rng.below(4) {
                0 => text.insert(at, letter),
                1 if at < text.len() => text[at] = letter,
                2 if at < text.len() => drop(text.remove(at)),
                _ => text.truncate(at.max(4)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(spec) = text.parse::<PlayerSpec>() {
            accepted += 1;
            assert_eq!(spec.to_string().parse::<PlayerSpec>().as_ref(), Ok(&spec), "{text}");
        }
        if let Err(e) = uct(&text) {
            assert!(e.to_string().len() < 400, "{e}");
            errors.insert(e.code());
        }
    }
    assert!(accepted > 5_000, "{accepted}");
    assert_eq!(errors, BTreeSet::from(["spec.bad_value", "spec.syntax", "spec.unknown_key"]));
}
