//! Commands made wrong: each line gets exactly one reply, `=` or `?`, and nothing breaks.

mod gtp_support;
mod mutate;

use gtp_support::{answers, options};
use mutate::{count, mutate, run};

const CORPUS: &[&[u8]] = &[
    b"boardsize 5\nclear_board\nkomi 6.5\nplay b C3\nplay w D4\nundo\nshowboard\n",
    b"1 boardsize 5 3\n2 play b A1\n3 play w B1\n4 genmove b\n5 gg-undo 2\n6 list_stones b\n",
    b"boardsize 9\nfixed_handicap 4\nclear_board\nplace_free_handicap 7\nclear_board\nset_free_handicap C3 G7\ngenmove w\n",
    b"kata-get-rules\nkata-set-rules {\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"komi\":5}\nkata-set-rule suicide true\nkgs-rules aga\nkata-set-rules japanese+button\n",
    b"boardsize 4\nkata-analyze b 1 avoid b A1,B2 2 rootInfo true ownership true minmoves 5\nlz-analyze 1\nanalyze w interval 1 maxmoves 2\nstop\n",
    b"boardsize 4\nkata-genmove_analyze b 1 allow b C3,pass 1\ncgos-genmove_analyze w\nkata-search b\nkata-search_analyze_cancellable w\nreg_genmove b\nkgs-genmove_cleanup w\n",
    b"time_settings 0 5 1\ntime_left b 3 1\nkgs-time_settings byoyomi 1 0.1 3\nkata-time_settings fischer 1 0.1\nkata-list_time_settings\n",
    b"boardsize 3\nset_position b A1 w C3\ngogui-setup w B2 e A1\ngogui-setup_player w\ngogui-play_sequence b A3 w A2\nfinal_status_list dead\nfinal_score\n",
    b"boardsize 2\nplay b pass\nplay w pass\nplay b A1\nis_legal w A2\nall_legal b\ncaptures w\nget_komi\ngogui-rules_final_result\ngogui-rules_board\n",
    b"known_command name\nlist_commands\necho hello\nkata-get-param maxVisits\nkata-list-params\nclear_cache\ngogui-analyze_commands\nkiebitz-area\nkgs-chat game x y\n",
    b"loadsgf no_such_file.sgf 3\ncgos-gameover B+1\nkiebitz-candidates\nkiebitz-line b\nkiebitz-ownership\nkiebitz-prior\ngogui-title\ncputime\nversion\n",
];

const TOKENS: &[&str] = &[
    "b ",
    "w ",
    "pass",
    "A1",
    "Z25",
    "I5",
    "-1",
    "1e9",
    "nan",
    "true",
    "\n",
    "\r\n",
    "\t",
    "#",
    "# interrupt\n",
    "\0",
    "99999999999999999999",
    "{",
    "}",
    "\"",
    "é",
    "\u{fe0f}",
    "boardsize 25\n",
    "undo\n",
    "genmove b\n",
    "play w ",
    "1 allow b A1 1",
    " avoid w pass 9",
    "0.0001",
    ",",
    "+",
    "=",
    "resign",
];

/// How many replies a text must get: one for each line with anything in it, up to `quit`.
fn expected(input: &[u8]) -> usize {
    let text: String = String::from_utf8_lossy(input).into_owned();
    let mut count = 0;
    for line in text.split('\n') {
        let line = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default().replace('\t', " ");
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let mut words = line.split(' ').filter(|w| !w.is_empty());
        let Some(first) = words.next() else { continue };
        count += 1;
        let command = if first.bytes().all(|b| b.is_ascii_digit()) { words.next() } else { Some(first) };
        if command == Some("quit") && words.next().is_none() {
            break;
        }
    }
    count
}

fn check(spec: &str, input: &[u8]) {
    let mut quick = options(spec);
    quick.time = std::time::Duration::from_millis(1);
    let text = answers(quick, input);
    assert!(text.is_empty() || text.ends_with("\n\n"), "the last reply is whole");
    let replies: Vec<&str> = text.split("\n\n").filter(|r| !r.is_empty()).collect();
    for reply in &replies {
        assert!(reply.starts_with(['=', '?']), "{reply}");
        assert!(!reply.starts_with('?') || reply.contains(' '), "an error says why: {reply}");
    }
    assert_eq!(replies.len(), expected(input), "{text}");
}

#[test]
fn commands_made_wrong_get_one_reply_each() {
    run("gtp", count(4_000), 11, |rng| mutate(rng, CORPUS, TOKENS), |input| check("random", input));
}

#[test]
fn searches_survive_commands_made_wrong() {
    let corpus = &CORPUS[3..8];
    run("gtp search", count(600), 12, |rng| mutate(rng, corpus, TOKENS), |input| check("uct:visits=4", input));
}
