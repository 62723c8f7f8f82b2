//! When to pass: pure functions of the position, an opinion about its stones, and what a search found.
//!
//! Under rules without friendly pass (Tromp-Taylor) the board is counted literally after two passes, dead stones and all. Under the
//! others the players agree on the dead stones, and nobody has to play on only to take them off.

use kiebitz_core::Game;
use kiebitz_go::status::{Assessment, Status};
use kiebitz_go::{Color, Go, Move, Point, Scoring};

/// A region is settled for a colour when its points end as the colour's with this mean ownership, in `[0, 1]`.
const SETTLED: f32 = 0.6;
/// A side whose best move wins less often than this has nothing left to hope for.
pub const HOPELESS: f64 = 0.05;
/// The difference between two moves' win rates that counts as one.
const SAME: f64 = 0.03;

/// How the game stands for a colour that thinks of passing.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The colour that thinks of passing.
    pub color: Color,
    /// Its pass would end the game.
    pub ends: bool,
    /// Dead stones may stay on the board.
    pub friendly: bool,
    /// Area is counted: a neutral point is worth a point.
    pub area: bool,
    /// The colour's margin in quarter points if the game ended now, as the opinion has it.
    pub expected: i32,
    /// The same as the referee would count it after the agreement, with every doubt about the colour's own stones decided against
    /// it.
    pub certain: i32,
    /// Nothing is undecided: every chain's fate is known, every open point is a side's own, neutral, or part of a seki.
    pub settled: bool,
    /// Neutral points where the colour can play without harm, in index order.
    pub neutral: Vec<Point>,
    /// Open points from which dead stones of the opponent are attacked, in index order.
    pub attack: Vec<Point>,
    /// The opponent has dead stones on the board.
    pub dead_enemies: bool,
}

/// What to do instead of what the search wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Pass.
    Pass,
    /// Pass, if the opponent's best answer does no harm; else as [`Verdict::Play`].
    PassIfSafe,
    /// One of these neutral points that costs nothing; if each would, as [`Verdict::PassIfSafe`].
    Fill(Vec<Point>),
    /// The search's best move that is no pass.
    Play,
    /// The search's best among these points, unless it is much worse than its best of all.
    PlayOneOf(Vec<Point>),
}

impl Standing {
    /// How `go` stands for the colour to move, by this opinion about its stones.
    pub fn of(go: &Go, opinion: &Assessment) -> Standing {
        let (color, rules) = (go.to_move(), go.options().rules);
        let sign = if color == Color::Black { 1 } else { -1 };
        let friendly = rules.friendly_pass;
        // The first pass under button rules takes the button and ends nothing.
        let ends = go.passes() >= 1 && (!rules.button || go.button().is_some());
        let (expected, certain) = if friendly {
            let doubtful = |p: &Point| go.board().stone(*p) == Some(color);
            let mut dead = opinion.dead();
            dead.extend(opinion.stones(Status::Unknown).into_iter().filter(doubtful));
            (sign * opinion.score(go).margin(), sign * go.margin_without(&dead))
        } else {
            let literal = sign * go.margin();
            (literal, literal)
        };
        let map = Map::of(go, opinion);
        let attack = map.attack(go, color);
        Standing {
            color,
            ends,
            friendly,
            area: rules.scoring == Scoring::Area,
            expected,
            certain,
            settled: map.settled,
            neutral: map.neutral.iter().copied().filter(|&p| is_harmless(go, p)).collect(),
            attack,
            dead_enemies: opinion.chains.iter().any(|c| c.color != color && c.status == Status::Dead),
        }
    }

    /// Whether passing wins at once, whatever a search might say: the opponent has passed and the count is beyond doubt.
    pub fn wins_by_passing(&self) -> bool {
        self.ends && self.certain > 0 && self.expected > 0 && (!self.friendly || self.settled)
    }

    /// What to do after a search: `best` is the win rate of its best move, `other` that of its best move that is no pass (`None`
    /// when there is none), `wants_pass` says that the best move is the pass.
    pub fn judge(&self, wants_pass: bool, best: f64, other: Option<f64>) -> Verdict {
        // All other moves fill own eyes or are forbidden.
        let Some(other) = other else { return Verdict::Pass };
        let lost_anyway = other < HOPELESS;
        if self.ends {
            return match self.expected {
                e if e > 0 && (self.certain > 0 || !self.friendly) && (self.settled || wants_pass) => Verdict::Pass,
                e if e > 0 && self.friendly && self.settled => self.finish(),
                e if e > 0 && wants_pass => Verdict::Pass,
                0 if other <= 0.5 + SAME && (wants_pass || self.settled) => Verdict::Pass,
                _ if lost_anyway && (self.settled || !self.friendly && wants_pass) => Verdict::Pass,
                _ => self.attack_first(),
            };
        }
        // A search counts the end literally: what it says of a pass is true, or under friendly rules a lower bound. The button
        // may be what it wants.
        if wants_pass && other + SAME < best {
            return Verdict::Pass;
        }
        if !self.settled {
            let fine = self.certain > 0 || lost_anyway;
            return if wants_pass && fine { Verdict::Pass } else { self.attack_first() };
        }
        if self.expected > 0 {
            return self.finish();
        }
        if !lost_anyway {
            return self.attack_first();
        }
        if self.area && !self.neutral.is_empty() { Verdict::Fill(self.neutral.clone()) } else { Verdict::Pass }
    }

