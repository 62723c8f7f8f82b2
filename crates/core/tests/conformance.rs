//! The conformance suite: it passes a game that keeps its promises and finds every promise that is broken.

mod duel;

use duel::{Duel, DuelOptions, DuelSetup, FAULTS, Fault, broken};
use kiebitz_core::conformance::{Config, check, chi_squared, chi_squared_critical};

#[test]
fn a_sound_game_passes() {
    for players in 2..=3 {
        for rounds in 1..=3 {
            let options = DuelOptions { rounds, fault: Fault::None };
            let config = Config::<Duel>::new(players).options(options).setup(DuelSetup { pot: 4 }).games(40);
            let summary = check(&config).unwrap();
            assert_eq!(summary.finished, 40);
            assert!(summary.longest > usize::from(rounds * players), "{summary:?}");
            assert!(summary.distributions == 12 && summary.worlds > 500, "{summary:?}");
        }
    }
}

#[test]
fn every_fault_is_found() {
    let mut wrong = Vec::new();
    for &(fault, expected) in FAULTS {
        let config = Config::<Duel>::new(3).options(broken(fault)).setup(DuelSetup { pot: 2 }).games(200).seed(5);
        match check(&config) {
            Ok(summary) => wrong.push(format!("{fault:?} is not found: {summary:?}")),
            Err(failure) if failure.check != expected => wrong.push(format!("{fault:?} is found as {failure}")),
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {} faults:\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
}

#[test]
fn a_failure_tells_how_to_see_it_again() {
    let config = Config::<Duel>::new(2).options(broken(Fault::StaleKey));
    let failure = check(&config).unwrap_err();
    assert_eq!(failure.check, "key.incremental");
    assert!(failure.message.starts_with("the key kept up to date is 0x"), "{failure}");
    let read = kiebitz_core::record::Record::read(failure.record.as_bytes()).unwrap();
    let last = read.record.lines.last().unwrap().get("action").cloned();
    assert_eq!(last, Some("raise".into()));
    assert_eq!(check(&config).unwrap_err(), failure, "the suite is deterministic");
    // In a test the failure is printed by unwrap, readable.
    assert_eq!(format!("{failure:?}"), format!("{failure}"));
}

#[test]
fn games_are_broken_off() {
    let summary = check(&Config::<Duel>::new(2).max_actions(3).games(5)).unwrap();
    assert_eq!((summary.finished, summary.longest), (0, 3));
}

/// Reference values of the chi-squared distribution (R: `qchisq`), and what the approximation makes of them.
#[test]
fn chi_squared_quantiles() {
    let normal = [(3.090_232_306_167_813, 0.001), (1.644_853_626_951_473, 0.05)];
    for (degrees, thousandth, twentieth) in
        [(3, 16.266, 7.815), (10, 29.588, 18.307), (30, 59.703, 43.773), (100, 149.449, 124.342)]
    {
        for ((z, _), exact) in normal.into_iter().zip([thousandth, twentieth]) {
            let found = chi_squared_critical(degrees, z);
            assert!((found / exact - 1.0).abs() < 0.02, "{degrees} degrees: {found}, not {exact}");
        }
    }
    assert_eq!(chi_squared_critical(0, 3.0), 0.0);
}

#[test]
fn chi_squared_of_counts() {
    let fair = chi_squared(&[95, 105, 100, 100], &[0.25; 4]);
    assert!((fair.statistic - 0.5).abs() < 1e-12 && fair.degrees == 3 && fair.fits());
    assert!(!chi_squared(&[60, 145, 95, 100], &[0.25; 4]).fits());
    // Rare cells are pooled: 3 + 3 expected together.
    let pooled = chi_squared(&[50, 44, 4, 2], &[0.5, 0.44, 0.03, 0.03]);
    assert_eq!((pooled.statistic, pooled.degrees), (0.0, 2));
    // What cannot happen must not.
    assert!(!chi_squared(&[99, 1], &[1.0, 0.0]).fits());
    assert!(chi_squared(&[100, 0], &[1.0, 0.0]).fits());
}
