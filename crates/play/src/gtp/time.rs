//! Time controls: GTP's own, KGS's and KataGo's.

use std::time::Duration;

use super::arguments::Arguments;
use super::clocks::{Control, Left, seconds};
use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine};

fn time(arguments: &mut Arguments<'_>) -> Result<Duration, Fault> {
    arguments.amount().map(seconds)
}

fn set(engine: &mut Engine, control: Control) -> Answer {
    engine.clocks.set(control);
    Ok(Reply::done())
}

/// Main time, Canadian overtime and its stones. Overtime without stones is no limit at all; no overtime is absolute time.
pub(crate) fn time_settings(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let (main, period, stones) = (time(&mut call.arguments)?, time(&mut call.arguments)?, call.arguments.count()?);
    call.arguments.finish()?;
    set(engine, canadian(main, period, stones))
}

fn canadian(main: Duration, period: Duration, stones: u32) -> Control {
    match (period.is_zero(), stones) {
        (true, _) => Control::Absolute { main },
        (false, 0) => Control::Unlimited,
        (false, stones) => Control::Canadian { main, period, stones },
    }
}

pub(crate) fn time_left(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let color = call.arguments.color()?;
    // Servers tell players that are late so.
    let time = seconds(call.arguments.number()?);
    let stones = if call.arguments.is_empty() { 0 } else { call.arguments.count()? };
    call.arguments.finish()?;
    engine.clocks.set_left(color, Left { time, stones });
    Ok(Reply::done())
}

pub(crate) fn kgs_time_settings(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let kind = call.arguments.word()?.to_ascii_lowercase();
    let control = common(&kind, &mut call.arguments)?;
    call.arguments.finish()?;
    set(engine, control)
}

/// The kinds that KGS and KataGo have in common.
fn common(kind: &str, arguments: &mut Arguments<'_>) -> Result<Control, Fault> {
    Ok(match kind {
        "none" => Control::Unlimited,
        "absolute" => Control::Absolute { main: time(arguments)? },
        "canadian" => {
            let (main, period) = (time(arguments)?, time(arguments)?);
            canadian(main, period, arguments.count()?)
        }
        "byoyomi" => {
            let (main, period, periods) = (time(arguments)?, time(arguments)?, arguments.count()?);
            if period.is_zero() || periods == 0 {
                Control::Absolute { main }
            } else {
                Control::Byoyomi { main, period, periods }
            }
        }
        _ => return Err(Fault::syntax()),
    })
}

pub(crate) fn kata_list_time_settings(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok("none absolute canadian byoyomi fischer fischer-capped".into())
}

pub(crate) fn kata_time_settings(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let kind = call.arguments.word()?.to_ascii_lowercase();
    let arguments = &mut call.arguments;
    let control = match kind.as_str() {
        "fischer" => Control::Fischer { main: time(arguments)?, increment: time(arguments)? },
        "fischer-capped" => {
            let (main, increment) = (time(arguments)?, time(arguments)?);
            // KataGo takes negative numbers for no limit.
            let mut cap = || arguments.number().map(|x| if x < 0.0 { Duration::MAX } else { seconds(x) });
            Control::FischerCapped { main, increment, limit: cap()?, longest: cap()? }
        }
        kind => common(kind, arguments)?,
    };
    call.arguments.finish()?;
    set(engine, control)
}
