//! The file of types for the page: what it must contain, and the test that it does. `KIEBITZ_BLESS=1` rewrites it.

use ts_rs::{Config, TS};

use super::client::ClientMessage;
use super::common::*;
use super::http::*;
use super::server::{HintArea, ServerMessage, TableState, You};

const HEAD: &str = "// Made from crates/table/src/protocol by its test; do not edit. To make it again:\n\
// KIEBITZ_BLESS=1 cargo test -p kiebitz-table types_file\n\n/** Any JSON. */\nexport type JsonValue = any;\n";

fn declare<T: TS>(config: &Config, out: &mut String) {
    out.push('\n');
    if let Some(docs) = T::docs() {
        out.push_str(&docs);
    }
    out.push_str("export ");
    out.push_str(&T::decl(config));
    out.push('\n');
}

fn types() -> String {
    let config = Config::new().with_large_int("number");
    let mut out = HEAD.to_owned();
    macro_rules! declare_all {
        ($($t:ty),* $(,)?) => { $(declare::<$t>(&config, &mut out);)* };
    }
    declare_all!(
        ClockSetting,
        SeatSetting,
        SeatKind,
        SeatInfo,
        Phase,
        Outcome,
        MoveMade,
        ClockState,
        Measured,
        ReasonData,
        CandidateData,
        GroupStatus,
        SideCount,
        GoCount,
        Scoring,
        Asked,
        ClientMessage,
        You,
        TableState,
        HintArea,
        ServerMessage,
        ErrorBody,
        Info,
        GameKind,
        OptionKind,
        AskDefaults,
        Defaults,
        CreateGame,
        SeatToken,
        Invite,
        Created,
        Join,
        Joined,
        NewLinks,
        GameList,
        Mine,
        GameSummary,
        ChangeGame,
        Positions,
        Position,
        Branch,
        Analyse,
        Analysed,
        ReviewState,
        ReviewedMove,
        AskText,
        TextAnswer,
    );
    out
}

#[test]
fn types_file_is_not_stale() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/web/types.d.ts");
    let wanted = types();
    if std::env::var_os("KIEBITZ_BLESS").is_some() {
        std::fs::write(path, &wanted).expect("the file can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == wanted, "web/types.d.ts is stale: KIEBITZ_BLESS=1 cargo test -p kiebitz-table types_file");
}
