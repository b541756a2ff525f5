"""Confirms the results in match records with pyffish, which is not ours.

    python tests/support/referee.py GAME RULES games.jsonl

Every move has to be legal there, the game must not have ended before its last move, and it must have ended then
as the record says. What happened outside the board (resignation, time, a crash, an illegal move, the ply cap) can
only be confirmed as not having ended the game before. Declarations in shogi, which pyffish does not know, are
counted. Prints one JSON object; exits with 1 if a record is contradicted.
"""

import json
import sys

import pyffish

VARIANTS = {
    ("janggi", "points"): "janggi",
    ("janggi", "traditional"): "janggitraditional",
    ("janggi", "kakao"): "janggimodern",
    ("janggi", "casual"): "janggicasual",
    ("xiangqi", "axf"): "xiangqi",
    ("shogi", "csa27"): "shogi",
    ("minixiangqi", "standard"): "minixiangqi",
    ("minishogi", "standard"): "minishogi",
    ("dobutsu", "standard"): "dobutsu",
}
OFF_THE_BOARD = {"resignation", "timeout", "illegal_move", "crash", "adjudicated"}


def side_to_move(fen, plies):
    first = fen.split()[1] == "w"
    return first if plies % 2 == 0 else not first


def result_of(value, first_to_move):
    """The result, given pyffish's value from the view of the side to move."""
    if value == 0:
        return "1/2-1/2"
    return "1-0" if (value > 0) == first_to_move else "0-1"


def ended(variant, fen, moves, legal):
    """The result if the game has ended after these moves, else None; legal are the legal moves then."""
    first = side_to_move(fen, len(moves))
    for end in (pyffish.is_immediate_game_end, pyffish.is_optional_game_end):
        over, value = end(variant, fen, moves)
        if over:
            return result_of(value, first)
    if not legal:
        return result_of(pyffish.game_result(variant, fen, moves), first)
    return None


def contradiction(variant, record):
    """What is wrong with a record, or None."""
    fen, moves = record["start"], record["moves"].split()
    for ply, move in enumerate(moves):
        legal = pyffish.legal_moves(variant, fen, moves[:ply])
        if (result := ended(variant, fen, moves[:ply], legal)) is not None:
            return f"over after {ply} of {len(moves)} plies: {result}"
        if move not in legal:
            return f"{move} at ply {ply} is not legal"
    result = ended(variant, fen, moves, pyffish.legal_moves(variant, fen, moves))
    if record["reason"] in OFF_THE_BOARD | {"declaration"}:
        return None if result is None else f"over by rule: {result}"
    return None if result == record["result"] else f"result {result}"


def main(game, rules, path):
    variant = VARIANTS[game, rules]
    summary = {"games": 0, "by_rule": 0, "off_the_board": 0, "declarations": 0, "contradictions": []}
    with open(path, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            summary["games"] += 1
            why = contradiction(variant, record)
            if why is not None:
                said = f"{record['result']} {record['reason']}"
                summary["contradictions"].append(f"game {record['number']} ({said}): {why}")
            elif record["reason"] == "declaration":
                summary["declarations"] += 1
            elif record["reason"] in OFF_THE_BOARD:
                summary["off_the_board"] += 1
            else:
                summary["by_rule"] += 1
    print(json.dumps(summary))
    return 1 if summary["contradictions"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
