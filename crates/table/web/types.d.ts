// Made from crates/table/src/protocol by its test; do not edit. To make it again:
// KIEBITZ_BLESS=1 cargo test -p kiebitz-table types_file

/** Any JSON. */
export type JsonValue = any;

/**
 * How time is limited.
 */
export type ClockSetting = { "kind": "none", } | { "kind": "absolute", 
/**
 * Milliseconds for each seat, 1 s to 24 h.
 */
main_ms: number, } | { "kind": "fischer", 
/**
 * Milliseconds for each seat, 1 s to 24 h.
 */
main_ms: number, 
/**
 * Milliseconds added after each move, at most 1 h.
 */
increment_ms: number, };

/**
 * Who is to sit on a seat of a new game.
 */
export type SeatSetting = { "kind": "here", 
/**
 * A name, at most 40 characters; empty for none.
 */
name: string, } | { "kind": "link", 
/**
 * A name, at most 40 characters; empty for none.
 */
name: string, } | { "kind": "computer", 
/**
 * Its spec: `best:level=5`, or any player spec.
 */
player: string, };

/**
 * What kind of player sits on a seat.
 */
export type SeatKind = "here" | "link" | "computer";

/**
 * A seat as everybody at the table sees it.
 */
export type SeatInfo = { 
/**
 * Its number, from 0 in the order of play.
 */
seat: number, 
/**
 * What kind of player.
 */
kind: SeatKind, 
/**
 * The name given; empty for none.
 */
name: string, 
/**
 * The spec of a computer.
 */
player: string | null, 
/**
 * The level of a computer that has one.
 */
level: number | null, 
/**
 * A seat for a link: somebody has taken it. Always `true` for others.
 */
taken: boolean, 
/**
 * A person on it is connected now. Always `true` for computers.
 */
online: boolean, 
/**
 * For how many milliseconds a person has been away; absent when online or never there.
 */
away_ms: number | null, };

/**
 * Where a game stands.
 */
export type Phase = "playing" | "scoring" | "over";

/**
 * Why and how a game ended.
 */
export type Outcome = { 
/**
 * The result in the game's own form, such as `B+3.5`, `W+R`, `W+T`, `0`.
 */
result: string | null, 
/**
 * The seats that won, or share the win; all of them for a draw.
 */
winners: Array<number>, 
/**
 * The result on the game's own scale, one number per seat; empty after a resignation or a loss on time, when nothing is counted.
 */
returns: Array<number>, 
/**
 * `score` (played to its end), `resign` or `timeout`.
 */
how: string, 
/**
 * The seat that resigned or lost on time.
 */
by: number | null, 
/**
 * The seed of the game's luck, secret until now, so that shuffles can be checked against `seed_hash`.
 */
seed: string, 
/**
 * The salt of `seed_hash`.
 */
seed_salt: string, };

/**
 * One move that was made.
 */
export type MoveMade = { 
/**
 * The seat, or null for chance and set-ups.
 */
by: number | null, 
/**
 * `action`, `setup`, or an event's name (`dead`, `resign`, `timeout`).
 */
kind: string, 
/**
 * The action's text; empty for others.
 */
action: string, 
/**
 * Milliseconds the seat took, where a clock ran or a person played.
 */
ms: number | null, 
/**
 * For a move of chance: what finished rounds had brought each seat before it, on the game's scale.
 */
returns: Array<number> | null, };

/**
 * The clocks as they stand. Times are what is left at the moment the message was sent.
 */
export type ClockState = { 
/**
 * How time is limited.
 */
setting: ClockSetting, 
/**
 * Milliseconds left, per seat.
 */
left_ms: Array<number>, 
/**
 * The seat whose clock is running.
 */
running: number | null, };

/**
 * A mean and its standard error (0 when exact).
 */
export type Measured = { 
/**
 * The mean.
 */
mean: number, 
/**
 * Its standard error.
 */
error: number, };

/**
 * A reason as data: the page words it. The codes of Go: `go.lead`, `go.capture`, `go.atari_escape`, `go.group_danger`,
 * `go.group_unsettled`, `go.area`, and `threat` of every game.
 */
