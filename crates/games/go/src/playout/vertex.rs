//! Places on a board with a border ring.

/// A place of a [`super::PlayoutBoard`]: its points and the border around them, row by row.
///
/// The index of a point depends on the capacity of the board, so a vertex means something only to the board it came from
/// (see [`super::PlayoutBoard::vertex`]). A foreign vertex cannot make a board fail, but the answer means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex(u16);

impl Vertex {
    #[inline(always)]
    pub(super) const fn new(index: usize) -> Self {
        Vertex(index as u16)
    }

    /// The index, below the board's capacity.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The distance between two rows for a board with room for `capacity` vertices. Rows share one column of border: the
/// place right of a row is the place left of the next. Fixed for each capacity, so that neighbours are at constant
/// distances also on smaller boards.
///
/// The highest index read is that of the diagonal neighbour of the top right point, `stride * stride + stride`.
pub(super) const fn stride(capacity: usize) -> usize {
    assert!(capacity.is_power_of_two(), "indices are masked with capacity - 1");
    let stride = match capacity {
        128 => 10,
        256 => 14,
        512 => 20,
        1024 => 26,
        _ => panic!("capacities are 128, 256, 512 and 1024"),
    };
    assert!(stride * stride + stride < capacity);
    stride
}
