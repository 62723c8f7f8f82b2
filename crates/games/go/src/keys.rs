//! Hashes of whole states: position, turn and what else decides how the game may go on.

use kiebitz_core::Game;

use crate::board::NONE;
use crate::state::Ply;
use crate::zobrist::{self, CELLS};
use crate::{Color, Go, KoRule, Scoring};

impl Go {
    /// [`Game::key`] with everything of the history that a continuation can depend on.
    pub(crate) fn key_with_history(&self) -> u64 {
        let mut key = self.key();
        let side = |color: Color| if color == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        let rule = self.options.rules.ko;
        let mut history = 0u64;
        for (i, &hash) in self.hashes.iter().enumerate().rev() {
            let by = i.checked_sub(1).map(|last| self.plies[last]);
            let next = by.map_or(self.first_to_move, |ply| ply.color().opponent());
            let passed = by.is_some_and(Ply::is_pass);
            let item = match rule {
                KoRule::Positional if passed => continue,
                KoRule::Positional => hash,
                KoRule::Natural if passed || by.is_none() => continue,
                KoRule::Situational | KoRule::Natural | KoRule::Simple => hash ^ side(next),
            };
            // A sum does not depend on the order and, unlike a xor, counts repetitions.
            history = history.wrapping_add(zobrist::mix(item));
            if rule == KoRule::Simple && passed {
                break;
            }
        }
        key ^= zobrist::mix(history);
        if self.options.rules.scoring == Scoring::Territory {
            let [black, white] = Color::ALL.map(|color| i64::from(self.captures(color)));
            key ^= zobrist::mix((black - white) as u64).rotate_left(17);
        }
        if !self.dead_cells().is_empty() {
            key ^= self.dead_cells().iter().fold(0, |k, &cell| zobrist::mix(k ^ u64::from(cell)));
        }
        if self.ply() > self.max_length() / 2 {
            key ^= zobrist::mix(u64::from(self.ply())).rotate_left(31);
        }
        key
    }

    /// [`Game::key`], given the hash of the position.
    pub(crate) fn key_of(&self, position: u64) -> u64 {
        let size = zobrist::mix((self.size().width() * 64 + self.size().height()) as u64);
        let turn = if self.to_move == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        let ko = if self.ko == NONE { 0 } else { zobrist::ko(usize::from(self.ko) % CELLS) };
        let void = if self.is_void() { zobrist::VOID } else { 0 };
        position ^ size ^ turn ^ ko ^ void ^ zobrist::passes(self.passes()) ^ zobrist::button(self.button())
    }
}