export type ReasonData = { 
/**
 * What kind of reason.
 */
code: string, 
/**
 * What on the table it is about, in the game's notation.
 */
subject: Array<string>, 
/**
 * Its numbers by name.
 */
numbers: Record<string, number>, };

/**
 * A candidate of a hint, from the point of view of the seat to move.
 */
export type CandidateData = { 
/**
 * The action.
 */
action: string, 
/**
 * Simulations spent on it.
 */
visits: number, 
/**
 * The seat's utility, `[0, 1]`: its chance to win where the game is won or lost. An error of 0.5 or more means a mere bound.
 */
win_rate: Measured, 
/**
 * The seat's expected result in the game's points, where known.
 */
points: Measured | null, 
/**
 * What it loses against the best candidate, in points where known, else in utility; 0 for the best.
 */
loss: Measured, 
/**
 * Whether `loss` is in points.
 */
loss_in_points: boolean, 
/**
 * The line expected, this action first.
 */
pv: Array<string>, 
/**
 * Proven, not estimated.
 */
proven: boolean, 
/**
 * Why, the weightiest first. Empty in early reports.
 */
reasons: Array<ReasonData>, };

/**
 * A group of stones in a scoring proposal (Go).
 */
export type GroupStatus = { 
/**
 * 0 Black, 1 White.
 */
color: number, 
/**
 * Its stones.
 */
stones: Array<string>, 
/**
 * The computer's opinion: `alive`, `dead`, `seki` or `unknown`.
 */
status: string, 
/**
 * Decided by unconditional life, not by playouts.
 */
certain: boolean, 
/**
 * How often its points end as the enemy's, 0 to 1.
 */
danger: number, 
/**
 * Whether it is on the list of dead stones as it stands.
 */
dead: boolean, };

/**
 * What one side counts (Go), in points.
 */
export type SideCount = { 
/**
 * Living stones; 0 under territory scoring.
 */
stones: number, 
/**
 * Empty points and points of dead enemy stones.
 */
territory: number, 
/**
 * Enemy stones taken or dead; 0 under area scoring.
 */
prisoners: number, 
/**
 * Points given up for groups (stone scoring).
 */
group_tax: number, 
/**
 * White's points for handicap stones.
 */
handicap: number, 
/**
 * Komi, and half a point for the button.
 */
komi: number, 
/**
 * All of it.
 */
total: number, };

/**
 * The count of a Go position (Go).
 */
export type GoCount = { 
/**
 * `area` or `territory`.
 */
scoring: string, 
/**
 * The unit of the ruleset: `points`, or `zi` for Chinese rules, where the margin is half of `margin`.
 */
unit: string, 
/**
 * Black's and White's.
 */
sides: Array<SideCount>, 
/**
 * Black's points minus White's.
 */
margin: number, 
/**
 * The result if this is accepted, such as `B+3.5`.
 */
result: string, 
/**
 * Rows from the top: `X` Black's, `O` White's, `.` nobody's.
 */
owner: Array<string>, };

/**
 * The state of scoring (Go).
 */
export type Scoring = { 
/**
 * The computer is still looking which stones are dead: `groups` have no opinion yet.
 */
pending: boolean, 
/**
 * All groups.
 */
groups: Array<GroupStatus>, 
/**
 * The dead stones as they stand.
 */
dead: Array<string>, 
/**
 * The count with them.
 */
count: GoCount, 
/**
 * Whether each seat has accepted this list.
 */
accepted: Array<boolean>, 
/**
 * Neutral points are open that cost territory under these rules: resume and fill them first.
 */
open_points: boolean, };

/**
 * Something a seat asks of the others.
 */
export type Asked = { 
/**
 * Its number, to answer it by.
 */
id: number, 
/**
 * What is asked for: `undo`, `redo` or `hints`.
 */
what: string, 
/**
 * Who asks.
 */
by: number, 
/**
 * Who has not answered yet.
 */
waiting_for: Array<number>, };

/**
 * A message from the page. The first one is `hello`. Messages that change the game carry `v`, the version of the state the
 * person saw: an older one is refused with `stale`. `cid` is a name of the page's own for this attempt (at most 40 characters,
 * new for each move): a repeated one is answered as the first time and changes nothing. `seat` may be left out where the
 * connection has one seat only, or the seat to move is one of its own.
 */
