//! Reasons as sentences, in English and Chinese.

use kiebitz_core::{Analysis, Candidate, Estimate, Reason, Seat};

use crate::Lang;
use crate::terms::Terms;

/// The name of a seat in the game's own words.
pub fn seat_name(game: &str, seat: Seat, lang: Lang) -> String {
    match (game, seat) {
        ("go", 0) => lang.choose("Black", "黑方").to_owned(),
        ("go", 1) => lang.choose("White", "白方").to_owned(),
        _ => match lang {
            Lang::En => format!("player {}", seat + 1),
            Lang::Zh => format!("玩家{}", seat + 1),
        },
    }
}

fn percent(x: f64) -> String {
    format!("{:.0} %", 100.0 * x)
}

/// As [`percent`], but what is neither impossible nor sure is not told to be.
fn chance(x: f64, lang: Lang) -> String {
    if 0.0 < x && x < 0.01 {
        lang.choose("under 1 %", "不到 1 %").to_owned()
    } else if 0.99 < x && x < 1.0 {
        lang.choose("over 99 %", "超过 99 %").to_owned()
    } else {
        percent(x)
    }
}

fn points(x: f64) -> String {
    format!("{x:.1}")
}

/// `1 stone`, `2 stones`.
fn stones(n: f64) -> String {
    if n == 1.0 { "1 stone".to_owned() } else { format!("{n} stones") }
}

