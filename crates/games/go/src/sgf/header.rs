//! What a root says about its file and board: GM, FF, CA and SZ.

use super::error::SgfError;
use super::number::number;
use super::warning::{TextPosition, clip};
use crate::Size;

/// What the root says about the file itself.
#[derive(Default)]
pub(super) struct Header {
    pub game: Option<(String, TextPosition)>,
    pub format: Option<u8>,
    pub charset: bool,
    /// SZ as written.
    pub size: Option<(String, TextPosition)>,
}

impl Header {
    /// The size of the board of tree `tree` (from 1 in the file).
    ///
    /// # Errors
    /// Another game than Go, or a board that is not supported.
    pub fn board(&self, tree: usize) -> Result<Size, SgfError> {
        if let Some((game, position)) = &self.game
            && is_other_game(game)
        {
            return Err(SgfError::OtherGame { tree, game: game_name(game), position: *position });
        }
        match &self.size {
            Some((value, position)) if !value.trim().is_empty() => {
                size(value).ok_or_else(|| SgfError::BadSize { tree, value: clip(value), position: *position })
            }
            _ => Ok(DEFAULT_SIZE),
        }
    }
}

/// The board without SZ.
pub(super) const DEFAULT_SIZE: Size = match Size::square(19) {
    Ok(size) => size,
    Err(_) => panic!("19 is a board size"),
};

/// Whether a GM value says another game. Nothing at all is taken for Go.
pub(super) fn is_other_game(game: &str) -> bool {
    !game.is_empty() && number(game).value() != Some(1.0)
}

/// The game of a GM number, by the standard's list.
fn game_name(game: &str) -> String {
    const NAMES: [&str; 40] = [
        "Go",
        "Othello",
        "chess",
        "Gomoku or Renju",
        "Nine Men's Morris",
        "Backgammon",
        "Chinese chess",
        "Shogi",
        "Lines of Action",
        "Ataxx",
        "Hex",
        "Jungle",
        "Neutron",
        "Philosopher's Football",
        "Quadrature",
        "Trax",
        "Tantrix",
        "Amazons",
        "Octi",
        "Gess",
        "Twixt",
        "Zertz",
        "Plateau",
        "Yinsh",
        "Punct",
        "Gobblet",
        "Hive",
        "Exxit",
        "Hnefatal",
        "Kuba",
        "Tripples",
        "Chase",
        "Tumbling Down",
        "Sahara",
        "Byte",
        "Focus",
        "Dvonn",
        "Tamsk",
        "Gipf",
        "Kropki",
    ];
    let name = game.parse::<usize>().ok().and_then(|number| NAMES.get(number.checked_sub(1)?));
    name.map_or_else(|| format!("GM[{game}]"), |&name| name.to_owned())
}

/// Reads SZ: `19`, `13:9`.
fn size(value: &str) -> Option<Size> {
    let side = |text: &str| text.trim().parse::<u16>().ok().map(usize::from);
    match value.split_once(':') {
        Some((width, height)) => Size::new(side(width)?, side(height)?).ok(),
        None => Size::square(side(value)?).ok(),
    }
}
