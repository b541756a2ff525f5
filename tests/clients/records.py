"""Random games converted by sanki and read by pyffish and cshogi move for move, and theirs converted back.

    records.py SANKI FOLDER [GAMES]    leaves shogi's games in FOLDER, for records.mjs
"""

import json
import subprocess
import sys
from pathlib import Path

import cshogi
import pyffish
from cshogi import KIF

sanki, folder, games = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "200"


def run(*args):
    subprocess.run([sanki, *map(str, args)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read(path):
    lines = map(json.loads, path.read_text().splitlines())
    return sorted(lines, key=lambda game: game["number"])


def play(game):
    out = folder / game
    run("match", "random", "uniform@sims=2", "--game", game, "--games", games, "--out", out)
    return read(out / "games.jsonl")


def words(pgn):
    """The moves of each game."""
    texts = pgn.split("[Event ")[1:]
    lines = [[line for line in text.splitlines()[1:] if not line.startswith("[")] for text in texts]
    return [[word for word in " ".join(own).split() if not word.endswith(".")][:-1] for own in lines]


for variant in ["janggi", "xiangqi", "minixiangqi"]:
    played = play(variant)
    run("convert", folder / variant / "games.jsonl", "-o", folder / f"{variant}.pgn")
    theirs = []
    for game, own in zip(played, words((folder / f"{variant}.pgn").read_text()), strict=True):
        moves = game["moves"].split()
        sans = pyffish.get_san_moves(variant, game["start"], moves)
        assert sans == own, f"{variant} {game['number']}: {[pair for pair in zip(sans, own) if pair[0] != pair[1]][:3]}"
        tags = f'[Variant "{variant.capitalize()}"]\n[FEN "{game["start"]}"]\n[Result "{game["result"]}"]\n\n'
        theirs.append(tags + " ".join(sans) + f" {game['result']}\n")
    (folder / "theirs.pgn").write_text("\n".join(theirs))
    run("convert", folder / "theirs.pgn", "-o", folder / f"{variant}.jsonl")
    again = read(folder / f"{variant}.jsonl")
    assert [game["moves"] for game in again] == [game["moves"] for game in played], variant
    print(f"{variant}: {len(played)} games of PGN there and back")

played = play("shogi")
log = folder / "shogi" / "games.jsonl"
for end in ["csa", "kifu"]:
    (folder / end).mkdir(exist_ok=True)
    run("convert", log, "-o", folder / end / f"{{}}.{end}")
run("convert", log, "-o", folder / "shogi.usi")
for game, line in zip(played, (folder / "shogi.usi").read_text().splitlines(), strict=True):
    start, _, moves = line.removeprefix("position ").partition(" moves ")
    board = cshogi.Board(start.removeprefix("sfen ")) if start != "startpos" else cshogi.Board()
    record = cshogi.Parser.parse_file(str(folder / "csa" / f"{game['number'] + 1:04}.csa"))[0]
    assert cshogi.Board(record.sfen).sfen().split()[:3] == board.sfen().split()[:3]
    assert [cshogi.move_to_usi(move) for move in record.moves] == moves.split(), game["number"]
    kif = (folder / "kifu" / f"{game['number'] + 1:04}.kifu").read_text().splitlines()
    # cshogi's KIF knows no diagrams: it is shown the moves, on the board that we have.
    for text in [line for line in kif if line[:4].strip().isdigit()]:
        move, _, end = KIF.Parser.parse_move_str(text, board)
        assert move is None or board.is_legal(move), text
        if move is not None:
            board.push(move)
    assert [cshogi.move_to_usi(move) for move in board.history] == moves.split(), game["number"]
print(f"shogi: {len(played)} games of CSA and KIF read by cshogi")