export type ClientMessage = { "type": "hello", 
/**
 * The game.
 */
game: string, 
/**
 * All tokens this browser has for the game: the owner key, seat tokens, a spectator token. May be empty where the game is public.
 */
tokens: Array<string>, } | { "type": "play", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's name of this attempt.
 */
cid: string, 
/**
 * The action in the game's notation.
 */
action: string, 
/**
 * For which seat.
 */
seat?: number, } | { "type": "resign", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's name of this attempt.
 */
cid: string, 
/**
 * For which seat.
 */
seat?: number, } | { "type": "undo", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's name of this attempt.
 */
cid: string, 
/**
 * For which seat.
 */
seat?: number, } | { "type": "redo", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's name of this attempt.
 */
cid: string, 
/**
 * For which seat.
 */
seat?: number, } | { "type": "answer", 
/**
 * The number of the question.
 */
id: number, 
/**
 * Yes or no.
 */
yes: boolean, 
/**
 * For which seat.
 */
seat?: number, } | { "type": "hint", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's number of this question.
 */
id: number, } | { "type": "what_if", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's number of this question.
 */
id: number, 
/**
 * The action.
 */
action: string, } | { "type": "stop", 
/**
 * The number of the hint or what-if.
 */
id: number, } | { "type": "move_now", 
/**
 * The version seen.
 */
v: number, } | { "type": "toggle_dead", 
/**
 * The version seen.
 */
v: number, 
/**
 * Any stone of the group.
 */
stone: string, } | { "type": "accept_score", 
/**
 * The version seen.
 */
v: number, 
/**
 * Exactly the dead stones this person sees; another list is refused with `stale`.
 */
dead: Array<string>, 
/**
 * For which seat; without it, for all seats of this connection.
 */
seat?: number, } | { "type": "resume_play", 
/**
 * The version seen.
 */
v: number, 
/**
 * The page's name of this attempt.
 */
cid: string, } | { "type": "ask_hints", 
/**
 * For which seat.
 */
seat?: number, } | { "type": "rematch", } | { "type": "look", 
/**
 * The seat whose view is to be sent.
 */
seat: number, } | { "type": "ping", 
/**
 * Any number.
 */
n: number, };

/**
 * What this connection is at the table.
 */
export type You = { 
/**
 * The seats it plays; empty for a spectator.
 */
seats: Array<number>, 
/**
 * It is the owner of this server: may delete and rename.
 */
owner: boolean, };

/**
 * The game as it stands, whole each time.
 */
export type TableState = { 
/**
 * The version: it goes up by one with everything that changes the game (a name that changes does not).
 */
v: number, 
/**
 * Where the game stands.
 */
phase: Phase, 
/**
 * What `view_of` (or the public) sees, in the game's own form (Go: `size`, `board`, `captures`, `last`, `ko`, …).
 */
view: any, 
/**
 * Whose view it is; null for spectators, and while the curtain is closed.
 */
view_of: number | null, 
/**
 * Several own seats and hidden information: send `look` to draw the curtain aside for the seat to move.
 */
curtain: boolean, 
/**
 * The legal actions, only while one of this connection's seats is to move and its view is shown; else empty.
 */
legal: Array<string>, 
/**
 * The seat to move; null at the end, while scoring and while chance acts.
 */
turn: number | null, 
/**
 * How many actions were played (chance excluded).
 */
ply: number, 
/**
 * The moves so far, those this connection may know.
 */
moves: Array<MoveMade>, 
/**
 * The seats.
 */
seats: Array<SeatInfo>, 
/**
 * The clocks.
 */
clock: ClockState, 
/**
 * Whether there is something to take back / to do again for a seat of this connection.
 */
can_undo: boolean, 
/**
 * See `can_undo`.
 */
can_redo: boolean, 
/**
 * Whether hints may be asked for.
 */
hints: boolean, 
/**
 * What is being asked among the seats.
 */
asked: Asked | null, 
/**
 * Go, in phase `scoring`.
 */
scoring: Scoring | null, 
/**
 * Phase `over`.
 */
outcome: Outcome | null, 
/**
 * Go, phase `over` by score: the count.
 */
count: GoCount | null, 
/**
 * The seats that want a rematch.
 */
rematch: Array<number>, };

