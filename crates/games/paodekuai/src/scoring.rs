//! Points of a deal (section 6 of the rules).

use kiebitz_core::Seat;

use crate::options::{BombPay, End};
use crate::rules::Rules;
use crate::state::{Bird, MAX_SEATS, State};

impl State {
    /// The points of a deal that is over, by seat; they sum to zero. Before that, of the bombs paid so far.
    pub fn scores(&self, rules: &Rules) -> [i32; MAX_SEATS] {
        let options = rules.options();
        let players = rules.players();
        let mut scores = [0; MAX_SEATS];
        let Some(winner) = self.finishing_order().next() else {
            self.add_bombs(rules, None, &mut scores);
            return scores;
        };
        match options.end {
            End::FirstOut => {
                let losers = (0..players).filter(|&seat| seat != winner);
                for loser in losers {
                    let points = self.card_points(rules, winner, loser);
                    scores[usize::from(self.liable().unwrap_or(loser))] -= points;
                    scores[usize::from(winner)] += points;
                }
            }
            End::Ranking => {
                for (place, seat) in self.finishing_order().enumerate() {
                    scores[usize::from(seat)] += i32::from(players) - 1 - 2 * place as i32;
                }
            }
        }
        self.add_bombs(rules, Some(winner), &mut scores);
        if let Some(cap) = options.cap {
            limit_losses(&mut scores, i32::from(cap));
        }
        scores
    }

    /// What a loser owes the winner for his cards.
    fn card_points(&self, rules: &Rules, winner: Seat, loser: Seat) -> i32 {
        let options = rules.options();
        let left = self.hand_len(loser);
        if left == 1 && options.one_card_free {
            return 0;
        }
        let mut points = i32::from(options.card_point) * i32::from(left);
        match self.plays_made[usize::from(loser)] {
            0 => points *= i32::from(options.shutout),
            1 if loser == self.leader => points *= i32::from(options.reverse_shutout),
            _ => {}
        }
        if matches!(self.bird(), Bird::Dealt(seat) if seat == winner || seat == loser) {
            points *= 2;
        }
        points
    }

    fn add_bombs(&self, rules: &Rules, winner: Option<Seat>, scores: &mut [i32; MAX_SEATS]) {
        let each = i32::from(rules.options().bomb_points);
        let others = i32::from(rules.players()) - 1;
        for owner in self.bombs_paid_to() {
            let receiver = match rules.options().bomb_pay {
                BombPay::Each => Some(owner),
                BombPay::Winner => winner,
                BombPay::None => None,
            };
            let Some(receiver) = receiver else { continue };
            for score in scores.iter_mut().take(usize::from(rules.players())) {
                *score -= each;
            }
            scores[usize::from(receiver)] += each * (others + 1);
        }
    }
}

/// Nobody loses more than `cap`; the winners receive less, in proportion. Fractions go to the largest remainders, then to the
/// lower seats.
fn limit_losses(scores: &mut [i32; MAX_SEATS], cap: i32) {
    let owed: i64 = scores.iter().map(|&score| i64::from(score.min(0))).sum();
    for score in scores.iter_mut() {
        *score = (*score).max(-cap);
    }
    let paid: i64 = scores.iter().map(|&score| i64::from(score.min(0))).sum();
    if paid == owed {
        return;
    }
    let mut remainders = [(0, 0); MAX_SEATS];
    let mut left = -paid;
    for (seat, score) in scores.iter_mut().enumerate() {
        let share = i64::from((*score).max(0)) * -paid;
        remainders[seat] = (share % -owed, MAX_SEATS - seat);
        if *score > 0 {
            *score = (share / -owed) as i32;
            left -= i64::from(*score);
        }
    }
    remainders.sort_unstable();
    for &(_, place) in remainders.iter().rev().take(left as usize) {
        scores[MAX_SEATS - place] += 1;
    }
}
