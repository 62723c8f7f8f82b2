//! Titles and names: nothing invisible, nothing that covers the lines around.

use crate::support::{Folder, Running};
use serde_json::json;

#[test]
fn a_title_that_cannot_be_seen_is_none() {
    let folder = Folder::new();
    let running = Running::new(folder.path());
    let title = |title: &str| {
        let seats = json!([{"kind": "here"}, {"kind": "here"}]);
        let made = running.create(&json!({"game": "go", "seats": seats, "rules": {"size": 5}, "title": title}));
        let mut page = running.sit(made["id"].as_str().expect("an id"), &[&running.key]);
        page.wait_type("welcome")["title"].as_str().expect("a title").to_owned()
    };
    for code in [0x3164, 0x2800, 0xad, 0x34f, 0x115f, 0x1160, 0xffa0, 0x17b4, 0xfe0f, 0x200d, 0x301, 0xe0100] {
        let c = char::from_u32(code).expect("a character");
        assert_eq!(title(&c.to_string().repeat(3)), "", "U+{code:04X}");
    }
    assert_eq!(title(&"\u{0300}".repeat(40)), "");
    assert_eq!(title(&format!("a{}", "\u{0300}".repeat(30))), format!("a{}", "\u{0300}".repeat(4)));
    assert_eq!(title(" \u{0301}a \u{0301}b"), "a b");
    // What people write stays as it is.
    for plain in [
        "Việt e\u{0302}\u{0323}",
        "❤\u{fe0f} 👩\u{200d}💻",
        "می\u{200c}خواهم",
        "नमस्ते",
        "สวัสดีครับ",
        "ก็ ที่",
        "围棋",
        "がか\u{3099}",
    ] {
        assert_eq!(title(plain), plain);
    }
    running.stop();
}
