"""How often the players of a match leave a piece to be taken for nothing, and overlook a mate in one.

    sanki match "NET?strength=4@sims=1" "NET?strength=4@sims=1" --game xiangqi --games 10 --out matches/four
    python benches/hanging.py matches/four/games.jsonl [janggi | minixiangqi]

For xiangqi, minixiangqi and janggi. Needs pyffish. A move leaves a piece if a chariot, horse or cannon can be taken behind
it and the taker cannot be taken back, and if another move would have left none.
"""

import json
import re
import sys

import pyffish
from taker import SQUARE, hanging

PIECES = "RNC"


def pieces(board):
    """The letter of the piece on each square, from the board of a FEN."""
    ranks = board.split("[")[0].split("/")
    found = {}
    for number, rank in enumerate(ranks):
        file = 0
        for token in re.findall(r"\d+|[A-Za-z]", rank):
            if token.isdigit():
                file += int(token)
            else:
                found[f"{chr(ord('a') + file)}{len(ranks) - number}"] = token.upper()
                file += 1
    return found


def leaves_a_piece(variant, start, moves):
    """Whether a piece can be taken for nothing behind these moves."""
    legal = pyffish.legal_moves(variant, start, moves)
    board = pieces(pyffish.get_fen(variant, start, moves).split()[0])
    takes = hanging(variant, start, moves, legal)
    return any(board[SQUARE.findall(take)[-1]] in PIECES for take in takes)


def mates(variant, start, moves):
    """Whether it is mate behind these moves."""
    return pyffish.gives_check(variant, start, moves) and not pyffish.legal_moves(variant, start, moves)


def main():
    count = dict.fromkeys(("moves", "left", "mates", "overlooked"), 0)
    with open(sys.argv[1], encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    variant = sys.argv[2] if len(sys.argv) > 2 else "xiangqi"
    for game in games:
        start, played = game["start"], game["moves"].split()
        for ply, move in enumerate(played):
            before = played[:ply]
            legal = pyffish.legal_moves(variant, start, before)
            winning = [other for other in legal if mates(variant, start, [*before, other])]
            count["mates"] += bool(winning)
            if move in winning:
                continue
            count["overlooked"] += bool(winning)
            count["moves"] += 1
            if leaves_a_piece(variant, start, [*before, move]):
                count["left"] += any(not leaves_a_piece(variant, start, [*before, other]) for other in legal)
    share = 100 * count["left"] / max(1, count["moves"])
    print(f"{count['moves']} moves, {count['left']} left a piece to be taken for nothing ({share:.1f}%)")
    print(f"{count['mates']} mates in one, {count['overlooked']} overlooked")


if __name__ == "__main__":
    main()
