//! Learning the move prior of Go from game records and from games of our own.

use std::sync::atomic::AtomicBool;

use kiebitz_catalog::Entry;
use kiebitz_core::record::Header;
use kiebitz_core::{Budget, Clock, DynGame, Game, PlayerSpec, Rng, Session, Thinking};
use kiebitz_go::features::Gammas;
use kiebitz_go::features::fit::{Examples, Prediction};
use kiebitz_go::sgf::{self, Mode, SgfError, Tree};
use kiebitz_go::{Go, Move, Ruleset, Setup};
use serde_json::Map;

/// One game in so many is not learned from, but tested on.
const HELD_OUT: usize = 10;

/// Moves of a game of our own that are random, and not learned from.
const RANDOM_MOVES: usize = 4;

/// Games to learn from.
#[derive(Clone, Debug)]
pub struct Material {
    /// Positions to learn from.
    pub training: Examples,
    /// Positions of every tenth game, to test on.
    pub held_out: Examples,
    /// Games taken.
    pub games: usize,
}

/// What was learned, and how well it predicts.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The strengths.
    pub gammas: Gammas,
    /// How well they predict the games learned from.
    pub training: Prediction,
    /// How well they predict the games held out.
    pub held_out: Prediction,
    /// How well the built-in strengths predict the games held out.
    pub built_in: Prediction,
}

impl Default for Material {
    fn default() -> Self {
        Material { training: Examples::new(), held_out: Examples::new(), games: 0 }
    }
}

impl Material {
    /// Adds the main lines of all games of an SGF file, each until a move that is illegal. Returns their number.
    ///
    /// # Errors
    /// When the bytes are no SGF of Go.
    pub fn add_sgf(&mut self, bytes: &[u8]) -> Result<usize, SgfError> {
        let parsed = sgf::parse(bytes, Mode::Tolerant)?;
        let trees = &parsed.collection.trees;
        trees.iter().for_each(|tree| self.add_tree(tree));
        Ok(trees.len())
    }

    fn add_tree(&mut self, tree: &Tree) {
        let examples = self.next_game();
        // Chinese rules forbid least of what records hold: only retaking a ko at once.
        let mut go = Go::with_ruleset(tree.size(), Ruleset::Chinese);
        for node in tree.main_line() {
            let setup = tree.setup(node);
            let setup = Setup { black: setup.black, white: setup.white, empty: setup.empty, to_move: setup.to_play };
            if setup != Setup::default() && go.set_stones(&setup).is_err() {
                return;
            }
            let Some((color, mv)) = tree.played(node) else { continue };
            if go.check_as(color, mv).is_err() {
                return;
            }
            if color != go.to_move() {
                go.set_to_move(color);
            }
            examples.add(&go, mv);
            go.apply(mv);
        }
    }

    /// Where the positions of another game go.
    fn next_game(&mut self) -> &mut Examples {
        self.games += 1;
        if self.games.is_multiple_of(HELD_OUT) { &mut self.held_out } else { &mut self.training }
    }

    /// Plays a game of a player against itself after a few random moves, and adds it. The same seed gives the same game as long
    /// as the player's thinking is limited by visits.
    ///
    /// # Errors
    /// A sentence when the player cannot play it.
    pub fn add_self_play(
        &mut self,
        entry: &Entry,
        header: &Header,
        spec: &PlayerSpec,
        seed: u64,
        clock: &dyn Clock,
        stop: &AtomicBool,
    ) -> Result<(), String> {
        let mut game = entry.game.start(header, seed).map_err(|e| e.to_string())?;
        let mut player = entry.player(spec).map_err(|e| e.to_string())?;
        let mut rng = Rng::new(seed);
        let mut played: Vec<(Go, Move)> = Vec::new();
        while !game.turn().is_terminal() {
            let legal = game.legal();
            let random = game.steps() < RANDOM_MOVES && legal.len() > 1;
            let text = if random {
                // The last one is the pass.
                legal[rng.below(legal.len() - 1)].clone()
            } else {
                let thinking = Thinking::new(Budget::visits(200), clock, stop, rng.next_u64());
                let analysis = player.analyze(game.as_ref(), &thinking).map_err(|e| e.to_string())?;
                let Some(best) = analysis.candidates.first() else { break };
                best.action.clone()
            };
            if let (false, Some(go)) = (random, state(game.as_ref())) {
                let mv = Move::parse(&text, go.size()).map_err(|e| e.to_string())?;
                played.push((go.clone(), mv));
            }
            game.play(&text).map_err(|e| e.to_string())?;
        }
        let examples = self.next_game();
        for (go, mv) in &played {
            examples.add(go, *mv);
        }
        Ok(())
    }

    /// Learns from the games; patterns in fewer than `rare` of all legal moves are left at strength 1.
    pub fn fit(&self, rare: usize) -> Fit {
        let gammas = self.training.fit(rare);
        let training = self.training.test(&gammas);
        let held_out = self.held_out.test(&gammas);
        Fit { gammas, training, held_out, built_in: self.held_out.test(Gammas::built_in()) }
    }
}

fn state(game: &dyn DynGame) -> Option<&Go> {
    game.as_any().downcast_ref::<Session<Go>>().map(Session::state)
}

/// The header of games of our own on a square board.
pub fn header(size: usize) -> Header {
    Header::new("go", 2, Map::from_iter([("size".to_owned(), size.into())]))
}
