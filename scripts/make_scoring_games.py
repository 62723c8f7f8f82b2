#!/usr/bin/env python3
"""Makes finished games of Go with GNU Go's answer to which stones are dead and what the score is.

Usage: scripts/make_scoring_games.py GAMES DIRECTORY     (GAMES of 9x9 and as many of 13x13; needs GNU Go 3.8)

GNU Go plays itself: random openings, low levels (each side its own), sometimes a side that also plays random moves, and, in
most games while games with dead stones are wanted, late random invasions of the enemy's area after both have passed once. Then
it plays on at level 8 until both sides pass. Chinese rules. Half of the games kept have a dead chain on the final board. All
seeds are fixed.

One JSON object a line: `size`, `komi`, `seed`, `moves` (from Black, in turn), `dead` and `seki` (GTP `final_status_list` after
`loadsgf`, under --chinese-rules: GNU Go plays the aftermath for it), `score` (`gnugo --chinese-rules --score aftermath`) and
`gtp_score` (GTP `final_score`).
"""

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

GNUGO = shutil.which("gnugo") or "/usr/games/gnugo"
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
REFERENCE_LEVEL = "10"
LAST_LEVEL = 8


class Gtp:
    """A GNU Go that is spoken to over GTP."""

    def __init__(self, *args):
        command = [GNUGO, "--mode", "gtp", "--chinese-rules", "--quiet", *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            text = self.process.stdout.readline()
            if text == "":
                raise RuntimeError(f"GNU Go ended at {line!r}")
            text = text.rstrip("\n")
            if text == "":
                break
            lines.append(text)
        answer = "\n".join(lines)
        if not answer.startswith("="):
            raise ValueError(f"{line!r}: {answer}")
        return answer[1:].strip()


class Game:
    """One game in the making."""

    def __init__(self, gtp, size, seed):
        self.gtp, self.size, self.rng = gtp, size, random.Random(seed * 1000 + size)
        self.moves = []
        self.komi = 7.0 if size < 10 else 7.5
        for line in [f"boardsize {size}", "clear_board", f"komi {self.komi}", f"set_random_seed {seed}"]:
            gtp.ask(line)

    def color(self):
        return "bw"[len(self.moves) % 2]

    def play(self, move):
        self.gtp.ask(f"play {self.color()} {move}")
        self.moves.append(move)

    def random_move(self, owned_by=None):
        """A random legal point; with `owned_by`, among those where that colour seems to have the area."""
        points = self.gtp.ask(f"all_legal {self.color()}").split()
        if owned_by is not None:
            sign = 1 if owned_by == "w" else -1
            influence = self.area()
            points = [p for p in points if influence.get(p, 0) == sign]
        return self.rng.choice(points) if points else None

    def area(self):
        """White 1, Black -1, by which stones are nearest."""
        stones = {p: s for c, s in [("white", 1), ("black", -1)] for p in self.gtp.ask(f"list_stones {c}").split()}
        found = {}
        for column in range(self.size):
            for row in range(self.size):
                near = {}
                for point, sign in stones.items():
                    d = abs(LETTERS.index(point[0]) - column) + abs(int(point[1:]) - 1 - row)
                    near[sign] = min(near.get(sign, 99), d)
                if near.get(1, 99) != near.get(-1, 99):
                    found[f"{LETTERS[column]}{row + 1}"] = 1 if near.get(1, 99) < near.get(-1, 99) else -1
        return found

    def generate(self, level):
        self.gtp.ask(f"level {level}")
        move = self.gtp.ask(f"reg_genmove {self.color()}")
        if move.lower() == "resign":
            move = "pass"
        self.play("pass" if move.lower() == "pass" else move)

    def ended(self):
        return len(self.moves) >= 2 and self.moves[-1] == self.moves[-2] == "pass"

    def play_out(self, levels, folly):
        while not self.ended() and len(self.moves) < 4 * self.size * self.size:
            side = len(self.moves) % 2
            if self.rng.random() < folly[side]:
                move = self.random_move()
                if move:
                    self.play(move)
                    continue
            self.generate(levels[side])

    def reopen(self):
        """Takes back the second pass."""
        self.moves.pop()
        self.gtp.ask("undo")

    def make(self, invasions):
        """Plays the game; `invasions` is how likely it has late invasions."""
        rng = self.rng
        for _ in range(rng.choice([0, 2, 4, 6])):
            self.play(self.random_move() or "pass")
        levels = [rng.choice([0, 1, 2, 4, 6][: 5 if self.size < 10 else 3]) for _ in range(2)]
        folly = [rng.choice([0, 0, 0, 0.08, 0.2]), rng.choice([0, 0, 0, 0.08, 0.2])]
        self.play_out(levels, folly)
        if self.ended() and rng.random() < invasions:
            for _ in range(rng.randint(1, 3)):
                if self.ended():
                    self.reopen()
                invader = self.color()
                for _ in range(rng.randint(1, 5)):
                    move = self.random_move(owned_by="w" if invader == "b" else "b")
                    self.play(move or "pass")
                    if self.ended():
                        break
                    if rng.random() < 0.3:
                        self.play("pass")
                    else:
                        self.generate(levels[len(self.moves) % 2])
                    if self.ended():
                        break
                self.play_out(levels, [0, 0])
        if self.ended():
            self.reopen()
            self.play_out([LAST_LEVEL] * 2, [0, 0])

    def sgf(self):
        letters = "abcdefghijklmnopqrs"
        nodes = []
        for i, move in enumerate(self.moves):
            text = ""
            if move != "pass":
                text = letters[LETTERS.index(move[0])] + letters[self.size - int(move[1:])]
            nodes.append(f";{'BW'[i % 2]}[{text}]")
        return f"(;GM[1]FF[4]SZ[{self.size}]KM[{self.komi}]RU[Chinese]" + "".join(nodes) + ")\n"


def reference(path):
    """GNU Go's dead and seki stones, its score from the command line and over GTP."""
    gtp = Gtp("--level", REFERENCE_LEVEL, "--seed", "1")
    gtp.ask(f"loadsgf {path}")
    dead = gtp.ask("final_status_list dead").split()
    seki = gtp.ask("final_status_list seki").split()
    gtp_score = gtp.ask("final_score")
    gtp.ask("quit")
    command = [GNUGO, "--chinese-rules", "--level", REFERENCE_LEVEL, "--seed", "1"]
    command += ["--score", "aftermath", "--quiet", "-l", path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    match = re.search(r"(Black|White) wins by ([0-9.]+)", text)
    if match:
        score = f"{match[1][0]}+{float(match[2]):g}"
    elif re.search(r"Jigo|draw", text, re.IGNORECASE):
        score = "0"
    else:
        raise ValueError(f"unread: {text!r}")
    sign = re.sub(r"\.0$", "", gtp_score)
    return {"dead": sorted(dead), "seki": sorted(seki), "score": score, "gtp_score": sign}


def games(size, wanted, directory):
    """Makes the games of one size, one for each value it yields."""
    gtp = Gtp("--seed", "1")
    kept = {True: 0, False: 0}
    most = (wanted + 1) // 2
    seed = 0
    path = os.path.join(directory, f"{size}x{size}.jsonl")
    with open(path, "w", encoding="ascii") as file, tempfile.TemporaryDirectory() as temporary:
        while sum(kept.values()) < wanted:
            seed += 1
            game = Game(gtp, size, seed)
            game.make(0.0 if kept[True] >= most else 1.0 if kept[False] >= most else 0.6)
            if not game.ended():
                continue
            record = os.path.join(temporary, "game.sgf")
            with open(record, "w", encoding="ascii") as sgf:
                sgf.write(game.sgf())
            try:
                answer = reference(record)
            except (RuntimeError, ValueError) as error:
                print(f"seed {seed}: {error}", file=sys.stderr)
                continue
            has_dead = bool(answer["dead"])
            if kept[has_dead] >= most:
                continue
            kept[has_dead] += 1
            line = {"size": size, "komi": game.komi, "seed": seed, "moves": " ".join(game.moves), **answer}
            file.write(json.dumps(line) + "\n")
            file.flush()
            yield line


def main():
    wanted, directory = int(sys.argv[1]), sys.argv[2]
    for _ in itertools.zip_longest(games(9, wanted, directory), games(13, wanted, directory)):
        pass


if __name__ == "__main__":
    main()
