//! What may be set of the player while it runs, under KataGo's names.

use kiebitz_core::PlayerSpec;

use super::arguments::{flag, number};
use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine};

const PARAMS: [&str; 4] = ["allowResignation", "maxTime", "maxVisits", "numSearchThreads"];

pub(crate) fn list(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(PARAMS.join(" ").into())
}

fn unknown(name: &str) -> Fault {
    let name: String = name.chars().take(40).collect();
    Fault::new(format!("unknown parameter '{name}', known are: {}", PARAMS.join(", ")))
}

/// What is not limited is KataGo's large number.
const UNLIMITED: &str = "1e20";

pub(crate) fn get(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let name = call.arguments.word()?;
    call.arguments.finish()?;
    let spec = &engine.thinker.spec().settings;
    let setting = |key: &str| spec.get(key).cloned();
    Ok(match name {
        "allowResignation" => engine.thinker.options().resign.to_string(),
        "maxVisits" => setting("visits").unwrap_or_else(|| UNLIMITED.to_owned()),
        "maxTime" => match setting("time").and_then(|t| kiebitz_core::parse_duration(&t)) {
            Some(time) => time.as_secs_f64().to_string(),
            None => engine.thinker.options().time.as_secs_f64().to_string(),
        },
        "numSearchThreads" => setting("threads").unwrap_or_else(|| "1".to_owned()),
        _ => return Err(unknown(name)),
    }
    .into())
}

pub(crate) fn set(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let name = call.arguments.word()?;
    let value = call.arguments.word()?;
    call.arguments.finish()?;
    let mut spec = engine.thinker.spec().clone();
    match name {
        "allowResignation" => {
            engine.thinker.set_resign(flag(value).ok_or_else(Fault::syntax)?);
            return Ok(Reply::done());
        }
        "maxVisits" => set_number(&mut spec, "visits", value, |n| format!("{}", n as u64))?,
        "maxTime" => {
            set_number(&mut spec, "time", value, |n| format!("{}ms", ((n * 1000.0).round() as u64).max(1)))?;
        }
        "numSearchThreads" => set_number(&mut spec, "threads", value, |n| format!("{}", n as u64))?,
        _ => return Err(unknown(name)),
    }
    engine.thinker.set_spec(spec).map_err(|e| Fault::new(e.to_string()))?;
    Ok(Reply::done())
}

/// A number of at least 1 (a time: above 0); one beyond all bounds removes the setting.
fn set_number(spec: &mut PlayerSpec, key: &str, value: &str, text: impl Fn(f64) -> String) -> Result<(), Fault> {
    let n = number(value).filter(|&n| if key == "time" { n > 0.0 } else { n >= 1.0 }).ok_or_else(Fault::syntax)?;
    if n >= 1e9 && key != "threads" {
        spec.settings.remove(key);
    } else {
        spec.settings.insert(key.to_owned(), text(n));
    }
    Ok(())
}

/// Forgets everything searched so far.
pub(crate) fn clear_cache(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    engine.forget();
    Ok(Reply::done())
}

pub(crate) fn raw_nn(_: &mut Engine, _: &mut Call<'_, '_>) -> Answer {
    Err(Fault::new("no neural net is loaded: this program searches with playouts"))
}
