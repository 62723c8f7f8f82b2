//! The state of a game of Go as the referee keeps it: board, turn, history.

use std::fmt;

use kiebitz_core::{Game, Illegal, Meta, Payoff, SetupError, Turn};

use crate::board::{Board, CellSet, NONE, copy_in_pieces};
use crate::scoring::chain_cells;
use crate::{Color, KoRule, Move, Options, Point, Ruleset, Scoring, Setup, Size, fixed_handicap, max_fixed_handicap};

/// One move of the log: enough to take it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ply {
    /// The cell of the stone, [`NONE`] for a pass.
    pub cell: u16,
    /// The ban of retaking before the move.
    pub ko_before: u16,
    /// How many stones it removed.
    pub removed: u16,
    /// Passes in a row before the move.
    pub passes_before: u8,
    /// The mover and what else happened, as bits.
    flags: u8,
}

const WHITE: u8 = 1;
const SUICIDE: u8 = 2;
/// The mover's colour had never been on the cell before.
const FIRST: u8 = 4;
const BUTTON: u8 = 8;

impl Ply {
    pub fn color(self) -> Color {
        if self.flags & WHITE != 0 { Color::White } else { Color::Black }
    }

    pub fn is_pass(self) -> bool {
        self.cell == NONE
    }

    pub fn is_suicide(self) -> bool {
        self.flags & SUICIDE != 0
    }
}

/// A set of hashes that may say yes to one it does not hold, never no to one it holds. Taken-back positions stay in it.
#[derive(Clone, Copy)]
pub(crate) struct HashFilter([u64; 64]);

impl HashFilter {
    const NEW: HashFilter = HashFilter([0; 64]);

    #[inline(always)]
    fn insert(&mut self, hash: u64) {
        self.0[(hash >> 6) as usize & 63] |= 1 << (hash & 63);
    }

    #[inline(always)]
    pub(crate) fn may_contain(&self, hash: u64) -> bool {
        self.0[(hash >> 6) as usize & 63] >> (hash & 63) & 1 != 0
    }
}

/// A game of Go in progress. Seat 0 is Black.
///
/// Two states are equal when everything that can matter later is: rules, stones, turn, passes, ban of retaking, captures,
/// button and the log since the last set-up.
pub struct Go {
    pub(crate) options: Options,
    pub(crate) board: Board,
    pub(crate) to_move: Color,
    passes: u8,
    void: bool,
    button: Option<Color>,
    /// Where the opponent of the last mover would retake a ko, or [`NONE`].
    pub(crate) ko: u16,
    /// Stones taken by each colour.
    captures: [u32; 2],
    /// Moves made before the log starts (before the last set-up in mid-game).
    earlier: u32,
    /// Who was to move where the log starts.
    pub(crate) first_to_move: Color,
    /// The position's hash where the log starts and after each of its moves.
    pub(crate) hashes: Vec<u64>,
    /// The log.
    pub(crate) plies: Vec<Ply>,
    /// The cells of all removed stones, in order of removal.
    pub(crate) removed: Vec<u16>,
    /// Cells where each colour had a stone at some time since the log starts. A move elsewhere cannot repeat a position.
    pub(crate) occupied: [CellSet; 2],
    /// The hashes of the log.
    pub(crate) filter: HashFilter,
    /// Stones that the players agreed are dead, as sorted cells.
    dead: Vec<u16>,
}

