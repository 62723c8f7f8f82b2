//! The formulas of the selection rules, and the settings read from player specs.

use std::time::Duration;

use kiebitz_core::{PlayerSpec, Settings, SpecError};
use kiebitz_search::select::{
    PriorForm, Rave, Widening, blend_mse, puct, rave_hand, rave_mse, strength, ucb1, widening,
};
use kiebitz_search::{Parallel, PuctSettings, RAVE_BIAS, RAVE_C, RAVE_K, UctSettings, node_bytes};

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn go_04_ucb1() {
    // w/n + c·sqrt(ln N / n) by hand: 3 wins of 4 visits, 100 visits of the parent.
    close(ucb1(0.75, 4.0, 100f64.ln(), std::f64::consts::SQRT_2), 0.75 + (2.0 * 100f64.ln() / 4.0).sqrt());
    close(ucb1(0.75, 4.0, 100f64.ln(), 0.0), 0.75);
    close(ucb1(0.5, 10.0, 1f64.ln(), 1.4), 0.5);
}

#[test]
fn rave_schedules() {
    close(rave_hand(0.0, 1000.0), 1.0);
    close(rave_hand(1000.0, 1000.0), 0.5);
    assert!(rave_hand(1e9, 1000.0) < 1e-3);
    close(rave_mse(0.0, 7.0, 0.01), 1.0);
    close(rave_mse(5.0, 0.0, 0.01), 0.0);
    close(rave_mse(10.0, 20.0, 0.1), 20.0 / (10.0 + 20.0 + 4.0 * 10.0 * 20.0 * 0.01));
    // The equivalence of 3,000 visits that the default bias stands for.
    assert!((4.0 * RAVE_BIAS * RAVE_BIAS * 3000.0 - 1.0).abs() < 1e-3);
}

#[test]
fn blended_mean_is_the_weighted_mean() {
    for (w, n, s, m, bias) in [(3.0, 4.0, 50.0, 90.0, 0.05), (0.0, 0.0, 2.0, 5.0, 0.1), (7.5, 20.0, 1.0, 1.0, 0.0)] {
        let beta = rave_mse(n, m, bias);
        let mean = if n > 0.0 { w / n } else { 0.0 };
        close(blend_mse(w, n, s, m, bias), (1.0 - beta) * mean + beta * s / m);
    }
}

#[test]
fn prior_formulas() {
    close(strength(0.01, 100), 0.5);
    close(strength(0.03, 100), 0.75);
    close(strength(0.0, 100), 0.0);
    let near = |(sum, n): (f64, f64), want: (f64, f64)| {
        close(sum, want.0);
        close(n, want.1);
    };
    near(PriorForm::Mean.visits(0.03, 100, 20.0), (15.0, 20.0));
    near(PriorForm::Root.visits(0.01, 100, 20.0), (10.0, 20.0));
    near(PriorForm::Root.visits(0.04, 100, 20.0), (20.0 * 2.0 / 3.0, 20.0));
    near(PriorForm::Root.visits(0.0, 100, 20.0), (0.0, 20.0));
    near(PriorForm::Wins { wins: 40.0 }.visits(0.25, 100, 10.0), (25.0, 30.0));
    close(puct(0.5, 0.2, 3.0, 10.0, 1.5), 0.5 + 1.5 * 0.2 * 10.0 / 4.0);
    assert_eq!(widening(0, 2.0, 0.5), 1);
    assert_eq!(widening(1, 2.0, 0.5), 2);
    assert_eq!(widening(100, 2.0, 0.5), 20);
    assert_eq!(widening(101, 1.0, 0.5), 11);
}

#[test]
fn go_18_bytes_per_node() {
    assert!(node_bytes::<u16>() <= 64 && node_bytes::<u32>() <= 64 && node_bytes::<[u8; 4]>() <= 64);
    assert_eq!(node_bytes::<u16>(), 48);
}

fn uct(spec: &str) -> Result<UctSettings, SpecError> {
    let spec: PlayerSpec = spec.parse()?;
    let mut settings = Settings::new(&spec);
    let uct = UctSettings::from_settings(&mut settings)?;
    settings.finish()?;
    Ok(uct)
}

