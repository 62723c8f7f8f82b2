//! What only Pao De Kuai has at the table: hands that nobody here knows.

use kiebitz_core::{DynGame, Session};
use kiebitz_paodekuai::{MAX_SEATS, PaoDeKuai};

/// Whether the hands of some seat are not known even to the server: a record or position of which only a part was told.
pub fn hands_are_missing(game: &dyn DynGame) -> bool {
    let Some(session) = game.as_any().downcast_ref::<Session<PaoDeKuai>>() else { return false };
    let state = session.state().state();
    (0..MAX_SEATS as u8).any(|seat| state.is_unknown(seat))
}
