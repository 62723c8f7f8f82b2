//! Commands about the program itself.

use super::commands;
use super::framing::{Answer, Fault, Reply};
use super::{Call, Engine, command_names};

pub(crate) fn protocol_version(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok("2".into())
}

pub(crate) fn name(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok("kiebitz".into())
}

pub(crate) fn version(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(env!("CARGO_PKG_VERSION").into())
}

pub(crate) fn known_command(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    let name = call.arguments.word()?;
    call.arguments.finish()?;
    Ok(if commands::find(name).is_some() { "true" } else { "false" }.into())
}

pub(crate) fn list_commands(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    Ok(command_names().join("\n").into())
}

pub(crate) fn quit(engine: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    engine.quit = true;
    Ok(Reply::done())
}

pub(crate) fn echo(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    Ok(call.arguments.rest().into())
}

/// Processor time in seconds, as far as the system says it.
pub(crate) fn cputime(_: &mut Engine, call: &mut Call<'_, '_>) -> Answer {
    call.arguments.finish()?;
    let seconds = std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| processor_seconds(&stat));
    let seconds = seconds.ok_or_else(|| Fault::new("the system does not say"))?;
    Ok(format!("{seconds:.2}").into())
}

/// User and system time of a process from Linux's `stat` (proc(5)), in whose 100ths of a second they are.
fn processor_seconds(stat: &str) -> Option<f64> {
    // The second field is the program's name in brackets, which may hold blanks.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}
