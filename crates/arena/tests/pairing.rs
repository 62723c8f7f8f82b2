//! Who sits where, and with which seed.

use std::collections::{BTreeMap, BTreeSet};

use kiebitz_arena::pairing::{Schedule, ScheduleError, Task};

fn tasks(schedule: &Schedule) -> Vec<Task> {
    (0..schedule.games()).map(|id| schedule.task(id)).collect()
}

#[test]
fn two_players_swap_seats_with_one_seed() {
    let schedule = Schedule::new(2, 2, 6, 7).unwrap();
    assert_eq!((schedule.games(), schedule.block_size()), (6, 2));
    let tasks = tasks(&schedule);
    for pair in tasks.chunks(2) {
        assert_eq!((&pair[0].lineup[..], &pair[1].lineup[..]), (&[0, 1][..], &[1, 0][..]));
        assert_eq!((pair[0].seed, pair[0].block), (pair[1].seed, pair[1].block));
    }
    let seeds: BTreeSet<u64> = tasks.iter().map(|t| t.seed).collect();
    assert_eq!(seeds.len(), 3);
}

#[test]
fn every_contestant_has_every_seat_in_a_block() {
    // Contestants, seats, line-ups.
    for (contestants, seats, lineups) in [(3, 3, 1), (4, 4, 1), (2, 4, 1), (3, 2, 3), (5, 3, 10), (6, 6, 1)] {
        let schedule = Schedule::new(contestants, seats, 1, 0).unwrap();
        assert_eq!(schedule.games() as usize, lineups * seats);
        let mut blocks: BTreeMap<u64, Vec<Task>> = BTreeMap::new();
        for task in tasks(&schedule) {
            blocks.entry(task.block).or_default().push(task);
        }
        let mut seen = BTreeSet::new();
        for block in blocks.into_values() {
            assert_eq!(block.len(), seats);
            assert!(block.iter().all(|t| t.seed == block[0].seed));
            let members: BTreeSet<usize> = block[0].lineup.iter().copied().collect();
            for &member in &members {
                let share = block[0].lineup.iter().filter(|p| **p == member).count();
                for seat in 0..seats {
                    assert_eq!(block.iter().filter(|t| t.lineup[seat] == member).count(), share);
                }
            }
            seen.insert(members);
        }
        assert_eq!(seen.len(), lineups, "every line-up once");
    }
}

#[test]
fn too_few_contestants_are_filled_up_with_the_last() {
    let schedule = Schedule::new(2, 4, 1, 0).unwrap();
    assert_eq!(schedule.lineups(), [vec![0, 1, 1, 1]]);
    assert_eq!(schedule.task(1).lineup, [1, 0, 1, 1]);
}

#[test]
fn games_are_rounded_up_and_do_not_depend_on_their_number() {
    let (short, long) = (Schedule::new(3, 2, 7, 5).unwrap(), Schedule::new(3, 2, 100, 5).unwrap());
    assert_eq!((short.games(), long.games()), (12, 102));
    assert_eq!(tasks(&short), tasks(&long)[..12]);
    assert_ne!(short.task(0).seed, Schedule::new(3, 2, 7, 6).unwrap().task(0).seed);
}

#[test]
fn impossible_schedules_are_refused() {
    assert_eq!(Schedule::new(1, 2, 2, 0).unwrap_err(), ScheduleError::Contestants(1));
    assert_eq!(Schedule::new(17, 2, 2, 0).unwrap_err(), ScheduleError::Contestants(17));
    assert_eq!(Schedule::new(2, 1, 2, 0).unwrap_err(), ScheduleError::Seats(1));
    assert_eq!(Schedule::new(2, 2, 0, 0).unwrap_err(), ScheduleError::Games(0));
    assert_eq!(Schedule::new(2, 2, u64::MAX, 0).unwrap_err(), ScheduleError::Games(u64::MAX));
    assert_eq!(Schedule::new(17, 2, 2, 0).unwrap_err().to_string(), "a match is for 2 to 16 players, not 17");
}