/// One reason as a sentence; a reason this build does not know is shown as data, never dropped.
pub fn sentence(game: &str, reason: &Reason, lang: Lang) -> String {
    let subject = reason.subject.join(" ");
    let n = |name: &str| reason.number(name);
    let zh = lang == Lang::Zh;
    match reason.code.as_str() {
        "go.lead" => {
            let leader = seat_name("go", u8::from(n("points") < 0.0), lang);
            let (by, error) = (points(n("points").abs()), points(n("error")));
            // Who leads is not known: the bound that the table has too.
            if n("points").abs() < 2.0 * n("error") || by == "0.0" {
                let black = format!("{:+.1}", n("points") + 0.0);
                return if zh {
                    format!("双方形势接近（{} {black} ± {error} 目）", seat_name("go", 0, lang))
                } else {
                    format!("the game is about even ({black} ± {error} points for {})", seat_name("go", 0, lang))
                };
            }
            if zh {
                format!("{leader}领先 {by} ± {error} 目")
            } else {
                format!("{leader} leads by {by} ± {error} points")
            }
        }
        "go.group_danger" => {
            let owner = seat_name("go", n("color") as Seat, lang);
            let (count, before, after) = (n("stones"), percent(n("before")), percent(n("after")));
            if zh {
                format!("{owner} {subject} 一带 {count} 子被杀的可能由 {before} 变为 {after}")
            } else {
                format!("the danger to {owner}'s {} at {subject} goes from {before} to {after}", stones(count))
            }
        }
        "go.group_unsettled" => {
            let owner = seat_name("go", n("color") as Seat, lang);
            let (count, danger) = (n("stones"), percent(n("danger")));
            if zh {
                format!("{owner} {subject} 一带 {count} 子被杀的可能为 {danger}")
            } else {
                format!("the danger to {owner}'s {} at {subject} is {danger}", stones(count))
            }
        }
        "go.capture" => {
            let count = n("stones");
            if zh {
                format!("提掉 {subject} 的 {count} 子")
            } else {
                format!("it captures {} at {subject}", stones(count))
            }
        }
        "go.atari_escape" => {
            let count = n("stones");
            if zh {
                format!("救出 {subject} 被打吃的 {count} 子")
            } else {
                format!("it saves {} in atari at {subject}", stones(count))
            }
        }
        "go.area" => {
            let gain = points(n("points"));
            if zh {
                format!("在 {subject} 一带多得 {gain} 目")
            } else {
                format!("it gains {gain} points around {subject}")
            }
        }
        "threat" => {
            let cost = if reason.numbers.contains_key("points") {
                let p = points(n("points"));
                if zh { format!("损失 {p} 目") } else { format!("{p} points") }
            } else {
                let (p, name) = (percent(n("utility")), utility_name(game, lang));
                if zh { format!("{name}下降 {p}") } else { format!("{p} of the {name}") }
            };
            if zh {
                format!("若此处脱先，对方会下 {subject}，{cost}")
            } else if game == "go" {
                format!("if you passed here, the opponent would play {subject}: that costs {cost}")
            } else {
                format!("if you did nothing, the opponent would play {subject}: that costs {cost}")
            }
        }
        "paodekuai.sure_win" if reason.numbers.contains_key("place") => {
            let place = n("place");
            if zh {
                format!("稳得第 {place}：{subject}，无人能管")
            } else {
                format!("place {place} is sure: {subject}, nobody can beat any but the last")
            }
        }
        "paodekuai.sure_win" if zh => format!("必胜：{subject}，无人能管"),
        "paodekuai.sure_win" => format!("it wins for sure: {subject}, nobody can beat any but the last"),
        "paodekuai.proven_win" => {
            let worlds = n("worlds");
            if zh {
                format!("必胜：{subject}，在全部 {worlds} 种可能的牌局中都先出完")
            } else {
                format!("{subject} wins for sure: it can be first out in all {worlds} deals that are possible")
            }
        }
        "paodekuai.out" => lang.choose("it empties the hand", "出完手牌").to_owned(),
        "paodekuai.nothing_beats" if zh => format!("没有牌能管 {subject}"),
        "paodekuai.nothing_beats" => format!("nothing in the hand beats {subject}"),
        "paodekuai.unbeatable" if zh => format!("{subject} 无人能管"),
        "paodekuai.unbeatable" => format!("nobody can beat {subject}"),
        "paodekuai.beaten" => {
            let chance = chance(n("chance"), lang);
            let soft = reason.numbers.contains_key("ess").then(|| format!("{:.0}", n("ess")));
            match (zh, soft) {
                (true, None) => format!("{subject} 被管的可能为 {chance}"),
                (true, Some(ess)) => format!("{subject} 被管的可能为 {chance}（按各家打法推断，有效样本 {ess}）"),
                (false, None) => format!("the chance that somebody can beat {subject} is {chance}"),
                (false, Some(ess)) => format!(
                    "the chance that somebody can beat {subject} is {chance}, by how the others have played \
                     (effective sample size {ess})"
                ),
            }
        }
        "paodekuai.plays_left" => {
            let (before, after) = (n("before"), n("after"));
            if zh {
                format!("出完手牌所需手数由 {before} 变为 {after}")
            } else {
                format!("the plays needed to empty the hand go from {before} to {after}")
            }
        }
        "paodekuai.highest_single" => lang
            .choose("the next player has one card left, so a single must be the highest", "下家报单，单张须出最大")
            .to_owned(),
        code => {
            let numbers: Vec<String> = reason.numbers.iter().map(|(k, v)| format!("{k}={v}")).collect();
            format!("{code} {subject} {}", numbers.join(" ")).trim_end().to_owned()
        }
    }
}

/// Whether a reason tells more than the noise of the playouts: what a threat costs must exceed twice its standard error.
pub fn is_telling(reason: &Reason) -> bool {
    reason.code != "threat" || !reason.numbers.contains_key("error") || {
        reason.number("points") > 2.0 * reason.number("error")
    }
}

/// What a utility is called: a chance to win where a game is won or lost, else a value (chips scaled to `[0, 1]`).
pub fn utility_name(game: &str, lang: Lang) -> &'static str {
    match game {
        "go" | "tictactoe" => lang.choose("win rate", "胜率"),
        _ => lang.choose("value", "评价"),
    }
}

/// Whether an estimate says anything: an error of 0.5 stands for no sample, for a single one, or for a bound.
pub(crate) fn is_known(e: Estimate) -> bool {
    e.error < 0.5
}

/// A share with its standard error, in per cent: `52.0 % ± 1.3`.
pub fn percent_text(e: Estimate) -> String {
    format!("{:.1} % ± {:.1}", 100.0 * e.mean, 100.0 * e.error)
}

/// A win rate as [`percent_text`]; `–` where it is not known.
pub fn win_rate_text(e: Estimate) -> String {
    if is_known(e) { percent_text(e) } else { "–".to_owned() }
}