/**
 * The first step of a hint: where to look.
 */
export type HintArea = { 
/**
 * Points (or other places) of the area or group.
 */
places: Array<string>, 
/**
 * Why there, where it is known already.
 */
reason: ReasonData | null, };

/**
 * One message to the page.
 */
export type ServerMessage = { "type": "welcome", 
/**
 * The game's id.
 */
id: string, 
/**
 * The game's name, such as `go`.
 */
game: string, 
/**
 * The title given to this game; may be empty.
 */
title: string, 
/**
 * What this connection is here.
 */
you: You, 
/**
 * The rule options that differ from the default.
 */
rules: Record<string, any>, 
/**
 * SHA-256 of `seed` and `seed_salt` (joined by a colon), as hex: with the outcome, everybody can check that the luck was fixed at the start.
 */
seed_hash: string, 
/**
 * The server's version.
 */
server: string, } | { "type": "state" } & TableState | { "type": "ack", 
/**
 * The page's name of the attempt.
 */
cid: string, 
/**
 * The version it led to.
 */
v: number, } | { "type": "error", 
/**
 * A stable code: `stale`, `turn.other`, `go.ko`, `busy`, `rate`, …
 */
code: string, 
/**
 * One English sentence.
 */
message: string, 
/**
 * The `cid` of the refused message, where it had one.
 */
cid: string | null, 
/**
 * The `id` of the refused hint or what-if.
 */
id: number | null, 
/**
 * The state's version, where it is `stale`: a `state` message follows.
 */
v: number | null, 
/**
 * Seconds after which another try makes sense.
 */
retry_after: number | null, } | { "type": "thinking", 
/**
 * The seat it plays for.
 */
seat: number, 
/**
 * Milliseconds since it began to think; 0 while it waits.
 */
ms: number, 
/**
 * Waiting for a free processor: how many are before it.
 */
queued: number | null, } | { "type": "hint", 
/**
 * The page's number of the question.
 */
id: number, 
/**
 * The version it is about.
 */
v: number, 
/**
 * The seat whose information was used.
 */
seat: number, 
/**
 * Waiting for a free processor: how many are before it.
 */
queued: number | null, 
/**
 * First step: where to look, in the game's notation (points of an area, a group), with the reason.
 */
area: HintArea | null, 
/**
 * Second step: the best candidates, the best first (at most 5).
 */
candidates: Array<CandidateData>, 
/**
 * Simulations so far.
 */
visits: number, 
/**
 * What else the game shows, by name (Go: `ownership`, from the top left, row by row, 1 for Black's, −1 for White's; `lead`, `lead_error`; `unsettled`).
 */
details: Record<string, any>, 
/**
 * Nothing more will come.
 */
done: boolean, } | { "type": "what_if", 
/**
 * The page's number of the question.
 */
id: number, 
/**
 * The version it is about.
 */
v: number, 
/**
 * Waiting for a free processor: how many are before it.
 */
queued: number | null, 
/**
 * The action asked about.
 */
action: string, 
/**
 * What it loses against the best; null while nothing is known.
 */
loss: Measured | null, 
/**
 * Whether `loss` is in points (else in utility).
 */
loss_in_points: boolean, 
/**
 * The loss exceeds twice its standard error.
 */
mistake: boolean, 
/**
 * The best action.
 */
best: string, 
/**
 * What the others would do after it.
 */
pv: Array<string>, 
/**
 * Nothing more will come.
 */
done: boolean, } | { "type": "presence", 
/**
 * The seats.
 */
seats: Array<SeatInfo>, 
/**
 * How many spectators watch.
 */
spectators: number, } | { "type": "rematch", 
/**
 * The new game's id.
 */
id: string, 
/**
 * This connection's tokens for it: only for seats that it held.
 */
tokens: Array<SeatToken>, 
/**
 * The invitations to seats that nobody had taken: only for who shares out the seats of this table, when the game is made.
 */
invites: Array<Invite>, 
/**
 * What lets watch the new game: for spectators and who shares out the seats, when it is made.
 */
watch: string | null, } | { "type": "review", 
/**
 * Positions done in the present pass.
 */
done: number, 
/**
 * Positions in all.
 */
total: number, 
/**
 * `coarse`, `fine` or `complete`.
 */
pass: string, } | { "type": "pong", 
/**
 * The number of the ping.
 */
n: number, } | { "type": "bye", 
/**
 * `shutdown` (come back soon), `deleted`, `slow`, `rate`, `replaced`.
 */
code: string, };

