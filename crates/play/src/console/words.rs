//! What the dialogue says, in both languages.

use std::time::Duration;

use kiebitz_core::record::{By, What};
use kiebitz_core::{Analysis, DynGame, Estimate, Illegal};

use crate::Lang;
use crate::reasons::{points_text, seat_name, utility_name, win_rate_text};
use crate::save::SaveError;
use crate::terms::Terms;

/// The first line.
pub fn title(lang: Lang, game: &str) -> String {
    match lang {
        Lang::En => format!("kiebitz — {game}"),
        Lang::Zh => format!("kiebitz —— {game}"),
    }
}

/// How to type a move.
pub fn input_help(lang: Lang, game: &str) -> String {
    let Terms { input, pass, undo, .. } = Terms::of(game);
    match (lang, game) {
        (Lang::En, "go") => {
            "Type a move as D4, or as row and column: 3 4; further: pass, undo, hint, score, resign, save FILE, help, quit."
                .to_owned()
        }
        (Lang::Zh, "go") => {
            "输入着点 D4，或行与列 3 4；另有：停一手、悔棋、提示、形势、认输、保存 文件、帮助、退出（英文命令也可）。".to_owned()
        }
        (Lang::En, "paodekuai") => {
            "Type the cards (see: moves), or pass; further: undo, hint, resign, save FILE (after the end), help, quit."
                .to_owned()
        }
        (Lang::Zh, "paodekuai") => format!(
            "{input}（“着法”可列出全部）或“{pass}”；另有：{undo}、提示、认输、保存 文件（终局后）、帮助、退出（英文命令也可）。"
        ),
        (Lang::En, _) => "Type a move (see: moves); further: undo, hint, resign, save FILE, help, quit.".to_owned(),
        (Lang::Zh, _) => format!(
            "{input}（“着法”可列出全部）；另有：{undo}、提示、认输、保存 文件、帮助、退出（英文命令也可）。"
        ),
    }
}

/// What can be typed. `hidden`: the game hides something while it runs, and is saved after its end.
pub fn help(lang: Lang, game: &str, hidden: bool) -> String {
    let endings = if game == "go" { ".sgf, .jsonl, .jsonl.gz" } else { ".jsonl, .jsonl.gz" };
    match lang {
        Lang::En => {
            let moves = match game {
                "go" => {
                    "D4            play at column D, row 4\n3 4           play at row 3, column 4 (that is D3)\npass          pass\nscore         estimate the score and the dead stones\n"
                }
                "paodekuai" => {
                    "33444         play these cards, by their ranks 3 4 5 6 7 8 9 T J Q K A 2\npass          pass\nmoves         list the legal plays\n"
                }
                _ => "moves         list the legal moves\n",
            };
            let after = if hidden { "after the end, " } else { "" };
            format!(
                "{moves}undo          take back to your last move\nhint          the best moves, with reasons\nboard         print the board\nresign        give up\nsave FILE     {after}save the game ({endings})\nsave! FILE    the same, replacing a file\nquit          leave"
            )
        }
        Lang::Zh => {
            let Terms { moves, undo, board, pass, .. } = Terms::of(game);
            let moves = match game {
                "go" => "D4               下在 D 列第 4 行\n3 4              下在第 3 行第 4 列（即 D3）\n停一手 pass      弃着\n形势 score       估计目数与死子\n"
                    .to_owned(),
                "paodekuai" => format!(
                    "33444            出这些牌，点数为 3 4 5 6 7 8 9 T J Q K A 2\n{pass} pass        不出，也可写“过”\n着法 moves       列出{moves}\n"
                ),
                _ => format!("着法 moves       列出{moves}\n"),
            };
            let look = if game == "paodekuai" { "牌 board  " } else { "棋盘 board" };
            let after = if hidden { "终局后" } else { "" };
            let endings = endings.replace(", ", "、");
            format!(
                "{moves}{undo} undo        {undo}，退回到你的上一手\n提示 hint        给出最好的几手及理由\n{look}       显示{board}\n认输 resign      认输\n保存 save 文件   {after}保存对局（{endings}）\nsave! 文件       同上，覆盖已有文件\n退出 quit        离开"
            )
        }
    }
}

