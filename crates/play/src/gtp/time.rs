//! Time controls: GTP's own, KGS's and KataGo's.

use std::time::Duration;

use super::arguments::Arguments;
use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine};
use crate::clock::{ClockState, TimeSettings};

/// Seconds that may come from anybody, negative ones as none, at most a hundred years.
fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 3.2e9))
}

fn set(engine: &mut Engine, settings: TimeSettings) -> Answer {
    engine.clocks = ClockState::new(settings, 2);
    Ok(Reply::done())
}

/// Main time, Canadian overtime and its stones. Overtime without stones is no limit at all; no overtime is absolute time.
pub(crate) fn time_settings(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let (main, period) = (call.arguments.amount()?, call.arguments.amount()?);
    let stones = call.arguments.count()?;
    call.arguments.finish()?;
    set(engine, TimeSettings::from_gtp(seconds(main), seconds(period), stones))
}

pub(crate) fn time_left(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    // Servers tell players that are late so.
    let time = seconds(call.arguments.number()?);
    let stones = if call.arguments.is_empty() { 0 } else { call.arguments.count()? };
    call.arguments.finish()?;
    engine.clocks.set_time_left(color.index() as u8, time, stones);
    Ok(Reply::done())
}

pub(crate) fn kgs_time_settings(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let fischer = call.arguments.peek().is_some_and(|kind| kind.to_ascii_lowercase().starts_with("fischer"));
    if fischer {
        return Err(Fault::syntax());
    }
    let settings = words(&mut call.arguments)?;
    set(engine, settings)
}

fn words(arguments: &mut Arguments<'_>) -> Result<TimeSettings, Fault> {
    let mut words = Vec::new();
    while let Some(word) = arguments.next() {
        words.push(word);
    }
    TimeSettings::from_words(&words).map_err(|_| Fault::syntax())
}

pub(crate) fn kata_list_time_settings(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok("none absolute canadian byoyomi fischer fischer-capped".into())
}

pub(crate) fn kata_time_settings(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let settings = words(&mut call.arguments)?;
    set(engine, settings)
}
