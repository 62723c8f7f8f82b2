//! A review as text for the terminal.

use kiebitz_core::Estimate;

use crate::Lang;
use crate::reasons::{is_telling, percent_text, points_text, seat_name, sentence, utility_name, win_rate_text};
use crate::review::{MoveReview, Review};
use crate::terms::Terms;

fn loss_text(entry: &MoveReview, game: &str, lang: Lang) -> String {
    let points =
        entry.points_loss.map(|e| format!("{} {}", points_text(e), lang.choose("points", Terms::of(game).point)));
    let rate = entry.win_rate_loss.map(|e: Estimate| format!("{} {}", percent_text(e), utility_name(game, lang)));
    match (points, rate) {
        (Some(p), Some(r)) => format!("{p}{}{r}", lang.choose(", ", "，")),
        (p, r) => p.or(r).unwrap_or_else(|| lang.choose("not looked at", "未分析").to_owned()),
    }
}

/// One line about a move, for comments in records: what it lost, and what was better.
pub fn comment(entry: &MoveReview, game: &str, lang: Lang) -> String {
    let mut text = match lang {
        Lang::En => format!("{}: {}", seat_name(game, entry.seat, lang), win_rate_text(entry.win_rate)),
        Lang::Zh => format!("{}：{}", seat_name(game, entry.seat, lang), win_rate_text(entry.win_rate)),
    };
    if let Some(points) = entry.points {
        text += &match lang {
            Lang::En => format!(", {} points", points_text(points)),
            Lang::Zh => format!("，{} {}", Terms::of(game).points, points_text(points)),
        };
    }
    if entry.action != entry.best {
        text += &match lang {
            Lang::En => {
                format!("\n{} lost {}; better: {}", entry.action, loss_text(entry, game, lang), entry.pv.join(" "))
            }
            Lang::Zh => {
                format!("\n{} 损失 {}；更好：{}", entry.action, loss_text(entry, game, lang), entry.pv.join(" "))
            }
        };
    }
    for reason in entry.reasons.iter().filter(|r| is_telling(r)) {
        text += &format!("\n{}", sentence(game, reason, lang));
    }
    text
}

/// The whole review: every move in a table, then the worst moves with reasons. Moves whose numbers are in `forced` had no
/// alternative: they are not judged, and what one look at them gave is not shown.
pub fn text(review: &Review, forced: &[usize], worst: usize, lang: Lang) -> String {
    let mut out = String::new();
    let rate = utility_name(&review.game, lang);
    out += &match lang {
        Lang::En => format!("  no  side     played  best    {rate:<14}  lost\n"),
        // A Chinese character is two columns wide.
        Lang::Zh => format!("手数  {}     着法    最佳    {rate}            损失\n", Terms::of(&review.game).side),
    };
    for entry in &review.moves {
        let side = seat_name(&review.game, entry.seat, lang);
        let only = forced.contains(&entry.number);
        let lost = if only {
            lang.choose("– (forced)", "–（唯一）").to_owned()
        } else if entry.action == entry.best {
            "–".to_owned()
        } else {
            loss_text(entry, &review.game, lang)
        };
        let mark = if entry.mistake { " ▲" } else { "" };
        out += &format!(
            "{:>4}  {side:<7}  {:<6}  {:<6}  {:<14}  {lost}{mark}\n",
            entry.number,
            entry.action,
            entry.best,
            if only { "–".to_owned() } else { win_rate_text(entry.win_rate) }
        );
    }
    out.push('\n');
    if review.worst.is_empty() {
        out +=
            lang.choose("No move lost more than twice its standard error.\n", "没有一手的损失超过其标准误的两倍。\n");
    } else {
        out += &match lang {
            Lang::En => format!(
                "▲ lost more than twice the standard error of its loss: {} of {} moves. The worst, with what speaks for the better move:\n",
                review.worst.len(),
                review.moves.len()
            ),
            Lang::Zh => {
                format!(
                    "▲ 损失超过其标准误的两倍：{} 手中有 {} 手。最差的着法及更好一手的理由：\n",
                    review.moves.len(),
                    review.worst.len()
                )
            }
        };
        for &index in review.worst.iter().take(worst) {
            let entry = &review.moves[index];
            let side = seat_name(&review.game, entry.seat, lang);
            out += &format!(
                "{:>4}  {side} {}{}{}{}{}\n",
                entry.number,
                entry.action,
                lang.choose(": ", "："),
                loss_text(entry, &review.game, lang),
                lang.choose("; better: ", "；更好："),
                entry.pv.iter().take(8).cloned().collect::<Vec<_>>().join(" ")
            );
            for reason in entry.reasons.iter().filter(|r| is_telling(r)) {
                out += &format!(
                    "        · {}{}{}\n",
                    entry.best,
                    lang.choose(": ", "："),
                    sentence(&review.game, reason, lang)
                );
            }
        }
    }
    if let Some(result) = &review.result {
        out += &format!("\n{}{result}\n", lang.choose("Result: ", "结果："));
    }
    out.truncate(out.trim_end().len());
    out
}
