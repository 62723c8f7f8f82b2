//! The settings of the simple and exact searches, as written in player specs.

use kiebitz_core::{PlayerSpec, Settings, SpecError};
use kiebitz_search::{
    Allocation, AlphaBetaConfig, ExpectimaxConfig, FlatConfig, GreedyConfig, MaxNConfig, RandomConfig, Window,
};

fn read<C>(spec: &str, from: impl Fn(&mut Settings) -> Result<C, SpecError>) -> Result<C, SpecError> {
    let mut settings = Settings::new(&spec.parse::<PlayerSpec>()?);
    let config = from(&mut settings)?;
    settings.finish()?;
    Ok(config)
}

#[test]
fn no_settings_are_the_default() {
    assert_eq!(read("alphabeta", AlphaBetaConfig::from_settings), Ok(AlphaBetaConfig::default()));
    assert_eq!(read("maxn", MaxNConfig::from_settings), Ok(MaxNConfig::default()));
    assert_eq!(read("expectimax", ExpectimaxConfig::from_settings), Ok(ExpectimaxConfig::default()));
    assert_eq!(read("flat", FlatConfig::from_settings), Ok(FlatConfig::default()));
    assert_eq!(read("greedy", GreedyConfig::from_settings), Ok(GreedyConfig::default()));
    assert_eq!(read("random", RandomConfig::from_settings), Ok(RandomConfig));
}

#[test]
fn settings_are_read() {
    let spec = "alphabeta:depth=4,tt=0,ordering=off,window=null,extend=3,prune=off,rows=all,chance=leaf";
    let expected = AlphaBetaConfig {
        depth: Some(4),
        tt: 0,
        ordering: false,
        window: Window::Null,
        extend: 3,
        prune: false,
        all_rows: true,
        chance_leaves: true,
    };
    assert_eq!(read(spec, AlphaBetaConfig::from_settings), Ok(expected));
    let expected = MaxNConfig { depth: Some(2), prune: false, chance_leaves: true };
    assert_eq!(read("maxn:depth=2,prune=off,chance=leaf", MaxNConfig::from_settings), Ok(expected));
    let spec = "expectimax:depth=3,tt=5,ordering=off,window=full,star=1,prune=off,samples=8";
    let expected = ExpectimaxConfig {
        depth: Some(3),
        tt: 5,
        ordering: false,
        window: Window::Full,
        star: 1,
        prune: false,
        samples: 8,
    };
    assert_eq!(read(spec, ExpectimaxConfig::from_settings), Ok(expected));
    let expected = FlatConfig { policy: Allocation::Uniform, c: 0.5, k: 24, crn: true };
    assert_eq!(read("flat:policy=uniform,c=0.5,k=24,crn=on", FlatConfig::from_settings), Ok(expected));
    assert_eq!(read("greedy:samples=5", GreedyConfig::from_settings), Ok(GreedyConfig { samples: 5 }));
    assert_eq!(read("alphabeta:depth=0", AlphaBetaConfig::from_settings).unwrap().depth, None);
}

#[test]
fn bad_settings_are_refused() {
    for spec in ["alphabeta:depth=257", "alphabeta:tt=-1", "alphabeta:window=wide", "alphabeta:ordering=maybe"] {
        assert_eq!(read(spec, AlphaBetaConfig::from_settings).unwrap_err().code(), "spec.bad_value", "{spec}");
    }
    for spec in ["expectimax:star=3", "expectimax:samples=many"] {
        assert_eq!(read(spec, ExpectimaxConfig::from_settings).unwrap_err().code(), "spec.bad_value", "{spec}");
    }
    for spec in ["flat:c=-1", "flat:c=NaN", "flat:policy=best"] {
        assert_eq!(read(spec, FlatConfig::from_settings).unwrap_err().code(), "spec.bad_value", "{spec}");
    }
    assert_eq!(read("greedy:samples=0", GreedyConfig::from_settings).unwrap_err().code(), "spec.bad_value");
    assert_eq!(read("random:depth=1", RandomConfig::from_settings).unwrap_err().code(), "spec.unknown_key");
}