/// Whether an estimate of points says anything: an error of exactly 0.5 stands for a single sample.
pub(crate) fn are_points_known(e: Estimate) -> bool {
    e.error != 0.5
}

/// Points with their standard error: `+1.6 ± 0.9`; `–` where they are not known.
pub fn points_text(e: Estimate) -> String {
    if are_points_known(e) { format!("{:+.1} ± {:.1}", e.mean, e.error) } else { "–".to_owned() }
}

/// One candidate as a line: action, win rate, points, visits, expected line.
fn candidate_text(game: &str, candidate: &Candidate, analysis: &Analysis, lang: Lang) -> String {
    let s = usize::from(analysis.seat);
    let mut text = format!("{:<5}", candidate.action);
    // Where there is no choice a search looks once, and what it sees by that says nothing.
    let forced = analysis.candidates.len() == 1 && analysis.visits <= 1 && !candidate.proven;
    if forced {
        return text + lang.choose(" – (the only move)", " –（唯一可行）");
    }
    let known = |c: &Candidate| c.utility.get(s).copied().filter(|&u| is_known(u));
    // Searches that prune know the best move and of the others only that they are no better. Those that sample count the visits
    // along the line, and of a move that was never or just once looked at they know nothing.
    let pruned = candidate.visits > 0 && candidate.pv_visits.is_empty() && analysis.best().and_then(known).is_some();
    let rate = match (known(candidate), candidate.utility.get(s)) {
        (Some(u), _) => Some(percent_text(u)),
        (None, Some(u)) if pruned => Some(format!("≤ {:.1} %", 100.0 * u.mean)),
        _ => None,
    };
    if let Some(rate) = rate {
        text += &format!(" {} {rate}", utility_name(game, lang));
    }
    if let Some(&r) = candidate.returns.get(s).filter(|&&r| are_points_known(r)) {
        text += &format!("  {} {}", lang.choose("points", Terms::of(game).points), points_text(r));
    }
    text += &format!("  {} {}", lang.choose("visits", "模拟"), candidate.visits);
    if candidate.pv.len() > 1 {
        text += &format!("  {} {}", lang.choose("line", "变化"), candidate.pv[..candidate.pv.len().min(6)].join(" "));
    }
    text
}

/// The first `most` candidates as lines, reasons indented below them.
pub fn analysis_text(game: &str, analysis: &Analysis, most: usize, lang: Lang) -> String {
    let mut lines = Vec::new();
    for candidate in analysis.candidates.iter().take(most) {
        lines.push(candidate_text(game, candidate, analysis, lang));
        lines.extend(
            candidate.reasons.iter().filter(|r| is_telling(r)).map(|r| format!("      · {}", sentence(game, r, lang))),
        );
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use kiebitz_core::{Estimate, Reason};

    use super::{points_text, sentence};
    use crate::Lang;

    #[test]
    fn a_lead_within_its_error_is_none() {
        let lead = |points: f64, error: f64, lang| {
            sentence("go", &Reason::new("go.lead", [], [("points", points), ("error", error)]), lang)
        };
        assert_eq!(lead(-3.0, 1.0, Lang::En), "White leads by 3.0 ± 1.0 points");
        assert_eq!(lead(3.0, 1.0, Lang::Zh), "黑方领先 3.0 ± 1.0 目");
        assert_eq!(lead(0.5, 0.0, Lang::En), "Black leads by 0.5 ± 0.0 points");
        assert_eq!(lead(-0.3, 0.9, Lang::En), "the game is about even (-0.3 ± 0.9 points for Black)");
        assert_eq!(lead(1.7, 0.9, Lang::Zh), "双方形势接近（黑方 +1.7 ± 0.9 目）");
        assert_eq!(lead(0.0, 0.0, Lang::En), "the game is about even (+0.0 ± 0.0 points for Black)");
    }

    #[test]
    fn points_of_a_single_playout_are_not_told() {
        assert_eq!(points_text(Estimate { mean: -20.0, error: 0.5 }), "–");
        assert_eq!(points_text(Estimate { mean: 1.62, error: 0.9 }), "+1.6 ± 0.9");
    }
}