/**
 * Every answer with a status of 400 or more.
 */
export type ErrorBody = { 
/**
 * A stable code.
 */
code: string, 
/**
 * One English sentence.
 */
message: string, };

/**
 * `GET /api/info`: what this server offers, and what the asker is.
 */
export type Info = { 
/**
 * The server's version.
 */
version: string, 
/**
 * The bearer token is the owner's.
 */
owner: boolean, 
/**
 * `local`, `lan` or `public`.
 */
mode: string, 
/**
 * Links for other machines begin with this (`http://192.168.1.5:8000`); on a local server it is the address itself.
 */
link_base: string, 
/**
 * The games, those to play first.
 */
games: Array<GameKind>, 
/**
 * The names of all players.
 */
players: Array<string>, };

/**
 * A game one can play.
 */
export type GameKind = { 
/**
 * Its name, such as `go`.
 */
id: string, 
/**
 * Its English and Chinese names.
 */
titles: [string, string], 
/**
 * A tiny game that shows how games are written.
 */
example: boolean, 
/**
 * The fewest players.
 */
players_min: number, 
/**
 * The most players.
 */
players_max: number, 
/**
 * How many when nobody says otherwise.
 */
players_default: number, 
/**
 * Something is hidden from some seat.
 */
hidden: boolean, 
/**
 * The game's options with their values to choose from; for Go `size`, `ruleset`, `komi`, `handicap`, for Pao De Kuai
 * `preset`, `deals`, `target`, `must_beat`, `show_counts`.
 */
options: Array<OptionKind>, };

/**
 * One option of a game.
 */
export type OptionKind = { 
/**
 * The key in a record's header.
 */
key: string, 
/**
 * The values to offer, the default first; empty for a free number.
 */
values: Array<any>, };

/**
 * `POST /api/defaults`: what options lead to, such as the komi of a board size or the players of a preset. Answered by
 * [`Defaults`]; options that do not go together, or not with so many players, are refused.
 */
export type AskDefaults = { 
/**
 * The game's name.
 */
game: string, 
/**
 * The options chosen so far.
 */
rules: Record<string, any>, 
/**
 * For how many players; without it, for as many as the options ask for, else for the game's usual number.
 */
players?: number, };

/**
 * The answer to [`AskDefaults`].
 */
export type Defaults = { 
/**
 * For how many players it is.
 */
players: number, 
/**
 * The options that differ from the game's defaults: a preset is taken apart.
 */
rules: Record<string, any>, 
/**
 * The empty board's view, for a picture and the resulting options (Go: `komi`, `handicap`, `ruleset`, `size`).
 */
view: any, 
/**
 * Go: the most fixed handicap stones of the size.
 */
max_handicap: number | null, };

/**
 * `POST /api/games`: makes a game. Answered by [`Created`].
 */
export type CreateGame = { 
/**
 * The game's name.
 */
game: string, 
/**
 * One for each seat.
 */
seats: Array<SeatSetting>, 
/**
 * Rule options as in a record's header.
 */
rules?: { [key in string]: JsonValue }, 
/**
 * A position to start from, as in a record's header.
 */
setup?: JsonValue, 
/**
 * How time is limited.
 */
clock?: ClockSetting, 
/**
 * A title, at most 40 characters.
 */
title?: string, 
/**
 * Hints are allowed although several people play. Always so with one person.
 */
hints?: boolean, };

/**
 * A seat's secret: whoever has it plays the seat.
 */
export type SeatToken = { 
/**
 * The seat.
 */
seat: number, 
/**
 * The secret. Shown once: keep it in localStorage.
 */
token: string, };

/**
 * An invitation to a seat, as the last part of a link: `LINK_BASE/#/join/CODE`.
 */
export type Invite = { 
/**
 * The seat.
 */
seat: number, 
/**
 * The code; it works once.
 */
code: string, };

/**
 * The answer to [`CreateGame`], [`Branch`] and an import.
 */