/// Asks a seat for its move.
pub fn prompt(lang: Lang, game: &str, name: &str, mark: &str) -> String {
    let ask = Terms::of(game).ask;
    match (lang, mark) {
        (Lang::En, "") => format!("{name} to play\nyour move: "),
        (Lang::En, _) => format!("{name}({mark}) to play\nyour move: "),
        (Lang::Zh, "") => format!("轮到{name}\n{ask}"),
        (Lang::Zh, _) => format!("轮到{name}（{mark}）\n{ask}"),
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
pub fn played(lang: Lang, game: &str, name: &str, action: &str, elapsed: Duration, analysis: &Analysis) -> String {
    let Terms { play, pass, .. } = Terms::of(game);
    let (ms, visits) = (elapsed.as_millis(), analysis.visits);
    let s = if visits == 1 { "" } else { "s" };
    match (lang, action == "pass") {
        (Lang::En, true) => format!("{name} passes ({ms} ms, {visits} visit{s})"),
        (Lang::En, false) => format!("{name} plays {action} ({ms} ms, {visits} visit{s})"),
        (Lang::Zh, true) => format!("{name}{pass}（{ms} 毫秒，{visits} 次模拟）"),
        (Lang::Zh, false) => format!("{name}{play}{action}（{ms} 毫秒，{visits} 次模拟）"),
    }
}

/// A person has passed.
pub fn passed(lang: Lang, game: &str, name: &str) -> String {
    match lang {
        Lang::En => format!("{name} passes."),
        Lang::Zh => format!("{name}{}。", Terms::of(game).pass),
    }
}

/// How the computer judges its position.
pub fn judgement(lang: Lang, game: &str, utility: Estimate, returns: Option<Estimate>) -> String {
    let (name, rate) = (utility_name(game, lang), win_rate_text(utility));
    let points = returns.map(points_text);
    match (lang, points) {
        (_, None) => format!("{name} {rate}"),
        (Lang::En, Some(points)) => format!("{name} {rate}, {points} points"),
        (Lang::Zh, Some(points)) => format!("{name} {rate}，{} {points}", Terms::of(game).points),
    }
}

/// A text of the person's as a sentence repeats it: short and without control characters.
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() { short + "…" } else { short }
}

/// An action that cannot be played.
pub fn illegal(lang: Lang, game: &str, action: &str, e: &Illegal) -> String {
    match lang {
        Lang::En => format!("illegal move, retry: {e}"),
        Lang::Zh => format!("{}，请重新输入：{}", Terms::of(game).illegal, reason_zh(action, e)),
    }
}

/// Why an action is illegal, in Chinese where the rule has a sentence.
fn reason_zh(action: &str, e: &Illegal) -> String {
    let action = clip(action);
    match e.code {
        "go.occupied" => format!("{action} 已有棋子"),
        "go.suicide" => format!("{action} 是自杀，落子后没有气"),
        "go.ko" => format!("{action} 是打劫，不能立即提回"),
        "go.superko" => format!("{action} 会使全局同形再现"),
        "game.over" => "对局已经结束".to_owned(),
        "paodekuai.text" => format!("{action} 不是牌；点数为 3 4 5 6 7 8 9 T J Q K A 2，不出写“不要”或 pass"),
        "paodekuai.not_held" => format!("手里没有 {action}"),
        "paodekuai.lead" => "轮到出牌，不能不出".to_owned(),
        "paodekuai.must_beat" => "有牌必打：手里有管得上的牌".to_owned(),
        "paodekuai.combination" => format!("{action} 不成牌型（带牌不足的只能最后一手出）"),
        "paodekuai.not_higher" => format!("{action} 管不上：须同牌型而更大"),
        "paodekuai.lead_card" => "第一手必须带上首出的那张牌".to_owned(),
        "paodekuai.bomb_split" => "炸弹不可拆".to_owned(),
        "paodekuai.highest_single" => "下家报单，单张须出最大".to_owned(),
        _ => e.to_string(),
    }
}

/// A line too long for a move.
pub fn too_long(lang: Lang) -> &'static str {
    lang.choose("format error, retry: the line is too long for a move", "格式错误，请重新输入：这一行太长，不是着法")
}

