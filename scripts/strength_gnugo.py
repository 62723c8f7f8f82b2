#!/usr/bin/env python3
"""Play kiebitz against GNU Go over GTP, colours alternating, and keep a journal that a later run goes on with.

    scripts/strength_gnugo.py --journal docs/strength/go9.jsonl --size 9 --games 100 \
        --player uct:time=1s,threads=2 [--level 10] [--parallel 1]

Game k (from 0) has seed k + 1 for both programs; kiebitz is Black in even games. Rules: area, positional superko, no suicide,
komi 7. A game ends by two passes, resignation, or 4 moves per point; GNU Go scores it (aftermath). Every game counts: an
illegal move, a crash or a silence of `--limit` seconds loses for the one who does it and is named. The journal's first
line says what is played; every further line is one game. A journal of other settings is refused. SIGTERM ends the run after
the games that are being played.
"""
import argparse
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Fault(Exception):
    """What one program did wrong."""


class Engine:
    def __init__(self, command, limit):
        self.limit = limit
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\r\n"))
        self.lines.put(None)

    def ask(self, command):
        """The text of a reply; a Fault for an error reply, silence or the end of the program."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            raise Fault("ended before " + command)
        until, reply = time.monotonic() + self.limit, []
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise Fault("no answer to " + command)
            if line is None:
                raise Fault("ended at " + command)
            if line:
                reply.append(line)
            elif reply:
                break
        if not reply[0].startswith("="):
            raise Fault(command + ": " + reply[0])
        return "\n".join([reply[0].lstrip("=").strip()] + reply[1:]).strip()

    def close(self):
        try:
            self.process.stdin.write("quit\n")
            self.process.stdin.flush()
            self.process.wait(timeout=3)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def sgf(size, komi, names, moves, result):
    points = [
        "" if move == "pass" else chr(97 + COLUMNS.index(move[0])) + chr(97 + size - int(move[1:])) for move in moves
    ]
    body = "".join(";%s[%s]" % ("BW"[i % 2], p) for i, p in enumerate(points))
    return "(;GM[1]FF[4]SZ[%d]KM[%g]RU[Chinese]PB[%s]PW[%s]RE[%s]%s)" % (size, komi, names[0], names[1], result, body)


def play(args, k):
    """One game as a journal entry."""
    ours = Engine([args.kiebitz, "gtp", "--player", args.player, "--seed", str(k + 1)] + args.more.split(), args.limit)
    theirs = Engine(
        [args.gnugo, "--mode", "gtp", "--level", str(args.level), "--chinese-rules", "--positional-superko",
         "--seed", str(k + 1)], args.limit)
    black_is_ours = k % 2 == 0
    engines = (ours, theirs) if black_is_ours else (theirs, ours)
    names = ("kiebitz", "gnugo") if black_is_ours else ("gnugo", "kiebitz")
    moves, fault, result, slowest = [], None, None, 0.0
    try:
        for engine in engines:
            for command in ("boardsize %d" % args.size, "clear_board", "komi %g" % args.komi):
                engine.ask(command)
        ours.ask("kata-set-rules " + args.rules)
        ours.ask("komi %g" % args.komi)
        while len(moves) < 4 * args.size**2 and moves[-2:] != ["pass", "pass"]:
            turn = len(moves) % 2
            color = "bw"[turn]
            other = "BW"[1 - turn]
            try:
                start = time.monotonic()
                move = engines[turn].ask("genmove " + color)
                move = move.lower() if move.lower() in ("pass", "resign") else move.upper()
                if engines[turn] is ours:
                    slowest = max(slowest, time.monotonic() - start)
            except Fault as error:
                fault, result = "%s: %s" % (names[turn], error), other + "+F"
                break
            if move == "resign":
                result = other + "+R"
                break
            try:
                engines[1 - turn].ask("play %s %s" % (color, move))
            except Fault as error:
                fault, result = "%s refused: %s" % (names[1 - turn], error), other + "+F"
                break
            moves.append(move)
        if result is None:
            result = theirs.ask("final_score").split()[0]
    except Fault as error:
        fault, result = str(error), "Void"
    ours.close()
    theirs.close()
    won = {"B": black_is_ours, "W": not black_is_ours}.get(result[0])
    return {
        "game": k, "black": names[0], "result": result, "won": won, "fault": fault, "moves": len(moves),
        "slowest": round(slowest, 3), "sgf": sgf(args.size, args.komi, names, moves, result),
    }


def wilson(share, n, z=1.96):
    """The 95 % interval of a share of n games."""
    d = 1 + z * z / n
    center = (share + z * z / (2 * n)) / d
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / d
    return center - half, center + half


def report(entries, games):
    wins = sum(1 for e in entries if e["won"] is True)
    draws = sum(1 for e in entries if e["won"] is None)
    n = len(entries)
    if not n:
        return "no game yet"
    share = (wins + draws / 2) / n
    low, high = wilson(share, n)
    faults = [e["fault"] for e in entries if e["fault"]]
    text = "%d of %d games: +%d =%d -%d, score %.3f [%.3f, %.3f], faults %d" % (
        n, games, wins, draws, n - wins - draws, share, low, high, len(faults))
    return text + "".join("\n  " + f for f in faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--journal", required=True)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.0)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--player", required=True)
    parser.add_argument("--rules", default="chinese-kgs", help="rules of kiebitz; GNU Go has Chinese rules")
    parser.add_argument("--more", default="", help="further arguments of kiebitz gtp")
    parser.add_argument("--level", type=int, default=10)
    parser.add_argument("--kiebitz", default="target/release/kiebitz")
    parser.add_argument("--gnugo", default="/usr/games/gnugo")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of silence that lose a game")
    parser.add_argument("--parallel", type=int, default=1, help="games at once; 1 where time counts")
    args = parser.parse_args()
    build = subprocess.run([args.kiebitz, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    header = {
        "size": args.size, "komi": args.komi, "games": args.games, "player": args.player, "more": args.more, "rules": args.rules,
        "against": "gnugo --level %d --chinese-rules --positional-superko" % args.level, "seeds": "game + 1",
        "build": build,
    }
    entries = []
    if os.path.exists(args.journal):
        with open(args.journal) as file:
            lines = [json.loads(line) for line in file if line.endswith("\n")]
        if lines and lines[0] != header:
            sys.exit("%s holds other games: %s" % (args.journal, json.dumps(lines[0])))
        entries = lines[1:]
    else:
        os.makedirs(os.path.dirname(args.journal) or ".", exist_ok=True)
        with open(args.journal, "w") as file:
            file.write(json.dumps(header) + "\n")
    done = {e["game"] for e in entries}
    todo = [k for k in range(args.games) if k not in done]
    lock = threading.Lock()
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())

    def work():
        while True:
            with lock:
                if not todo or stopped.is_set():
                    return
                k = todo.pop(0)
            with open("/proc/loadavg") as file:
                load = float(file.read().split()[0])
            entry = play(args, k)
            entry["load_before"] = load
            with lock:
                entries.append(entry)
                with open(args.journal, "a") as file:
                    file.write(json.dumps(entry) + "\n")
                print("game %d: %s %s, %d moves, load %.1f | %s" % (
                    k, entry["black"], entry["result"], entry["moves"], load, report(entries, args.games)), flush=True)

    threads = [threading.Thread(target=work) for _ in range(args.parallel)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(report(entries, args.games))


if __name__ == "__main__":
    main()