export type Created = { 
/**
 * The game's id: 12 letters and digits.
 */
id: string, 
/**
 * The tokens of the seats of this browser.
 */
tokens: Array<SeatToken>, 
/**
 * Invitations for the seats by link.
 */
invites: Array<Invite>, 
/**
 * The code of the spectators' link, `LINK_BASE/#/watch/CODE`; works as a token and as often as one likes.
 */
watch: string, 
/**
 * What was odd about an imported file.
 */
warnings: Array<string>, };

/**
 * `POST /api/join`: exchanges an invitation for a seat's token. Answered by [`Joined`].
 */
export type Join = { 
/**
 * The code of an invitation or of a spectators' link.
 */
code: string, 
/**
 * The person's name, at most 40 characters.
 */
name?: string, };

/**
 * The answer to [`Join`].
 */
export type Joined = { 
/**
 * The game's id.
 */
id: string, 
/**
 * The seat's token; null for spectators.
 */
token: SeatToken | null, 
/**
 * The spectator's token; null for seats.
 */
watch: string | null, };

/**
 * `POST /api/games/ID/links`: makes new links (the old ones stop working). Answered by [`Created`] with `invites` for the open
 * seats and `watch`. Needs the owner key or the token of a seat `here`.
 */
export type NewLinks = { 
/**
 * Also for seats that somebody took already: their token stops working.
 */
taken?: boolean, };

/**
 * `GET /api/games` (owner: all) and `POST /api/mine` with [`Mine`]: my games, unfinished first, newest first.
 */
export type GameList = { 
/**
 * The games.
 */
games: Array<GameSummary>, };

/**
 * `POST /api/mine`: asks for the games that these tokens open (at most 100).
 */
export type Mine = { 
/**
 * Seat tokens and spectator tokens.
 */
tokens: Array<string>, };

/**
 * A game in a list.
 */
export type GameSummary = { 
/**
 * The id.
 */
id: string, 
/**
 * The game's name.
 */
game: string, 
/**
 * The title; may be empty.
 */
title: string, 
/**
 * Where it stands; `over` also for a game that cannot be opened.
 */
phase: Phase, 
/**
 * The seats (presence is not filled in).
 */
seats: Array<SeatInfo>, 
/**
 * How many actions were played.
 */
ply: number, 
/**
 * The seat to move.
 */
turn: number | null, 
/**
 * The result.
 */
result: string | null, 
/**
 * The public view of the position, for a small picture. Null for a game that cannot be opened.
 */
view: any, 
/**
 * When it was made: milliseconds since 1970.
 */
created: number, 
/**
 * When it was last played.
 */
updated: number, 
/**
 * The seats the asker plays.
 */
yours: Array<number>, 
/**
 * It cannot be replayed and was set aside: one sentence. Nothing is lost.
 */
broken: string | null, 
/**
 * The game this one branched off from.
 */
parent: string | null, };

/**
 * `PATCH /api/games/ID`: renames a game, or deletes it (`deleted: true`), or brings a deleted one back (`deleted: false`).
 * Needs the owner key or the token of a seat `here`. Answered by 204.
 */
export type ChangeGame = { 
/**
 * The new title, at most 40 characters.
 */
title?: string, 
/**
 * Deletes, or brings back.
 */
deleted?: boolean, };

/**
 * `GET /api/games/ID/positions`: every position of a game, for stepping without further questions. Before the end of a game
 * with hidden information only the moves a seat may know.
 */
export type Positions = { 
/**
 * The game's id.
 */
id: string, 
/**
 * The game's name.
 */
game: string, 
/**
 * The title.
 */
title: string, 
/**
 * The rule options that differ from their defaults.
 */
rules: Record<string, any>, 
/**
 * The seats.
 */
seats: Array<SeatInfo>, 
/**
 * The seats the asker plays.
 */
yours: Array<number>, 
/**
 * The version these belong to.
 */
v: number, 
/**
 * The result.
 */
result: string | null, 
/**
 * The positions: before the first step, then after each.
 */
positions: Array<Position>, };

/**
 * A position of a game.
 */
