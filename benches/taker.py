"""A player in UCI who takes what hangs and else moves at random: the measure of the first levels of play.

    sanki match "checkpoints/shogi.sanki?level=1@sims=1" "uci:python benches/taker.py@nodes=1" --game shogi --games 100

Needs pyffish. A piece hangs if it can be taken and the taker cannot be taken back.
"""

import random
import re
import sys

import pyffish

SQUARE = re.compile(r"[a-i](?:10|[1-9])")


def squares(board):
    """The squares with a piece of either colour, from the board of a FEN."""
    ranks = board.split("[")[0].split("/")
    found = {}
    for number, rank in enumerate(ranks):
        file = 0
        for token in re.findall(r"\d+|\+?[A-Za-z]", rank):
            if token.isdigit():
                file += int(token)
            else:
                found[f"{chr(ord('a') + file)}{len(ranks) - number}"] = token[-1].isupper()
                file += 1
    return found


def hanging(variant, fen, moves, legal):
    """The moves that take a piece for nothing."""
    fields = pyffish.get_fen(variant, fen, moves).split()
    pieces, is_first = squares(fields[0]), fields[1] == "w"
    takes = []
    for move in legal:
        target = SQUARE.findall(move)[-1]
        if "@" in move or pieces.get(target, is_first) == is_first:
            continue
        replies = pyffish.legal_moves(variant, fen, [*moves, move])
        if all(SQUARE.findall(reply)[-1] != target for reply in replies):
            takes.append(move)
    return takes


def main():
    variant, fen, moves = "xiangqi", "", []
    rng = random.Random(1)
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                names = " ".join(f"var {name}" for name in
                                 ("xiangqi", "janggi", "shogi", "minixiangqi", "minishogi", "dobutsu"))
                print("id name taker\nid author the authors of Sanki")
                print(f"option name UCI_Variant type combo default xiangqi {names}\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["setoption"]:
                variant = words[-1]
            case ["position"]:
                played = words.index("moves") if "moves" in words else len(words)
                fen = " ".join(words[2:played]) if words[1] == "fen" else pyffish.start_fen(variant)
                moves = words[played + 1:]
            case ["go"]:
                legal = pyffish.legal_moves(variant, fen, moves)
                choice = hanging(variant, fen, moves, legal) or legal
                print(f"bestmove {rng.choice(choice) if choice else '(none)'}", flush=True)
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
