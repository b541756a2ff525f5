"""Has Python's own clients play with the engine: cchess in UCI and UCCI, uci-janggi, and fairyfishnet, PyChess's worker.

    python tests/clients/python_clients.py ENGINE

Every move that they are told has to be legal by pyffish, or by cchess's own rules. Exits with 1 if one is not.
"""

import subprocess
import sys
import time

import cchess
import pyffish
from cchess.engine import UcciEngine, UciEngine
from fairyfishnet import engine as fishnet
from uci_janggi.uci_janggi import Janggi

PLIES = 30


def play_cchess(engine_class, path):
    """A game of one engine with itself, a FEN before every move. Returns its plies."""
    engine = engine_class()
    assert engine.load(path), "cchess cannot start it"
    assert engine.wait_for_ready(), "no answer to the greeting"
    game = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    for ply in range(PLIES):
        engine.go_from(game.to_fen(), {"movetime": 50} if engine_class is UciEngine else {"nodes": 200})
        end = time.time() + 20
        action = None
        while time.time() < end:
            action = engine.get_action()
            if action is None:
                time.sleep(0.005)
            elif action["action"] in ("bestmove", "dead"):
                break
        assert action is not None, f"no answer at ply {ply}"
        if action["action"] == "dead":
            break
        move = action["move"]
        assert "score" in action or "mate" in action, f"no score with {move}"
        assert game.is_valid_iccs_move(move), f"{move} is not legal in {game.to_fen()}"
        game.move_iccs(move)
        game.next_turn()
    engine.quit()
    return ply + 1


def play_janggi(path):
    """A game by uci-janggi, which knows FENs and moves as texts."""
    client = Janggi(path)
    fen, moves = pyffish.start_fen("janggimodern"), []
    for _ in range(PLIES):
        client.set_board(fen=fen, stock_moves=moves)
        move = client.get_best_move(depth=8)
        assert move in pyffish.legal_moves("janggimodern", fen, moves), move
        moves.append(move)
    ours = client.get_board_fen().split()[0]
    expected = pyffish.get_fen("janggimodern", fen, moves[:-1]).split()[0]
    assert ours == expected, f"{ours} is not {expected}"
    client.put("quit")
    client.stock.wait(timeout=30)
    return len(moves)


def play_fishnet(path, variant):
    """A game by the calls of PyChess's worker."""
    process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    info, variants = fishnet.uci(process)
    assert info["name"].startswith("Sanki") and variant in variants, (info, variants)
    fishnet.setoption(process, "UCI_Variant", variant)
    fishnet.setoption(process, "Skill Level", 20)
    fishnet.setoption(process, "UCI_AnalyseMode", False)
    fishnet.isready(process)
    fen, moves = pyffish.start_fen(variant), []
    for _ in range(PLIES):
        if not pyffish.legal_moves(variant, fen, moves):
            break
        clock = {"wtime": 100, "btime": 100, "inc": 1}
        part = fishnet.go(process, fen, moves, movetime=30, clock=clock, depth=12)
        assert part["bestmove"] in pyffish.legal_moves(variant, fen, moves), part
        assert "score" in part and "pv" in part, part
        ours = fishnet.current_fen(process).split()[0].replace("[]", "").replace("[-]", "")
        expected = pyffish.get_fen(variant, fen, moves).split()[0].replace("[]", "").replace("[-]", "")
        assert ours == expected, f"{ours} is not {expected}"
        moves.append(part["bestmove"])
        if any(end(variant, fen, moves)[0] for end in (pyffish.is_immediate_game_end, pyffish.is_optional_game_end)):
            break
    fishnet.send(process, "quit")
    process.wait(timeout=30)
    return len(moves)


def main(path):
    print(f"cchess in UCI: {play_cchess(UciEngine, path)} plies", flush=True)
    print(f"cchess in UCCI: {play_cchess(UcciEngine, path)} plies", flush=True)
    print(f"uci-janggi: {play_janggi(path)} plies", flush=True)
    for variant in ["janggi", "janggimodern", "xiangqi", "shogi", "minixiangqi", "minishogi", "dobutsu"]:
        print(f"fairyfishnet, {variant}: {play_fishnet(path, variant)} plies", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