impl Clone for Go {
    fn clone(&self) -> Self {
        let mut copy = Go {
            board: self.board.clone(),
            hashes: Vec::new(),
            plies: Vec::new(),
            removed: Vec::new(),
            dead: self.dead.clone(),
            ..*self
        };
        copy_in_pieces(&mut copy.hashes, &self.hashes);
        copy_in_pieces(&mut copy.plies, &self.plies);
        copy_in_pieces(&mut copy.removed, &self.removed);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Go {
            options,
            board,
            to_move,
            passes,
            void,
            button,
            ko,
            captures,
            earlier,
            first_to_move,
            hashes,
            plies,
            removed,
            occupied,
            filter,
            dead,
        } = self;
        board.clone_from(&source.board);
        copy_in_pieces(hashes, &source.hashes);
        copy_in_pieces(plies, &source.plies);
        copy_in_pieces(removed, &source.removed);
        dead.clone_from(&source.dead);
        *options = source.options;
        *to_move = source.to_move;
        *passes = source.passes;
        *void = source.void;
        *button = source.button;
        *ko = source.ko;
        *captures = source.captures;
        *earlier = source.earlier;
        *first_to_move = source.first_to_move;
        *occupied = source.occupied;
        *filter = source.filter;
    }
}

impl PartialEq for Go {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.options == other.options
            && self.to_move == other.to_move
            && self.passes == other.passes
            && self.void == other.void
            && self.button == other.button
            && self.ko == other.ko
            && self.captures == other.captures
            && self.earlier == other.earlier
            && self.first_to_move == other.first_to_move
            && self.hashes == other.hashes
            && self.plies == other.plies
            && self.removed == other.removed
            && self.occupied == other.occupied
            && self.dead == other.dead
    }
}

impl fmt::Debug for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> =
            self.moves().map(|(color, mv)| format!("{color} {}", mv.text(self.options.size))).collect();
        f.debug_struct("Go")
            .field("options", &self.options)
            .field("board", &self.board)
            .field("to_move", &self.to_move)
            .field("passes", &self.passes)
            .field("void", &self.void)
            .field("button", &self.button)
            .field("captures", &self.captures)
            .field("moves", &moves)
            .field("dead", &self.dead_stones())
            .finish()
    }
}

/// The token of a move that can be taken back; the log in the state holds the rest.
#[derive(Debug)]
pub struct Undo(());

impl Go {
    /// An even game on an empty board under a named ruleset with its usual komi.
    pub fn with_ruleset(size: Size, ruleset: Ruleset) -> Self {
        Go::empty(Options::new(size, ruleset))
    }

    /// An empty board; the handicap of the options is not placed.
    fn empty(options: Options) -> Self {
        let mut filter = HashFilter::NEW;
        filter.insert(0);
        Go {
            options,
            board: Board::new(options.size),
            to_move: Color::Black,
            passes: 0,
            void: false,
            button: None,
            ko: NONE,
            captures: [0; 2],
            earlier: 0,
            first_to_move: Color::Black,
            hashes: vec![0],
            plies: Vec::new(),
            removed: Vec::new(),
            occupied: [CellSet::EMPTY; 2],
            filter,
            dead: Vec::new(),
        }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.options.size
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The colour to move; after the end, who would have been.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Passes in a row so far (the pass that took the button does not count).
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Whether the game ended without result: the third time of one position and player to move without a pass between
    /// under simple ko, or [`Meta::max_length`] moves.
    pub fn is_void(&self) -> bool {
        self.void
    }

    /// Who took the button.
    pub fn button(&self) -> Option<Color> {
        self.button
    }

    /// How many stones `color` took, stones that the opponent removed by suicide included.
    pub fn captures(&self, color: Color) -> u32 {
        self.captures[color.index()]
    }

    /// Where the opponent of the last mover would retake a single stone that just took a single stone. Under simple ko that
    /// is forbidden; under superko the whole history decides.
    pub fn ko_point(&self) -> Option<Point> {
        (self.ko != NONE).then(|| self.board.point(usize::from(self.ko)))
    }

    /// How many moves were made, those before a set-up in mid-game included.
    pub fn ply(&self) -> u32 {
        self.earlier + self.plies.len() as u32
    }

    /// The moves since the start or the last set-up.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Move)> + ExactSizeIterator + '_ {
        self.plies.iter().map(|ply| {
            let mv = if ply.is_pass() { Move::PASS } else { self.board.point(usize::from(ply.cell)).into() };
            (ply.color(), mv)
        })
    }

