/** What a game brings to the page, and what its board is given. */
import type { Mark } from '../games/go.js';
import type { Live, Table } from './ws.js';
import type { SeatInfo } from '../types';

export interface GameDrawing {
  /** The board of a table. */
  Board: (p: BoardProps) => any;
  /** A small picture of a position. */
  Picture: (p: { view: any, label?: string }) => any;
  /** An action in words. */
  describe: (action: string) => string;
  /** A table of its own. */
  Screen?: (p: { table: Table, live: Live, id: string }) => any;
  /** The texts of points with their unit, short and in full, where the computer looks for points and not for the chance to win. */
  points?: [string, string];
  /** The text of what the review shows in place of territory. */
  shade?: string;
  /** A view for the picture of a game that was never played here. */
  sample?: any;
  /** The diagrams of "how to play", one a section; the words are `howto.GAME.N.…`. */
  howto?: ((label: string) => any)[];
  /** The action that a person means by a line of the command line; `null` for none. */
  typed?: (line: string) => string | null;
  /** The command line's answer to `board` and `score`, where the page knows it itself. */
  told?: (what: string, at: { view: any, rules: any, me: number | null, who: (seat: number) => string }) => string | null;
  /** What a seat is called at this table, seen from one; a colour or a number without it. */
  seat?: (seats: SeatInfo[], seat: number, me: number | null) => string;
  /** The seats in the order of lists, one's own last. */
  order?: (players: number, me: number | null) => number[];
  /** Actions are places on the board that can be aimed at. */
  places: boolean;
}

export interface BoardProps {
  view: any;
  legal: string[];
  /** Whose piece would be placed. */
  seat: number;
  /** Moves are not accepted now. */
  busy: boolean;
  confirm: boolean;
  aim: string | null;
  onAim: (at: string | null) => void;
  onAct: (action: string) => void;
  onLook?: (at: string | null) => void;
  /** Every place may be chosen (scoring, what-if, set-up). */
  free?: boolean;
  /** A touch acts at once, nothing is aimed. */
  tap?: boolean;
  marks?: Mark[];
  line?: { at: string, seat: number, n: number }[];
  subject?: { points: string[], chip: string } | null;
  pending?: { at: string, seat: number, state: string } | null;
  ownership?: number[] | null;
  dead?: string[];
  area?: string[];
  /** What led to the position of a review. */
  record?: { rules: any, moves: { by: number | null, kind: string, action: string }[] };
  /** The seats in the order of lists. */
  order?: number[];
  /** Who sits there. */
  name?: (seat: number) => string;
  /** What the analysis knows of the position. */
  details?: any;
}