/// A game that was not saved.
pub fn not_saved(lang: Lang, e: &SaveError) -> String {
    if lang == Lang::En {
        return format!("not saved: {e}");
    }
    let why = match e {
        SaveError::Exists(path) => format!("{} 已存在；请换一个文件名，或用 save! 覆盖", path.display()),
        SaveError::Directory(path) => format!("{} 是目录；请给出文件名", path.display()),
        SaveError::NoDirectory(path) => format!("目录 {} 不存在；请先建立目录或换一个文件名", path.display()),
        SaveError::NoSgf { path, .. } => {
            format!("SGF 只用于围棋，{} 请改用 .jsonl 或 .jsonl.gz", path.display())
        }
        SaveError::Ending(path) => {
            format!("{} 的扩展名不是对局格式；可用 .sgf（围棋）、.jsonl 和 .jsonl.gz", path.display())
        }
        SaveError::NoEnding(path) => {
            format!("{} 没有扩展名，可能不是对局，不予覆盖；可用 .sgf（围棋）、.jsonl 和 .jsonl.gz", path.display())
        }
        SaveError::Hidden(_) => "对局中有暗牌，记录会全部写明，终局后才能保存".to_owned(),
        SaveError::Special(path) => format!("{} 不是普通文件；请换一个文件名", path.display()),
        SaveError::Io { path, kind } => format!("{} 无法写入（{kind}）", path.display()),
    };
    format!("未保存：{why}")
}

/// Who gave the game up, if somebody did.
pub fn forfeited(lang: Lang, game: &dyn DynGame) -> Option<String> {
    let record = game.record();
    let last = record.lines.last()?;
    let (By::Seat(seat), What::Event(event)) = (last.by(), last.what()) else { return None };
    let name = seat_name(game.id(), seat, lang);
    match (event, lang) {
        ("resign", Lang::En) => Some(format!("{name} resigns.")),
        ("resign", Lang::Zh) => Some(format!("{name}认输。")),
        ("timeout", Lang::En) => Some(format!("{name} has lost on time.")),
        ("timeout", Lang::Zh) => Some(format!("{name}超时负。")),
        _ => None,
    }
}

/// Who has won.
pub fn outcome(lang: Lang, game: &dyn DynGame) -> String {
    let utility = game.utility();
    let best = utility.as_slice().iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let winners: Vec<String> =
        (0..utility.players()).filter(|&s| utility.of(s) == best).map(|s| seat_name(game.id(), s, lang)).collect();
    let result = game.result().unwrap_or_default();
    let verdict = match (lang, &winners[..]) {
        (Lang::En, [winner]) => format!("{winner} wins"),
        (Lang::Zh, [winner]) => format!("{winner}胜"),
        // After a resignation among several all others share the win.
        (Lang::En, _) if winners.len() < usize::from(utility.players()) => format!("{} win", winners.join(" and ")),
        (Lang::Zh, _) if winners.len() < usize::from(utility.players()) => format!("{}胜", winners.join("、")),
        (Lang::En, _) if result == "Void" => "No result".to_owned(),
        (Lang::Zh, _) if result == "Void" => "无胜负".to_owned(),
        (Lang::En, _) => "Draw".to_owned(),
        (Lang::Zh, _) => Terms::of(game.id()).draw.to_owned(),
    };
    match (lang, result.as_str()) {
        (Lang::En, "") => format!("{verdict}."),
        (Lang::En, _) => format!("{verdict} ({result})."),
        (Lang::Zh, "") => format!("{verdict}。"),
        (Lang::Zh, _) => format!("{verdict}（{result}）。"),
    }
}