    /// The last move, if one was made since the start or the last set-up.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.moves().next_back()
    }

    /// The stones that were agreed dead after the end, in index order.
    pub fn dead_stones(&self) -> Vec<Point> {
        self.dead.iter().map(|&cell| self.board.point(usize::from(cell))).collect()
    }

    /// Their cells.
    pub(crate) fn dead_cells(&self) -> &[u16] {
        &self.dead
    }

    /// Marks the chains on these points as dead, to be removed when the score is counted. Replaces what was agreed before;
    /// an empty list means that all stones are alive.
    ///
    /// # Errors
    /// `go.dead` before the end, after an end without result, or when a point has no stone.
    pub fn agree_dead(&mut self, stones: &[Point]) -> Result<(), Illegal> {
        if self.passes < 2 {
            return Err(Illegal::new("go.dead", "dead stones can be agreed only after two passes"));
        }
        for &point in stones {
            if self.board.stone(point).is_none() {
                let message = format!("there is no stone on {} that could be dead", point.text(self.size()));
                return Err(Illegal::new("go.dead", message));
            }
        }
        self.dead = chain_cells(&self.board, stones);
        Ok(())
    }

    /// Lets a game go on that two passes or repetition had ended, as GTP controllers do to settle what is dead. Agreed dead
    /// stones are forgotten.
    pub fn resume(&mut self) {
        self.passes = 0;
        self.void = false;
        self.dead.clear();
    }

    /// Makes it `color`'s turn (handicap and set-up play). The log keeps who really moved.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// Plays for `color`, whoever's turn it is; the turn passes to the other colour.
    ///
    /// # Errors
    /// As [`Game::check`]; the state is then unchanged.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.check_as(color, mv)?;
        self.to_move = color;
        self.advance(mv);
        Ok(())
    }

    /// Changes rules and komi without touching stones or log. The size must be that of the board.
    ///
    /// # Errors
    /// `go.size` for another size, else as [`Game::new`].
    pub fn set_options(&mut self, options: Options) -> Result<(), SetupError> {
        options.validate()?;
        if options.size != self.size() {
            let message = format!("the board is {}, rules cannot make it {}", self.size(), options.size);
            return Err(SetupError::new("go.size", message));
        }
        self.options = options;
        Ok(())
    }

    /// Takes back the last move since the start or the last set-up; `false` when there is none.
    pub fn undo_last(&mut self) -> bool {
        let Some(ply) = self.plies.pop() else { return false };
        self.hashes.pop();
        let color = ply.color();
        if !ply.is_pass() {
            let cell = usize::from(ply.cell);
            let from = self.removed.len() - usize::from(ply.removed);
            self.board.take_back(cell, color, &self.removed[from..], ply.is_suicide());
            self.removed.truncate(from);
            if ply.flags & FIRST != 0 {
                self.occupied[color.index()].remove(cell);
            }
            let taker = if ply.is_suicide() { color.opponent() } else { color };
            self.captures[taker.index()] -= u32::from(ply.removed);
        }
        if ply.flags & BUTTON != 0 {
            self.button = None;
        }
        self.to_move = color;
        self.passes = ply.passes_before;
        self.ko = ply.ko_before;
        self.void = false;
        self.dead.clear();
        debug_assert_eq!(self.hashes.last(), Some(&self.board.hash()));
        true
    }

    /// Plays a legal move for the colour to move.
    fn advance(&mut self, mv: Move) {
        let color = self.to_move;
        let mut ply = Ply {
            cell: NONE,
            ko_before: self.ko,
            removed: 0,
            passes_before: self.passes,
            flags: if color == Color::White { WHITE } else { 0 },
        };
        self.ko = NONE;
        let mut may_repeat = false;
        match mv.point() {
            None if self.options.rules.button && self.button.is_none() => {
                self.button = Some(color);
                self.passes = 0;
                ply.flags |= BUTTON;
            }
            None => self.passes += 1,
            Some(point) => {
                let cell = self.board.cell(point);
                let from = self.removed.len();
                let placed = self.board.place(cell, color, &mut self.removed);
                // The order in which a chain's stones are found depends on what was taken back before; the log does not.
                self.removed[from..].sort_unstable();
                ply.cell = cell as u16;
                ply.removed = placed.removed;
                self.ko = placed.ko;
                self.passes = 0;
                let taker = if placed.suicide { color.opponent() } else { color };
                self.captures[taker.index()] += u32::from(placed.removed);
                may_repeat = true;
                if placed.suicide {
                    ply.flags |= SUICIDE;
                } else if !self.occupied[color.index()].contains(cell) {
                    self.occupied[color.index()].insert(cell);
                    ply.flags |= FIRST;
                    may_repeat = false;
                }
            }
        }
        self.to_move = color.opponent();
        self.plies.push(ply);
        let hash = self.board.hash();
        if may_repeat && self.options.rules.ko == KoRule::Simple {
            self.void = self.is_third_time(hash);
        }
        self.hashes.push(hash);
        self.filter.insert(hash);
        if self.passes < 2 && self.ply() >= self.max_length() {
            self.void = true;
        }
    }

    /// Replaces a hash of the log, for tests of accidental hits.
    #[cfg(test)]
    pub(crate) fn forge(&mut self, t: usize, hash: u64) {
        self.hashes[t] = hash;
        self.filter.insert(hash);
    }

    /// Starts the log anew at the position as it stands.
    fn restart_log(&mut self) {
        self.earlier += self.plies.len() as u32;
        self.board.rebuild();
        self.passes = 0;
        self.void = false;
        self.ko = NONE;
        self.first_to_move = self.to_move;
        self.hashes.clear();
        self.hashes.push(self.board.hash());
        self.plies.clear();
        self.removed.clear();
        self.dead.clear();
        self.filter = HashFilter::NEW;
        self.filter.insert(self.board.hash());
        for color in Color::ALL {
            let mut set = CellSet::EMPTY;
            for point in self.board.stones(color) {
                set.insert(self.board.cell(point));
            }
            self.occupied[color.index()] = set;
        }
    }

    /// Sets stones on the board as it is. Positions before are no longer looked at by the repetition rule, and moves before
    /// cannot be taken back.
    ///
    /// # Errors
    /// `go.setup`, `go.off_board`, or `go.no_liberty` when a chain would have none; the state is then unchanged.
    pub fn set_stones(&mut self, setup: &Setup) -> Result<(), SetupError> {
        setup.validate(self.size())?;
        let mut board = self.board.clone();
        for (points, stone) in
            [(&setup.black, Some(Color::Black)), (&setup.white, Some(Color::White)), (&setup.empty, None)]
        {
            for &point in points {
                board.put(point, stone);
            }
        }
        board.rebuild();
        let mut stones = self.size().iter().filter(|&p| board.stone(p).is_some());
        if let Some(point) = stones.find(|&p| board.liberties_to_two(board.cell(p)) == 0) {
            let message = format!("the chain on {} would have no liberty", point.text(self.size()));
            return Err(SetupError::new("go.no_liberty", message));
        }
        self.board = board;
        self.to_move = setup.to_move.unwrap_or(self.to_move);
        self.restart_log();
        Ok(())
    }

    /// No game is longer: 1000 moves and 10 for each point. Two passes end games of people after about one move for each
    /// point; the limit is for players that never pass. A game that reaches it is void.
    pub(crate) fn max_length(&self) -> u32 {
        1000 + 10 * self.size().points() as u32
    }
}

