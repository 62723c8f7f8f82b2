//! The names of positions in an answer: equal for equal positions, and for positions that mirror or turn into each other.

use kiebitz_go::{Color, Move, Size};
use serde_json::Value;

/// A position as facts tell it.
pub(crate) struct Position {
    size: Size,
    /// Column, row from below, and what is there: 0 Black, 1 White, 2 a point that repetition forbids.
    points: Vec<(usize, usize, u8)>,
    to_move: u8,
}

impl Position {
    /// The position that `facts` describe.
    pub fn of(size: Size, facts: &serde_json::Map<String, Value>, to_move: Color) -> Self {
        let mut points = Vec::new();
        for (what, key) in ["black", "white", "ko"].into_iter().enumerate() {
            let texts = facts.get(key).and_then(Value::as_array).into_iter().flatten();
            for text in texts.filter_map(Value::as_str) {
                if let Some(point) = Move::parse(text, size).ok().and_then(Move::point) {
                    points.push((point.column(size), point.row(size), what as u8));
                }
            }
        }
        Position { size, points, to_move: to_move.index() as u8 }
    }

    /// 32 hexadecimal digits.
    pub fn this_hash(&self) -> String {
        format!("{:032X}", self.seen_as(0))
    }

    /// The same for the eight positions that symmetry makes of this one.
    pub fn sym_hash(&self) -> String {
        let least = (0..8).map(|symmetry| self.seen_as(symmetry)).min().unwrap_or_default();
        format!("{least:032X}")
    }

    /// The hash after a symmetry: bit 0 flips rows, bit 1 flips columns, bit 2 then swaps both. FNV-1a, 128 bits, over the points
    /// in order.
    fn seen_as(&self, symmetry: u8) -> u128 {
        let (width, height) = (self.size.width(), self.size.height());
        let moved = |&(column, row, what): &(usize, usize, u8)| {
            let row = if symmetry & 1 == 0 { row } else { height - 1 - row };
            let column = if symmetry & 2 == 0 { column } else { width - 1 - column };
            if symmetry & 4 == 0 { (row, column, what) } else { (column, row, what) }
        };
        let mut points: Vec<_> = self.points.iter().map(moved).collect();
        points.sort_unstable();
        let sides = if symmetry & 4 == 0 { [width, height] } else { [height, width] };
        let head = [sides[0] as u8, sides[1] as u8, self.to_move];
        let body = points.iter().flat_map(|&(row, column, what)| [row as u8, column as u8, what]);
        head.into_iter().chain(body).fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash: u128, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use kiebitz_go::{Color, Size};
    use serde_json::json;

    fn position(width: usize, height: usize, black: &[&str], ko: &[&str], color: Color) -> Position {
        let facts = json!({"black": black, "white": ["A1"], "ko": ko});
        let size = Size::new(width, height).expect("a size");
        Position::of(size, facts.as_object().expect("an object"), color)
    }

    #[test]
    fn hashes_tell_positions_apart() {
        let names = [
            position(5, 5, &["C3", "D3"], &[], Color::Black),
            position(5, 5, &["C3"], &[], Color::Black),
            position(5, 5, &["C3", "D3"], &[], Color::White),
            position(5, 5, &["C3", "D3"], &["B2"], Color::Black),
            position(5, 6, &["C3", "D3"], &[], Color::Black),
        ];
        let mut hashes: Vec<String> = names.iter().map(Position::this_hash).collect();
        let mut sym: Vec<String> = names.iter().map(Position::sym_hash).collect();
        for list in [&mut hashes, &mut sym] {
            list.sort();
            list.dedup();
            assert_eq!(list.len(), 5);
        }
    }

    #[test]
    fn symmetric_positions_share_a_name() {
        let facts = |black: &str, white: &str| json!({"black": [black], "white": [white], "ko": []});
        let of = |size: Size, facts: serde_json::Value| {
            Position::of(size, facts.as_object().expect("an object"), Color::Black)
        };
        let square = Size::square(5).expect("a size");
        let one = of(square, facts("B1", "C4"));
        for (black, white) in [("A2", "D3"), ("D1", "C4"), ("B5", "C2"), ("E4", "B3")] {
            let other = of(square, facts(black, white));
            assert_eq!(one.sym_hash(), other.sym_hash(), "{black} {white}");
            assert_ne!(one.this_hash(), other.this_hash(), "{black} {white}");
        }
        assert_ne!(one.sym_hash(), of(square, facts("B1", "D4")).sym_hash());
        let wide = of(Size::new(5, 3).expect("a size"), facts("B1", "C2"));
        let high = of(Size::new(3, 5).expect("a size"), facts("A2", "B3"));
        assert_eq!(wide.sym_hash(), high.sym_hash());
    }
}
