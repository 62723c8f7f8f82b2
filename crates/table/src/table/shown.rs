//! What is shown of a game: moves, views, the outcome, the seats, the line in the list.

use kiebitz_core::{Observer, Seat, SeenStep};
use serde_json::Value;

use super::{Kind, Made, SeatHolder, Table};
use crate::protocol::common::{MoveMade, Outcome, Phase, SeatInfo, SeatKind};
use crate::protocol::http::GameSummary;

impl Table {
    /// Whether what happened may be shown to everybody: nothing is hidden, or it is over.
    pub fn is_open(&self) -> bool {
        !self.game.meta().hidden || self.phase() == Phase::Over
    }

    /// The moves, as far as everybody may know them.
    pub fn moves(&self) -> Vec<MoveMade> {
        if !self.is_open() {
            return Vec::new();
        }
        let shown = |m: Made<'_>| MoveMade {
            by: m.by,
            kind: m.kind.name().to_owned(),
            action: m.action.to_string(),
            ms: m.ms.map(u64::from),
            returns: None,
        };
        self.made.iter().map(shown).collect()
    }

    /// The moves as a seat may know them, or as everybody may (`None`): hidden parts are masked until the game is over. Moves of
    /// chance say what finished rounds had brought each seat when they were made.
    pub fn moves_seen(&self, seat: Option<Seat>) -> Vec<MoveMade> {
        if self.game.meta().chance.is_empty() {
            return self.moves();
        }
        let open = self.is_open();
        let shown = |(m, seen): (Made<'_>, SeenStep)| MoveMade {
            by: m.by,
            kind: m.kind.name().to_owned(),
            action: if open { m.action.to_string() } else { seen.action },
            ms: m.ms.map(u64::from),
            returns: m.by.is_none().then(|| seen.returns.as_slice().to_vec()),
        };
        self.made.iter().zip(self.game.seen_steps(seat)).map(shown).collect()
    }

    /// What somebody sees.
    pub fn view(&self, seat: Option<Seat>) -> Value {
        let observer = match seat {
            _ if self.phase() == Phase::Over => Observer::Omniscient,
            Some(seat) => Observer::Seat(seat),
            None => Observer::Public,
        };
        self.game.view(observer)
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.phase() != Phase::Over {
            return None;
        }
        let utility = self.game.utility();
        let best = utility.as_slice().iter().copied().fold(f64::MIN, f64::max);
        let winners = (0..utility.players()).filter(|&s| utility.of(s) >= best - 1e-9).collect();
        let last = self.made.last().filter(|m| matches!(m.kind, Kind::Resign | Kind::Timeout));
        Some(Outcome {
            result: self.game.result(),
            winners,
            // What is on the table does not count after a forfeit.
            returns: if last.is_some() { Vec::new() } else { self.game.returns().as_slice().to_vec() },
            how: last.map_or("score", |m| m.kind.name()).to_owned(),
            by: last.and_then(|m| m.by),
            seed: self.create.seed.clone(),
            seed_salt: self.create.salt.clone(),
        })
    }

    /// The seats, without who is connected.
    pub fn seat_infos(&self) -> Vec<SeatInfo> {
        self.seats.iter().enumerate().map(|(i, holder)| seat_info(i as Seat, holder)).collect()
    }

    /// The players' names, computers by their spec.
    pub fn names(&self) -> Vec<String> {
        let name = |h: &SeatHolder| h.made.player.clone().unwrap_or_else(|| h.made.name.clone());
        self.seats.iter().map(name).collect()
    }

    /// The game as the list shows it.
    pub fn summary(&self) -> GameSummary {
        GameSummary {
            id: self.id.to_string(),
            game: self.game.id().to_owned(),
            title: self.title.clone(),
            phase: self.phase(),
            seats: self.seat_infos(),
            ply: self.ply(),
            turn: self.turn(),
            result: self.outcome().and_then(|o| o.result),
            view: self.view(None),
            created: self.created,
            updated: self.updated,
            yours: Vec::new(),
            broken: None,
            parent: self.create.parent.clone(),
        }
    }
}

/// A seat as everybody sees it, without who is connected.
fn seat_info(seat: Seat, holder: &SeatHolder) -> SeatInfo {
    let level = holder.made.player.as_deref().and_then(|spec| {
        let spec: kiebitz_core::PlayerSpec = spec.parse().ok()?;
        let level = spec.settings.get("level").and_then(|l| l.parse().ok());
        (spec.name == "best").then(|| level.unwrap_or(5))
    });
    SeatInfo {
        seat,
        kind: holder.made.kind,
        name: holder.made.name.clone(),
        player: holder.made.player.clone(),
        level,
        taken: holder.taken,
        online: holder.made.kind == SeatKind::Computer,
        away_ms: None,
    }
}