impl Game for Go {
    const ID: &'static str = "go";
    const PLAYERS: std::ops::RangeInclusive<u8> = 2..=2;

    type Options = Options;
    type Setup = Setup;
    type Action = Move;
    type Undo = Undo;
    type Belief = ();

    /// # Errors
    /// `go.players`, `go.komi`, `go.handicap`, and for the set-up `go.setup`, `go.off_board`, `go.no_liberty`.
    fn new(players: u8, options: &Options, setup: Option<&Setup>) -> Result<Self, SetupError> {
        if players != 2 {
            return Err(SetupError::new("go.players", format!("Go is for 2 players, not {players}")));
        }
        options.validate()?;
        let mut go = Go::empty(*options);
        let handicap = usize::from(options.handicap);
        if handicap >= 2 {
            go.to_move = Color::White;
        }
        match setup {
            Some(setup) => go.set_stones(setup)?,
            None if handicap >= 2 => {
                let black = fixed_handicap(options.size, handicap).ok_or_else(|| {
                    let most = match max_fixed_handicap(options.size) {
                        0 => "none".to_owned(),
                        most => format!("at most {most}"),
                    };
                    let message = format!(
                        "there is no fixed handicap of {handicap} stones on {}: it has {most}; a set-up can place them",
                        options.size
                    );
                    SetupError::new("go.handicap", message)
                })?;
                go.set_stones(&Setup { black, ..Setup::default() })?;
            }
            None => {}
        }
        Ok(go)
    }

