//! The game that a controller moves about: a session, and what GTP does to it that a table does not.

use kiebitz_core::{Game as _, Illegal, Session, SetupError, Step, Turn};
use kiebitz_go::{Color, Go, Move, Options, Point, Ruleset, Setup, Size};

/// The game in progress.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    session: Session<Go>,
}

/// What GTP starts with: 19x19, Tromp–Taylor, komi 7.5.
pub(crate) fn start_options() -> Options {
    let size = Options::default().size;
    let mut options = Options::new(size, Ruleset::TrompTaylor);
    options.komi = 30;
    options
}

fn session(options: Options, setup: Option<Setup>) -> Result<Session<Go>, SetupError> {
    Session::new(2, options, setup, 0)
}

impl Game {
    /// The game GTP starts with.
    pub fn new() -> Self {
        match session(start_options(), None) {
            Ok(session) => Game { session },
            Err(e) => unreachable!("an empty board can be set up: {e}"),
        }
    }

    pub fn session(&self) -> &Session<Go> {
        &self.session
    }

    pub fn state(&self) -> &Go {
        self.session.state()
    }

    pub fn options(&self) -> &Options {
        self.session.options()
    }

    pub fn size(&self) -> Size {
        self.options().size
    }

    pub fn to_move(&self) -> Color {
        self.state().to_move()
    }

    /// Whether two passes or repetition ended it.
    pub fn is_over(&self) -> bool {
        self.session.turn() == Turn::Terminal
    }

    /// Replaces the game, as for a file that was loaded.
    pub fn replace(&mut self, session: Session<Go>) {
        self.session = session;
    }

    /// An empty board of this size; komi and rules stay.
    pub fn clear(&mut self, size: Size) -> Result<(), SetupError> {
        self.start(Options { size, handicap: 0, ..*self.options() }, None)
    }

    /// A new game from these stones; the others are gone.
    pub fn start(&mut self, options: Options, setup: Option<Setup>) -> Result<(), SetupError> {
        self.session = session(options, setup)?;
        Ok(())
    }

    /// Whether nothing has happened on an empty board: handicap stones may be placed.
    pub fn is_fresh(&self) -> bool {
        Color::ALL.iter().all(|&color| self.state().board().count(color) == 0)
    }

    /// Plays for a colour, whoever's turn it is, and after the end too.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        let over = self.is_over();
        if over {
            self.session.perform(resume())?;
        }
        let played = self.session.play_as(color.index() as u8, mv);
        if played.is_err() && over {
            self.session.undo();
        }
        played
    }

    /// Whether a colour may play there.
    pub fn is_legal(&self, color: Color, mv: Move) -> bool {
        self.looking_on(color).check(mv).is_ok()
    }

    /// The points a colour may play on.
    pub fn legal_points(&self, color: Color) -> Vec<Point> {
        let mut moves = Vec::new();
        self.looking_on(color).actions(&mut moves);
        moves.iter().filter_map(|mv| mv.point()).collect()
    }

    /// The position with this colour to move, going on after the end.
    pub fn looking_on(&self, color: Color) -> Go {
        let mut state = self.state().clone();
        if state.turn().is_terminal() {
            state.resume();
        }
        state.set_to_move(color);
        state
    }

    /// The game for a search of this colour's move: going on after the end, and with the turn.
    pub fn for_search(&self, color: Color) -> Result<Session<Go>, Illegal> {
        let mut session = self.session.clone();
        if session.turn() == Turn::Terminal {
            session.perform(resume())?;
        }
        session.with_turn_of(color.index() as u8)
    }

    /// Takes back the last move; `false` when there is none, or stones were set since.
    pub fn undo(&mut self) -> bool {
        match self.session.history().last() {
            Some(Step::Action { .. }) => {}
            _ => return false,
        }
        self.session.undo();
        while let Some(Step::Event { .. }) = self.session.history().last() {
            self.session.undo();
        }
        true
    }

    /// How many moves can be taken back.
    pub fn undoable(&self) -> usize {
        let history = self.session.history().iter().rev();
        history
            .take_while(|step| !matches!(step, Step::SetUp(_)))
            .filter(|step| matches!(step, Step::Action { .. }))
            .count()
    }

    /// Sets stones in mid-game.
    pub fn set_up(&mut self, setup: Setup) -> Result<(), Illegal> {
        self.session.perform(Step::SetUp(Box::new(setup)))
    }

    /// Other rules or komi, stones and moves unmoved. What the new rules forbid of the moves made is kept as a set-up: moves
    /// before it cannot be taken back, and its prisoners are no longer counted.
    pub fn set_options(&mut self, options: Options) -> Result<(), SetupError> {
        let mut fresh = session(options, self.session.setup().cloned())?;
        let history = self.session.history();
        let mut next = 0;
        while let Some(step) = history.get(next) {
            next += 1;
            if fresh.perform(step.clone()).is_err() {
                let stood = self.after(next)?;
                fresh = session(options, Some(position(stood.state())))?;
            }
        }
        self.session = fresh;
        Ok(())
    }

    /// The game after its first `steps` steps.
    fn after(&self, steps: usize) -> Result<Session<Go>, SetupError> {
        let mut game = session(*self.options(), self.session.setup().cloned())?;
        for step in self.session.history().iter().take(steps) {
            let _ = game.perform(step.clone());
        }
        Ok(game)
    }
}

fn resume() -> Step<Go> {
    Step::Event { by: 0, name: "resume".into(), data: Box::default() }
}

/// The stones of a position as a set-up.
fn position(state: &Go) -> Setup {
    Setup {
        black: state.board().stones(Color::Black).collect(),
        white: state.board().stones(Color::White).collect(),
        empty: Vec::new(),
        to_move: Some(state.to_move()),
    }
}