export type Position = { 
/**
 * The steps made before it: 0 for the start.
 */
step: number, 
/**
 * Who made the last one; null for chance, set-ups and the start.
 */
by: number | null, 
/**
 * `start`, `action`, `setup` or an event's name.
 */
kind: string, 
/**
 * The action's text; empty for others.
 */
action: string, 
/**
 * A comment of the record.
 */
comment: string | null, 
/**
 * The seat to move.
 */
turn: number | null, 
/**
 * The view.
 */
view: any, };

/**
 * `POST /api/games/ID/branch`: a new game from a position of this one, perhaps with another move. Answered by [`Created`].
 */
export type Branch = { 
/**
 * So many steps of this game are kept.
 */
step: number, 
/**
 * Actions to play after them.
 */
actions?: Array<string>, 
/**
 * Who sits where; as in this game (links become `here`) when left out.
 */
seats?: Array<SeatSetting>, };

/**
 * `POST /api/games/ID/analyse`: looks at one position, perhaps after other moves, in the background of the review. The answer
 * comes when it is done, at the latest after 10 s: [`Analysed`].
 */
export type Analyse = { 
/**
 * So many steps of this game.
 */
step: number, 
/**
 * Actions to play after them.
 */
actions?: Array<string>, };

/**
 * The answer to [`Analyse`].
 */
export type Analysed = { 
/**
 * The view after the actions.
 */
view: any, 
/**
 * The seat to move.
 */
turn: number | null, 
/**
 * The legal actions.
 */
legal: Array<string>, 
/**
 * Simulations.
 */
visits: number, 
/**
 * The best candidates, the best first.
 */
candidates: Array<CandidateData>, 
/**
 * What else the game shows, as in a hint.
 */
details: Record<string, any>, };

/**
 * `POST /api/games/ID/review` starts (or goes on with) a review and `GET` tells how far it is; both answer this.
 */
export type ReviewState = { 
/**
 * `none`, `queued`, `running`, `complete` or `failed`.
 */
status: string, 
/**
 * `coarse`, `fine` or `complete`.
 */
pass: string, 
/**
 * Moves looked at in this pass.
 */
done: number, 
/**
 * Moves in all.
 */
total: number, 
/**
 * The version of the game it belongs to.
 */
v: number, 
/**
 * The spec of the player who looked.
 */
player: string, 
/**
 * The moves looked at so far, in order.
 */
moves: Array<ReviewedMove>, 
/**
 * Indices into `moves`: the mistakes (loss above twice its standard error), the worst first.
 */
worst: Array<number>, 
/**
 * One sentence, where it failed.
 */
error: string | null, };

/**
 * One move under review. Values are those of the seat that moved.
 */
export type ReviewedMove = { 
/**
 * The move's number, from 1.
 */
number: number, 
/**
 * The steps before it: the position it was made in is `positions[step]`.
 */
step: number, 
/**
 * Who moved.
 */
seat: number, 
/**
 * What was played.
 */
action: string, 
/**
 * What the player would have played.
 */
best: string, 
/**
 * The line it expects.
 */
pv: Array<string>, 
/**
 * The seat's utility with best play.
 */
win_rate: Measured, 
/**
 * Points with best play, where known.
 */
points: Measured | null, 
/**
 * The loss of the move in points where known, else in utility; null when not known yet.
 */
loss: Measured | null, 
/**
 * Whether `loss` is in points.
 */
loss_in_points: boolean, 
/**
 * The loss exceeds twice its standard error, with visits enough.
 */
mistake: boolean, 
/**
 * `coarse` or `fine`: grey and "still being checked" while coarse.
 */
pass: string, 
/**
 * Simulations.
 */
visits: number, 
/**
 * Why the best move is good, for the worst moves.
 */
reasons: Array<ReasonData>, };

/**
 * `POST /api/games/ID/text`: what a person typed in the text command line that the server must answer.
 */
export type AskText = { 
/**
 * `board`; Go also `groups` and `score`.
 */
what: string, };

/**
 * The answer to [`AskText`].
 */
export type TextAnswer = { 
/**
 * The board drawn with characters (`board`).
 */
board: string | null, 
/**
 * The groups with what playouts think of them (`groups`).
 */
groups: Array<GroupStatus>, 
/**
 * The count with the dead stones that playouts see (`score`).
 */
count: GoCount | null, 
/**
 * Black's expected margin if both play on (`score`).
 */
expected: number | null, };
