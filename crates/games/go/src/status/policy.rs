//! Playouts on one area of the board: the points outside stay as they are, so settled stones there cannot be lost by chance.

use kiebitz_core::Rng;

use crate::playout::{PlayoutBoard, Vertex};
use crate::{Color, Point};

/// How often an answer to the last move (capture, escape) is taken when there is one.
const ANSWER: f64 = 0.9;
/// How often a move may put its own chain in atari: such moves end a seki, and are needed inside a dead eye space.
const SELF_ATARI: f64 = 0.1;
/// What the target counts, when there is one; the area counts the rest.
const TARGET_WEIGHT: f32 = 0.8;
const NOWHERE: u16 = u16::MAX;

/// One area on the playout board.
#[derive(Debug)]
pub(super) struct Local<const N: usize> {
    /// The position.
    pub board: PlayoutBoard<N>,
    vertices: Vec<Vertex>,
    /// By vertex index: the place in `vertices`.
    places: Vec<u16>,
    /// By vertex index, for points.
    neighbors: Vec<Vec<Vertex>>,
    /// Sum of the owners outside the area at the start.
    outside: i32,
    /// Points, by index, whose owner is what matters most; may be empty.
    target: Vec<usize>,
}

impl<const N: usize> Local<N> {
    /// The area of these points on the board.
    pub(super) fn new(board: PlayoutBoard<N>, points: &[Point], target: &[Point]) -> Self {
        let size = board.size();
        let vertices: Vec<Vertex> = points.iter().map(|&p| board.vertex(p)).collect();
        let mut places = vec![NOWHERE; N];
        for (place, vertex) in vertices.iter().enumerate() {
            places[vertex.index()] = place as u16;
        }
        let mut neighbors = vec![Vec::new(); N];
        for point in size.iter() {
            neighbors[board.vertex(point).index()] = size.neighbors(point).map(|n| board.vertex(n)).collect();
        }
        let mut owners = vec![0i8; size.points()];
        board.ownership(&mut owners);
        let inside: i32 = points.iter().map(|p| i32::from(owners[p.index()])).sum();
        let outside = owners.iter().map(|&o| i32::from(o)).sum::<i32>() - inside;
        Local { board, vertices, places, neighbors, outside, target: target.iter().map(|p| p.index()).collect() }
    }

    /// How many points the area has.
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// The move that stands for a pass.
    pub(super) fn pass(&self) -> u16 {
        self.vertices.len() as u16
    }

    /// The vertex of a move; `None` for a pass.
    pub(super) fn vertex(&self, mv: u16) -> Option<Vertex> {
        self.vertices.get(usize::from(mv)).copied()
    }

    /// What a board that ends with these owners is worth to Black, 0 to 1: mostly the points of the target, and the area, where
    /// losses outside count as well.
    pub(super) fn value(&self, owners: &[i8]) -> f32 {
        let sum = owners.iter().map(|&o| i32::from(o)).sum::<i32>() - self.outside;
        let area = (sum as f32 / self.len() as f32).clamp(-1.0, 1.0);
        let target = self.target_owner(owners);
        let weight = if self.target.is_empty() { 0.0 } else { TARGET_WEIGHT };
        0.5 + 0.5 * (weight * target + (1.0 - weight) * area)
    }

    /// The mean owner of the target, 1 Black, -1 White.
    pub(super) fn target_owner(&self, owners: &[i8]) -> f32 {
        let sum: i32 = self.target.iter().map(|&p| i32::from(owners[p])).sum();
        sum as f32 / self.target.len().max(1) as f32
    }

    /// Plays to the end on the area and appends the moves to `record`. `order` holds the places of the area in any order.
    #[allow(clippy::too_many_arguments, reason = "the position and two buffers")]
    pub(super) fn playout(
        &self,
        board: &mut PlayoutBoard<N>,
        mut color: Color,
        mut last: Option<Vertex>,
        mut passes: u8,
        rng: &mut Rng,
        order: &mut [u16],
        record: &mut Vec<(u8, u16)>,
    ) {
        for _ in 0..3 * self.len() + 8 {
            if passes >= 2 {
                break;
            }
            let answer = last.filter(|_| rng.chance(ANSWER)).and_then(|last| self.answer(board, color, last));
            let found = answer.or_else(|| self.any_move(board, color, rng, order));
            match found.and_then(|mv| self.vertex(mv).map(|vertex| (mv, vertex))) {
                Some((mv, vertex)) => {
                    let played = board.play(color, vertex);
                    debug_assert!(played, "only legal moves are chosen");
                    record.push((color as u8, mv));
                    (last, passes) = (Some(vertex), 0);
                }
                None => {
                    board.pass();
                    (last, passes) = (None, passes + 1);
                }
            }
            color = color.opponent();
        }
    }

    fn place(&self, vertex: Vertex) -> Option<u16> {
        Some(self.places[vertex.index()]).filter(|&place| place != NOWHERE)
    }

    /// A move of the area that captures the stones just played or saves own ones next to them.
    fn answer(&self, board: &PlayoutBoard<N>, color: Color, last: Vertex) -> Option<u16> {
        let legal = |vertex: Vertex| self.place(vertex).filter(|_| board.is_legal(color, vertex));
        if board.stone(last) != Some(color.opponent()) {
            return None;
        }
        if let Some(capture) = board.in_atari(last).and_then(legal) {
            return Some(capture);
        }
        for &n in &self.neighbors[last.index()] {
            if board.stone(n) != Some(color) {
                continue;
            }
            let Some(liberty) = board.in_atari(n) else { continue };
            // Taking a neighbour in atari is the surest way out.
            for stone in board.chain(n) {
                for &enemy in &self.neighbors[stone.index()] {
                    if board.stone(enemy) == Some(color.opponent())
                        && let Some(capture) = board.in_atari(enemy).and_then(legal)
                    {
                        return Some(capture);
                    }
                }
            }
            if let Some(extension) = legal(liberty)
                && !self.puts_itself_in_atari(board, color, liberty)
            {
                return Some(extension);
            }
        }
        None
    }

    /// A random legal move that is no own eye; seldom one that puts itself in atari.
    fn any_move(&self, board: &PlayoutBoard<N>, color: Color, rng: &mut Rng, order: &mut [u16]) -> Option<u16> {
        let careful = !rng.chance(SELF_ATARI);
        let mut left = order.len();
        while left > 0 {
            let drawn = rng.below(left);
            let mv = order[drawn];
            left -= 1;
            order.swap(drawn, left);
            let Some(vertex) = self.vertex(mv) else { continue };
            if board.is_legal(color, vertex)
                && !board.is_eye(color, vertex)
                && !(careful && self.puts_itself_in_atari(board, color, vertex))
            {
                return Some(mv);
            }
        }
        None
    }

    /// Whether the chain of a stone put here has one liberty and has taken nothing.
    fn puts_itself_in_atari(&self, board: &PlayoutBoard<N>, color: Color, vertex: Vertex) -> bool {
        let open = self.neighbors[vertex.index()].iter().filter(|&&n| board.stone(n).is_none());
        if open.count() >= 2 {
            return false;
        }
        let mut after = *board;
        let stones = after.empty_points().len();
        after.play(color, vertex) && after.empty_points().len() < stones && after.in_atari(vertex).is_some()
    }
}