#[test]
fn go_24_defaults() {
    let settings = uct("uct").unwrap();
    assert_eq!(settings, UctSettings::default());
    assert_eq!(settings.c, std::f64::consts::SQRT_2);
    assert_eq!(settings.fpu, f64::INFINITY);
    assert!(!settings.tree.budget.is_limited());
}

#[test]
fn every_setting_of_uct_is_read() {
    let settings =
        uct("uct:visits=500,time=1500ms,threads=3,c=0.7,fpu=1.1,rave=mse,rave-bias=0.02,prior=7,bias=0.5,widen=4,\
         prior-form=wins,prior-wins=30,\
         widen-power=0.4,expand=8,memory=64,parallel=root,vloss=3,early=off,reuse=off,seed=0,eval=0.25")
        .unwrap();
    assert_eq!(settings.tree.budget.visits, Some(500));
    assert_eq!(settings.tree.budget.time, Some(Duration::from_millis(1500)));
    assert_eq!((settings.tree.threads, settings.tree.parallel), (3, Parallel::Root));
    assert_eq!((settings.c, settings.fpu, settings.rave), (0.7, 1.1, Rave::Mse { bias: 0.02 }));
    assert_eq!((settings.prior_visits, settings.bias), (7.0, 0.5));
    assert_eq!(settings.prior_form, PriorForm::Wins { wins: 30.0 });
    assert_eq!(uct("uct:prior-form=root").unwrap().prior_form, PriorForm::Root);
    assert_eq!(settings.widening, Some(Widening { factor: 4.0, power: 0.4 }));
    assert_eq!((settings.tree.expand_after, settings.tree.memory, settings.tree.virtual_loss), (8, 64, 3));
    assert!(!settings.tree.early_stop && !settings.tree.reuse);
    assert_eq!((settings.tree.seed, settings.tree.eval), (Some(0), 0.25));
    assert_eq!(uct("uct:fpu=inf").unwrap().fpu, f64::INFINITY);
}

#[test]
fn exploration_follows_rave_unless_set() {
    assert_eq!(uct("uct:rave=hand").unwrap().rave, Rave::Hand { k: RAVE_K });
    assert_eq!(uct("uct:rave=hand").unwrap().c, RAVE_C);
    assert_eq!(uct("uct:rave=hand,c=0.3").unwrap().c, 0.3);
    let spec: PlayerSpec = "uct:rave=off".parse().unwrap();
    let read = UctSettings::rave().read(&mut Settings::new(&spec)).unwrap();
    assert_eq!((read.rave, read.c), (Rave::Off, std::f64::consts::SQRT_2));
    let spec: PlayerSpec = "uct".parse().unwrap();
    assert_eq!(UctSettings::rave().read(&mut Settings::new(&spec)).unwrap(), UctSettings::rave());
}

#[test]
fn bad_settings_are_refused_by_name() {
    for (spec, code) in [
        ("uct:visits=0", "spec.bad_value"),
        ("uct:threads=0", "spec.bad_value"),
        ("uct:c=nan", "spec.bad_value"),
        ("uct:rave=maybe", "spec.bad_value"),
        ("uct:seed=-1", "spec.bad_value"),
        ("uct:depth=3", "spec.unknown_key"),
    ] {
        assert_eq!(uct(spec).unwrap_err().code(), code, "{spec}");
    }
    assert!(uct("uct:seed=x").unwrap_err().to_string().starts_with("player 'uct'"));
}

#[test]
fn settings_of_puct_are_read() {
    let spec: PlayerSpec = "puct:c=2,fpu=0.3,visits=10".parse().unwrap();
    let mut settings = Settings::new(&spec);
    let puct = PuctSettings::from_settings(&mut settings).unwrap();
    settings.finish().unwrap();
    assert_eq!((puct.c, puct.fpu_reduction, puct.tree.budget.visits), (2.0, 0.3, Some(10)));
}