    fn meta(&self) -> Meta {
        let points = self.size().points() as f64;
        let prisoners = match self.options.rules.scoring {
            Scoring::Area => 0.0,
            Scoring::Territory => f64::from(self.max_length()) + points,
        };
        let extra = self.options.komi_points().abs() + f64::from(self.options.handicap_bonus()) + 0.5;
        let bound = points + prisoners + extra;
        Meta {
            players: 2,
            zero_sum: true,
            hidden: false,
            max_length: self.max_length(),
            min_return: -bound,
            max_return: bound,
            chance: &[],
        }
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.passes >= 2 || self.void { Turn::Terminal } else { Turn::Seat(self.to_move as u8) }
    }

    fn actions(&self, out: &mut Vec<Move>) {
        self.legal_moves(out);
    }

    fn check(&self, action: Move) -> Result<(), Illegal> {
        self.check_as(self.to_move, action)
    }

    fn apply(&mut self, action: Move) {
        debug_assert_eq!(self.check(action), Ok(()));
        self.advance(action);
    }

    fn apply_undo(&mut self, action: Move) -> Undo {
        self.apply(action);
        Undo(())
    }

    fn undo(&mut self, _undo: Undo) {
        self.undo_last();
    }

    /// Black's points minus White's, as Black's return; 0 for a game without result. Counts the board literally, every stone
    /// alive but those agreed dead.
    fn returns(&self) -> Payoff {
        if self.void { Payoff::zero_sum(0.0) } else { Payoff::zero_sum(f64::from(self.margin()) / 4.0) }
    }

    /// 1 for the winner and 0 for the loser, 0.5 for a draw and for a game without result.
    fn utility(&self) -> Payoff {
        let black = match self.margin() {
            _ if self.void => 0.5,
            0 => 0.5,
            margin if margin > 0 => 1.0,
            _ => 0.0,
        };
        Payoff::new(&[black, 1.0 - black])
    }

    /// Position, player to move, passes, ban of retaking, button and end without result; not the history.
    fn key(&self) -> u64 {
        self.key_of(self.board.hash())
    }

    fn recomputed_key(&self) -> u64 {
        self.key_of(self.board.recomputed_hash())
    }

    /// As [`Game::key`], with what else the continuations depend on: under superko the set of earlier positions, under
    /// simple ko those since the last pass, under territory scoring the prisoners; and from half of the longest game on, the
    /// number of moves.
    fn transposition_key(&self) -> u64 {
        self.key_with_history()
    }
}
