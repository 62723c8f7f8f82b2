#!/usr/bin/env python3
"""Measure what each part of the Go player is worth: the player as it is against itself without the part, at equal time.

    scripts/ablation_go.py --journals docs/strength/ablation [--games 200] [--time 20ms] [--threads 2] [--part play-save=0]

Every part has a journal of its own, which a later run goes on with; the table is printed at the end. A score above 0.5 with
an interval that excludes it means that the part pays.
"""
import argparse
import json
import os
import subprocess

PARTS = [
    "playouts=light",
    "play-save=0",
    "play-ladder=off",
    "play-capture=0",
    "play-nakade=0.9",
    "play-shape=0",
    "play-hunt=0",
    "play-safe=0",
    "mercy=on",
    "prior=0",
    "prior-gammas=hand",
    "prior-capture=off",
    "prior-escape=off",
    "prior-self-atari=off",
    "prior-atari=off",
    "prior-short=on",
    "prior-border=off",
    "prior-distance=off",
    "prior-pattern=off",
    "prior-ladder=on",
    "rave=off",
    "rave=hand",
]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--kiebitz", default="target/release/kiebitz")
    words.add_argument("--journals", required=True)
    words.add_argument("--games", type=int, default=200)
    words.add_argument("--time", default="20ms")
    words.add_argument("--threads", type=int, default=2)
    words.add_argument("--seed", type=int, default=50)
    words.add_argument("--part", action="append", help="only this change, such as play-save=0 (may be repeated)")
    given = words.parse_args()
    os.makedirs(given.journals, exist_ok=True)
    print("| changed to | games | wins, draws, losses of the whole player | score | the part |")
    print("|---|---|---|---|---|")
    whole = f"uct:time={given.time}"
    for part in given.part or PARTS:
        journal = os.path.join(given.journals, part.replace("=", "-").replace(",", "_") + ".jsonl")
        command = [given.kiebitz, "match", "go", whole, f"{whole},{part}", "--rules", "size=9", "--json"]
        command += ["--games", str(given.games), "--threads", str(given.threads), "--seed", str(given.seed)]
        command += ["--journal", journal]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
        print(line(part, json.loads(done.stdout)), flush=True)


def line(part, report):
    """One row of the table."""
    whole, pair = report["players"][0], report["pairs"][0]
    low, high = pair["wilson"]["low"], pair["wilson"]["high"]
    games = whole["wins"] + whole["draws"] + whole["losses"]
    pays = "pays" if low > 0.5 else "costs" if high < 0.5 else "not shown"
    counts = f"{whole['wins']}, {whole['draws']}, {whole['losses']}"
    return f"| `{part}` | {games} | {counts} | {pair['score']:.3f} [{low:.3f}, {high:.3f}] | {pays} |"


if __name__ == "__main__":
    main()
