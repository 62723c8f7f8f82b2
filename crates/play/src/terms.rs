//! What the parts of a game are called in Chinese, where games differ.

/// The Chinese words of one game.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// To make a move, before its text.
    pub play: &'static str,
    /// To pass.
    pub pass: &'static str,
    /// Asks for a move.
    pub ask: &'static str,
    /// A move that the rules do not allow.
    pub illegal: &'static str,
    /// How a move is typed.
    pub input: &'static str,
    /// All that may be played.
    pub moves: &'static str,
    /// To take back.
    pub undo: &'static str,
    /// What lies on the table.
    pub board: &'static str,
    /// The points a player is expected to get, or to be ahead.
    pub points: &'static str,
    /// The unit of points.
    pub point: &'static str,
    /// Who made a move, as the head of a column of six cells.
    pub side: &'static str,
    /// A game without a winner.
    pub draw: &'static str,
    /// Who makes the moves of chance.
    pub chance: &'static str,
}

impl Terms {
    /// The words of the game of this id.
    pub fn of(game: &str) -> Terms {
        let board_game = Terms {
            play: "走 ",
            pass: "弃权",
            ask: "请走：",
            illegal: "着法不合法",
            input: "输入着法",
            moves: "合法着法",
            undo: "悔棋",
            board: "棋盘",
            points: "得分",
            point: "分",
            side: "行棋方",
            draw: "平局",
            chance: "机遇",
        };
        match game {
            "go" => Terms {
                play: "落子 ",
                pass: "弃着",
                ask: "请落子：",
                points: "目差",
                point: "目",
                draw: "和棋",
                ..board_game
            },
            "paodekuai" => Terms {
                play: "出 ",
                pass: "不要",
                ask: "请出牌：",
                illegal: "不能这样出",
                input: "输入要出的牌",
                moves: "能出的牌",
                undo: "悔牌",
                board: "牌面",
                side: "出牌方",
                chance: "发牌",
                ..board_game
            },
            _ => board_game,
        }
    }
}
