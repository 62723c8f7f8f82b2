#!/usr/bin/env python3
"""Plays games of GNU Go against itself and writes them as SGF, as material for `kiebitz go fit-patterns`.

usage: gnugo-games.py DIR --size N --games N [--level L] [--seed S] [--minutes M]

Every game starts with a few random stones (set up, not played, so that nobody learns from them), drawn from the seed and the
game's number, on or above the third line on large boards. The same arguments give the same games. Files of 100 games each
are written to DIR as `gnugo-SIZE-SEED-NNN.sgf`; GNU Go 3.8 (`gnugo` on the path or in /usr/games) must be installed.
"""

import argparse
import pathlib
import random
import shutil
import subprocess
import time

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PER_FILE = 100


class Engine:
    """One GNU Go process that plays both colours."""

    def __init__(self, level: int, seed: int):
        path = shutil.which("gnugo") or "/usr/games/gnugo"
        # All dead stones are captured before the passes, for a search that counts the board as it lies must learn that.
        command = [path, "--mode", "gtp", "--level", str(level), "--seed", str(seed), "--chinese-rules"]
        command += ["--play-out-aftermath", "--capture-all-dead"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command: str) -> str:
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"GNU Go ended at '{command}'")
            if line == "\n" and answer:
                break
            answer.append(line.strip())
        if not answer[0].startswith("="):
            raise ValueError(f"'{command}': {answer[0]}")
        return answer[0][1:].strip()


def sgf_point(vertex: str, size: int) -> str:
    if vertex.upper() == "PASS":
        return ""
    column, row = COLUMNS.index(vertex[0].upper()), int(vertex[1:])
    return chr(97 + column) + chr(97 + size - row)


def game(engine: Engine, size: int, rng: random.Random) -> str:
    engine.ask(f"boardsize {size}")
    engine.ask("clear_board")
    engine.ask("komi 7")
    engine.ask(f"set_random_seed {rng.randrange(1, 1 << 30)}")
    low = 2 if size >= 13 else 1
    points = [(c, r) for c in range(low, size - low) for r in range(low, size - low)]
    stones = 2 * rng.randrange(1, 3 if size < 13 else 4)
    setup = {"B": [], "W": []}
    for i, (c, r) in enumerate(rng.sample(points, stones)):
        color, vertex = "BW"[i % 2], f"{COLUMNS[c]}{r + 1}"
        engine.ask(f"play {color} {vertex}")
        setup[color].append(sgf_point(vertex, size))
    nodes, passes, color = [], 0, "B"
    while passes < 2 and len(nodes) < 3 * size * size:
        vertex = engine.ask(f"genmove {color}")
        if vertex.lower() == "resign":
            break
        passes = passes + 1 if vertex.upper() == "PASS" else 0
        nodes.append(f";{color}[{sgf_point(vertex, size)}]")
        color = "W" if color == "B" else "B"
    placed = "".join(f"A{c}" + "".join(f"[{p}]" for p in points) for c, points in setup.items())
    return f"(;GM[1]FF[4]SZ[{size}]KM[7]RU[Chinese]{placed}PL[B]{''.join(nodes)})\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * args.minutes
    engine = Engine(args.level, args.seed)
    for number in range(args.games):
        if time.monotonic() > end:
            break
        text = game(engine, args.size, random.Random(args.seed * 1_000_003 + number))
        path = args.dir / f"gnugo-{args.size}-{args.seed}-{number // PER_FILE:03}.sgf"
        with open(path, "w" if number % PER_FILE == 0 else "a", encoding="ascii") as file:
            file.write(text)


if __name__ == "__main__":
    main()
