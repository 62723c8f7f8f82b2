//! What the dialogue says, in both languages.

use std::time::Duration;

use kiebitz_core::{Analysis, DynGame, Estimate, Illegal};

use crate::Lang;
use crate::reasons::{points_text, seat_name, win_rate_text};

/// The first line.
pub fn title(lang: Lang, game: &str) -> String {
    match lang {
        Lang::En => format!("kiebitz — {game}"),
        Lang::Zh => format!("kiebitz —— {game}"),
    }
}

/// How to type a move.
pub fn input_help(lang: Lang, game: &str) -> &'static str {
    match (lang, game) {
        (Lang::En, "go") => {
            "Type a move as D4, or as row and column: 3 4; further: pass, undo, hint, score, resign, save FILE, help, quit."
        }
        (Lang::Zh, "go") => {
            "输入着点 D4，或行与列 3 4；另有 pass（弃着）、undo、hint、score、resign、save 文件、help、quit。"
        }
        (Lang::En, _) => "Type a move (see: moves); further: undo, hint, resign, save FILE, help, quit.",
        (Lang::Zh, _) => "输入着法（moves 可列出全部）；另有 undo、hint、resign、save 文件、help、quit。",
    }
}

/// What can be typed.
pub fn help(lang: Lang, game: &str) -> String {
    let go = game == "go";
    match lang {
        Lang::En => {
            let moves = if go {
                "D4            play at column D, row 4\n3 4           play at row 3, column 4 (that is D3)\npass          pass\nscore         estimate the score and the dead stones\n"
            } else {
                "moves         list the legal moves\n"
            };
            format!(
                "{moves}undo          take back to your last move\nhint          the best moves, with reasons\nboard         print the board\nresign        give up\nsave FILE     save the game (.sgf, .jsonl, .jsonl.gz)\nsave! FILE    the same, replacing a file\nquit          leave"
            )
        }
        Lang::Zh => {
            let moves = if go {
                "D4            下在 D 列第 4 行\n3 4           下在第 3 行第 4 列（即 D3）\npass          弃着\nscore         估计目数与死子\n"
            } else {
                "moves         列出合法着法\n"
            };
            format!(
                "{moves}undo          悔棋，退回到你的上一手\nhint          给出好棋及理由\nboard         显示棋盘\nresign        认输\nsave 文件     保存对局（.sgf、.jsonl、.jsonl.gz）\nsave! 文件    同上，覆盖已有文件\nquit          退出"
            )
        }
    }
}

/// Asks a seat for its move.
pub fn prompt(lang: Lang, name: &str, mark: &str) -> String {
    let mark = if mark.is_empty() { String::new() } else { format!("({mark})") };
    match lang {
        Lang::En => format!("{name}{mark} to play\nyour move: "),
        Lang::Zh => format!("轮到{name}{mark}\n请落子："),
    }
}

/// The computer begins to think.
pub fn thinks(lang: Lang, name: &str) -> String {
    match lang {
        Lang::En => format!("{name} is thinking…"),
        Lang::Zh => format!("{name}思考中……"),
    }
}

/// The computer has played.
pub fn played(lang: Lang, name: &str, action: &str, elapsed: Duration, analysis: &Analysis) -> String {
    let (ms, visits) = (elapsed.as_millis(), analysis.visits);
    match (lang, action == "pass") {
        (Lang::En, true) => format!("{name} passes ({ms} ms, {visits} visits)"),
        (Lang::En, false) => format!("{name} plays {action} ({ms} ms, {visits} visits)"),
        (Lang::Zh, true) => format!("{name}弃着（{ms} 毫秒，{visits} 次模拟）"),
        (Lang::Zh, false) => format!("{name}下 {action}（{ms} 毫秒，{visits} 次模拟）"),
    }
}

/// How the computer judges its position.
pub fn judgement(lang: Lang, utility: Estimate, returns: Option<Estimate>) -> String {
    let points = returns.map(|r| format!(", {} {}", points_text(r), lang.choose("points", "目"))).unwrap_or_default();
    format!("{} {}{points}", lang.choose("win rate", "胜率"), win_rate_text(utility))
}

/// An action that cannot be played.
pub fn illegal(lang: Lang, e: &Illegal) -> String {
    match lang {
        Lang::En => format!("illegal move: {e}; try again"),
        Lang::Zh => format!("着法不合法，请重新输入（{e}）"),
    }
}

/// Who has won.
pub fn outcome(lang: Lang, game: &dyn DynGame) -> String {
    let utility = game.utility();
    let best = utility.as_slice().iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let winners: Vec<String> =
        (0..utility.players()).filter(|&s| utility.of(s) == best).map(|s| seat_name(game.id(), s, lang)).collect();
    let result = game.result().map(|r| format!(" ({r})")).unwrap_or_default();
    if winners.len() != 1 {
        return format!("{}{result}", lang.choose("Draw.", "和棋。"));
    }
    match lang {
        Lang::En => format!("{} wins{result}.", winners[0]),
        Lang::Zh => format!("{}胜{result}。", winners[0]),
    }
}
