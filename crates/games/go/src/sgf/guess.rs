//! Which character set a text without CA is in.
//!
//! Valid UTF-8 is UTF-8: other text is hardly ever valid by chance. Otherwise each candidate is scored by how usual its
//! characters would be: the frequent rows of each standard count for it, rare rows and undefined bytes against it, and
//! the characters that game records are full of (names, ranks, results) count extra, which decides short texts.

use super::charset::Charset;

/// Scoring looks at this many bytes from the first one beyond ASCII on.
const SAMPLE: usize = 4096;

/// The character set of `bytes`, `None` for pure ASCII.
pub(super) fn guess(bytes: &[u8]) -> Option<Charset> {
    let first = bytes.iter().position(|b| !b.is_ascii())?;
    if std::str::from_utf8(bytes).is_ok() {
        return Some(Charset::UTF_8);
    }
    // One byte before, because Latin-1 letters are judged by their neighbours.
    let sample = bytes.get(first.saturating_sub(1)..).unwrap_or(bytes);
    let sample = sample.get(..SAMPLE).unwrap_or(sample);
    let mut best = (Charset::LATIN_1, latin_1(sample));
    // On equal scores the earlier in this list wins; Latin-1 comes last.
    for (charset, weigh, usual) in [
        (Charset::EUC_KR, euc_kr as fn(u8, u8) -> f64, KOREAN),
        (Charset::BIG5, big5, TRADITIONAL),
        (Charset::SHIFT_JIS, shift_jis, JAPANESE),
        (Charset::GB18030, gb18030, SIMPLIFIED),
    ] {
        let score = pairs(sample, charset, weigh, usual);
        if score >= best.1 {
            best = (charset, score);
        }
    }
    Some(best.0)
}

/// The mean weight per byte of all characters beyond ASCII. `weigh` sees two bytes, the second 0 for a single one.
fn pairs(sample: &[u8], charset: Charset, weigh: fn(u8, u8) -> f64, usual: &str) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    let mut rest = sample;
    while let Some(&first) = rest.first() {
        let length = charset.step(rest).min(rest.len());
        let (character, after) = rest.split_at(length);
        // The sample may end in the middle of a character.
        if first >= 0x80 && !(length == 1 && after.is_empty()) {
            let weight = match charset.decode(character) {
                (_, 1..) => -5.0,
                (text, 0) => {
                    let bonus = if text.chars().all(|c| usual.contains(c)) { 0.5 } else { 0.0 };
                    bonus + if length == 4 { -0.5 } else { weigh(first, character.get(1).copied().unwrap_or(0)) }
                }
            };
            sum += weight * length as f64;
            count += length;
        }
        rest = after;
    }
    if count == 0 { f64::NEG_INFINITY } else { sum / count as f64 }
}

fn gb18030(first: u8, second: u8) -> f64 {
    match (first, second) {
        (0xB0..=0xD7, 0xA1..) => 1.0, // level 1 of GB2312, the 3,755 usual characters
        (0xD8..=0xF7, 0xA1..) => 0.3, // level 2
        (0xA1 | 0xA3, 0xA1..) => 0.6, // punctuation, full-width forms
        (0xA2 | 0xA4..=0xA5, 0xA1..) => 0.2,
        (0x80, 0) => -1.0,
        _ => -0.2, // GBK's additions
    }
}

fn shift_jis(first: u8, second: u8) -> f64 {
    match (first, second) {
        (0x82, 0x9F..=0xF1) | (0x83, 0x40..=0x96) => 1.0, // kana
        (0x81, _) => 0.5,
        (0x82, _) => 0.6,
        (0x88, 0x9F..) | (0x89..=0x97, _) | (0x98, ..=0x72) => 0.8, // level 1 of JIS X 0208
        (0x98..=0x9F | 0xE0..=0xEA, _) => -0.1,
        (0xA1..=0xDF, 0) => -0.3, // half-width kana: nearly any byte of other sets would be one
        _ => -0.5,
    }
}

fn big5(first: u8, second: u8) -> f64 {
    match (first, second) {
        (0xA4..=0xC5, _) | (0xC6, ..=0x7E) => 1.0, // the 5,401 frequent characters
        (0xA1..=0xA3, _) => 0.5,
        (0xC9..=0xF9, _) => 0.0,
        _ => -0.8,
    }
}

fn euc_kr(first: u8, second: u8) -> f64 {
    match (first, second) {
        (0xB0..=0xC8, 0xA1..) => 1.0, // the 2,350 usual syllables
        (0xA1 | 0xA3, 0xA1..) => 0.5,
        (0xA2 | 0xA4, 0xA1..) => 0.2,
        (0xCA..=0xFD, 0xA1..) => -0.1, // Chinese characters
        _ => -0.5,
    }
}

/// Latin text has single accented letters inside words of ASCII letters.
fn latin_1(sample: &[u8]) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for (index, &byte) in sample.iter().enumerate() {
        if byte < 0x80 {
            continue;
        }
        let before = index.checked_sub(1).and_then(|i| sample.get(i)).copied().unwrap_or(b' ');
        let after = sample.get(index + 1).copied().unwrap_or(b' ');
        sum += match byte {
            _ if before >= 0x80 || after >= 0x80 => -0.6,
            0xD7 | 0xF7 => 0.0,
            0xC0..=0xFF if before.is_ascii_alphabetic() || after.is_ascii_alphabetic() => 0.9,
            0xC0..=0xFF => 0.4,
            0x85 | 0x91..=0x97 => 0.3,
            0x80..=0x9F => -0.3,
            _ => 0.1,
        };
        count += 1;
    }
    if count == 0 { f64::NEG_INFINITY } else { sum / count as f64 }
}

const SIMPLIFIED: &str = "黑白方级段围棋子先后胜负半目中盘让贴第局轮回合赛杯届决日年月国韩本职业九八七六五四三二一\
    王李张刘陈杨赵周吴徐孙胡朱高林何郭马罗时古柯洁聂卫平常昊曹的是不了在人有我他这个们来到大上下左右好手此可以就要为和\
    ，。：？！、（）　";
const TRADITIONAL: &str = "黑白方級段圍棋子先後勝負半目中盤讓貼第局輪回合賽盃屆決日年月國韓本職業九八七六五四三二一\
    王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅時的是不了在人有我他這個們來到大上下左右好手此可以就要為和\
    ，。：？！、（）　";
const JAPANESE: &str = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじ\
    ずぜぞだでどばびぶべぼっゃゅょアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー\
    黒白番手目半勝級段囲碁棋聖名人本因坊戦局第期中押杯決日年月九八七六五四三二一山田木村小林高大石井川藤原武宮加治橋\
    、。：（）　";
const KOREAN: &str = "이김박최정강조윤장임한오서신권황안송류홍전고문양손배백허유남심노하곽성차주우구민진지나엄채원천방공현함변\
    염석선설마길연위표명기반왕금옥육인맹제모탁국용은편급단승불계흑집바둑대회결는을를에의가다도로창호세돌";