    /// A won and settled game: neutral points where they count, then the pass.
    fn finish(&self) -> Verdict {
        // Under territory rules neutral points matter only where the count would tax what touches them.
        let fill = !self.neutral.is_empty() && (self.area || self.certain <= 0);
        if fill {
            Verdict::Fill(self.neutral.clone())
        } else if self.ends {
            Verdict::Pass
        } else {
            Verdict::PassIfSafe
        }
    }

    /// Where dead stones count as alive, they must go.
    fn attack_first(&self) -> Verdict {
        if self.settled && !self.friendly && self.dead_enemies && !self.attack.is_empty() {
            Verdict::PlayOneOf(self.attack.clone())
        } else {
            Verdict::Play
        }
    }
}

/// What the open points are.
struct Map<'a> {
    opinion: &'a Assessment,
    settled: bool,
    /// Open points between the two sides that belong to nobody, those of a seki left out.
    neutral: Vec<Point>,
    /// The owner of each point once the dead stones are off.
    owner: Vec<i8>,
}

impl<'a> Map<'a> {
    fn of(go: &Go, opinion: &'a Assessment) -> Self {
        let size = go.size();
        let owner = kiebitz_go::area_owners(go.board(), &opinion.dead());
        let open = |p: Point| go.board().stone(p).is_none() || opinion.status(p) == Some(Status::Dead);
        let mut map = Map { opinion, settled: true, neutral: Vec::new(), owner };
        map.settled = opinion.chains.iter().all(|chain| chain.status != Status::Unknown);
        let mut seen = vec![false; size.points()];
        for start in size.iter().filter(|&p| open(p)) {
            if std::mem::replace(&mut seen[start.index()], true) {
                continue;
            }
            let mut region = vec![start];
            let mut at = 0;
            let mut seki = false;
            while let Some(&point) = region.get(at) {
                at += 1;
                for n in size.neighbors(point) {
                    if open(n) {
                        if !std::mem::replace(&mut seen[n.index()], true) {
                            region.push(n);
                        }
                    } else {
                        seki |= opinion.status(n) == Some(Status::Seki);
                    }
                }
            }
            map.look_at(go, &region, seki);
        }
        map.neutral.sort_unstable();
        map
    }

    /// One connected region of open points.
    fn look_at(&mut self, go: &Go, region: &[Point], seki: bool) {
        let size = go.size();
        match self.owner[region[0].index()] {
            0 if seki => {}
            0 => {
                for &point in region {
                    let alive =
                        |n: &Point| go.board().stone(*n).is_some() && self.opinion.status(*n) != Some(Status::Dead);
                    let mut touched = [false; 2];
                    for color in size.neighbors(point).filter(alive).filter_map(|n| go.board().stone(n)) {
                        touched[color.index()] = true;
                    }
                    // A point that does not touch both sides may still become somebody's.
                    self.settled &= touched == [true; 2];
                }
                self.neutral.extend(region.iter().copied().filter(|&p| go.board().stone(p).is_none()));
            }
            owner => {
                let sum: f32 = region.iter().map(|p| self.opinion.ownership[p.index()]).sum();
                self.settled &= f32::from(owner) * sum / region.len() as f32 >= SETTLED;
            }
        }
    }

    /// Open points next to dead stones of `color`'s opponent; where none of them can be played without being captured at once, the
    /// other open points of `color`'s area around them.
    fn attack(&self, go: &Go, color: Color) -> Vec<Point> {
        let enemy = color.opponent();
        let dead = |p: Point| go.board().stone(p) == Some(enemy) && self.opinion.status(p) == Some(Status::Dead);
        let mut near: Vec<Point> = Vec::new();
        for chain in self.opinion.chains.iter().filter(|c| c.color == enemy && c.status == Status::Dead) {
            near.extend(go.board().liberties(chain.stones[0]));
        }
        near.sort_unstable();
        near.dedup();
        let playable =
            |points: Vec<Point>| -> Vec<Point> { points.into_iter().filter(|&p| is_harmless(go, p)).collect() };
        let close = playable(near);
        if !close.is_empty() {
            return close;
        }
        // The approach may have to be made from further away.
        let mut region: Vec<Point> = go.size().iter().filter(|&p| dead(p)).collect();
        let mut seen = vec![false; go.size().points()];
        region.iter().for_each(|p| seen[p.index()] = true);
        let mut at = 0;
        while let Some(&point) = region.get(at) {
            at += 1;
            for n in go.size().neighbors(point) {
                if (go.board().stone(n).is_none() || dead(n)) && !std::mem::replace(&mut seen[n.index()], true) {
                    region.push(n);
                }
            }
        }
        region.retain(|&p| go.board().stone(p).is_none());
        region.sort_unstable();
        playable(region)
    }
}

/// Whether the colour to move can put a stone there without filling an own eye and without being captured at once.
fn is_harmless(go: &Go, point: Point) -> bool {
    let color = go.to_move();
    if go.turn().is_terminal() || !go.is_legal(Move::from(point)) {
        return false;
    }
    if go.size().neighbors(point).all(|n| go.board().stone(n) == Some(color)) {
        return false;
    }
    let mut after = go.clone();
    after.apply(Move::from(point));
    after.board().stone(point) == Some(color) && after.board().liberties(point).len() >= 2
}
