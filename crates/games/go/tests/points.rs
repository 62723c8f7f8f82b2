//! Colours, sizes, points, moves and their text.

use kiebitz_go::{Color, Move, MoveError, Size, SizeError};

#[test]
fn sizes_from_1_to_25_only() {
    for width in 0..=40 {
        for height in 0..=40 {
            let inside = (1..=25).contains(&width) && (1..=25).contains(&height);
            match Size::new(width, height) {
                Ok(size) => {
                    assert!(inside);
                    assert_eq!((size.width(), size.height(), size.points()), (width, height, width * height));
                }
                Err(error) => {
                    assert!(!inside);
                    assert_eq!(error, SizeError { width, height });
                    assert!(error.to_string().contains(&format!("{width}x{height}")));
                }
            }
        }
    }
}

#[test]
fn every_move_reads_back_in_any_case() {
    for (width, height) in [(1, 1), (25, 25), (9, 9), (3, 5), (25, 1), (1, 25), (19, 13)] {
        let size = Size::new(width, height).unwrap();
        let mut moves: Vec<Move> = size.iter().map(Move::from).collect();
        moves.push(Move::PASS);
        assert!(moves.is_sorted_by(|a, b| a < b), "points in index order, the pass last");
        for mv in moves {
            let text = mv.text(size).to_string();
            assert!(!text.contains('I'));
            assert_eq!(Move::parse(&text, size), Ok(mv));
            assert_eq!(Move::parse(&text.to_lowercase(), size), Ok(mv));
            assert_eq!(Move::parse(&text.to_uppercase(), size), Ok(mv));
            assert_eq!(mv.is_pass(), mv.point().is_none());
        }
    }
    assert_eq!(size_of::<Move>(), 2);
}

#[test]
fn names_follow_gtp() {
    let size = Size::square(19).unwrap();
    for (text, column, row) in [("A1", 0, 0), ("H8", 7, 7), ("J9", 8, 8), ("D4", 3, 3), ("T19", 18, 18)] {
        let point = size.point(column, row).unwrap();
        assert_eq!(point.text(size).to_string(), text);
        assert_eq!((point.column(size), point.row(size)), (column, row));
        assert_eq!(point.index(), row * 19 + column);
    }
    assert_eq!(size.point(18, 19), None);
    assert_eq!(size.point(19, 18), None);
    assert_eq!(size.point_at(361), None);
    assert!(!Size::square(9).unwrap().contains(size.point_at(81).unwrap()));
}

#[test]
fn bad_text_is_refused_with_its_reason() {
    let size = Size::new(9, 7).unwrap();
    let long = "x".repeat(100_000);
    for text in
        ["", " ", "D", "4", "4D", "D4 ", " D4", "D+4", "D-1", "D0", "D04", "D444", "resign", "Ä1", "Dé", "passe", &long]
    {
        let error = Move::parse(text, size).unwrap_err();
        assert_eq!(error.code(), "go_move_syntax", "{text:?}");
        assert!(error.to_string().len() < 120);
    }
    assert_eq!(Move::parse("I3", size).unwrap_err().code(), "go_move_letter_i");
    assert_eq!(Move::parse("i3", size), Err(MoveError::LetterI { text: "i3".into() }));
    for text in ["A8", "K1", "Z25", "J99"] {
        assert_eq!(Move::parse(text, size), Err(MoveError::OffBoard { text: text.into(), size }));
    }
}

#[test]
fn neighbors_are_the_points_at_distance_one() {
    for (width, height) in [(1, 1), (1, 5), (5, 1), (2, 2), (5, 4), (25, 25)] {
        let size = Size::new(width, height).unwrap();
        for point in size.iter() {
            let expected: Vec<_> = size
                .iter()
                .filter(|q| q.column(size).abs_diff(point.column(size)) + q.row(size).abs_diff(point.row(size)) == 1)
                .collect();
            assert_eq!(size.neighbors(point).collect::<Vec<_>>(), expected);
        }
    }
    let foreign = Size::square(19).unwrap().point_at(300).unwrap();
    assert_eq!(Size::square(9).unwrap().neighbors(foreign).count(), 0);
}

#[test]
fn colors_are_the_seats() {
    for color in Color::ALL {
        assert_eq!(Color::from_index(color.index()), Some(color));
        assert_eq!(color.opponent().opponent(), color);
        assert_ne!(color.opponent(), color);
    }
    assert_eq!(Color::from_index(2), None);
    assert_eq!((Color::Black.index(), Color::Black.to_string()), (0, "black".to_string()));
}
