"""Random games converted by sanki and read by pyffish and cshogi move for move, and theirs converted back.

    records.py SANKI FOLDER [GAMES]    leaves shogi's games in FOLDER, for records.mjs

Each game goes out and in through every format that it has, and in through every notation that pyffish writes. GAMES is
40 if it is not said; `run --full` takes 1000. `--only dobutsu minishogi` converts the records of these games alone, and
`--notations JANGGI XIANGQI_WXF` only takes these of pyffish's notations.
"""

import argparse
import json
import re
import subprocess
from pathlib import Path

import cshogi
import pyffish
from cshogi import CSA, KI2, KIF

GAMES = ["xiangqi", "minixiangqi", "janggi", "minishogi", "dobutsu", "shogi"]
# Thai names and letters are those of makruk.
LEFT_OUT = ["DEFAULT", "THAI_SAN", "THAI_LAN"]
NOTATIONS = [name.removeprefix("NOTATION_") for name in dir(pyffish) if name.startswith("NOTATION_")]
NOTATIONS = [name for name in NOTATIONS if name not in LEFT_OUT]
assert len(NOTATIONS) >= 7, NOTATIONS

parser = argparse.ArgumentParser()
parser.add_argument("sanki", type=Path)
parser.add_argument("folder", type=Path)
parser.add_argument("games", nargs="?", default="40")
parser.add_argument("--only", nargs="+", choices=GAMES, default=GAMES)
parser.add_argument("--notations", nargs="+", choices=NOTATIONS, default=NOTATIONS)
args = parser.parse_args()
sanki, folder, games = args.sanki, args.folder, args.games


def run(*args):
    """Whatever is left out or not understood ends all."""
    done = subprocess.run([sanki, *map(str, args)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


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


def there_and_back(game, played, end, one_each):
    """Through files with this end, move for move."""
    log, back = folder / game / "games.jsonl", folder / f"{game}-{end}.jsonl"
    if one_each:
        (folder / game / end).mkdir(exist_ok=True)
        run("convert", log, "--game", game, "-o", folder / game / end / f"{{}}.{end}")
        files = sorted((folder / game / end).iterdir())
        assert len(files) == len(played), (game, end)
    else:
        files = [folder / f"{game}.{end}"]
        run("convert", log, "--game", game, "-o", files[0])
    said = run("convert", *files, "--game", game, "-o", back)
    assert not said, said
    again = read(back)
    for before, after in zip(played, again, strict=True):
        for key in ["moves", "result", "reason"]:
            assert before[key] == after[key], (game, end, before["number"], key)
    print(f"{game}: {len(played)} games of .{end} there and back")


def lines_there_and_back(game, played):
    """USI has no results, so games come back as lines again."""
    log, out, back = folder / game / "games.jsonl", folder / f"{game}.usi", folder / f"{game}-again.usi"
    run("convert", log, "--game", game, "-o", out)
    run("convert", out, "--game", game, "-o", back)
    assert out.read_text() == back.read_text() and len(out.read_text().splitlines()) == len(played), game
    print(f"{game}: {len(played)} games of .usi there and back")


def pgn(variant):
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
    notations(variant, played)
    return played


def is_unclear(variant, game, ply, notation):
    """Whether pyffish writes the move at `ply` of the game as it writes another legal one."""
    moves = game["moves"].split()
    fen = pyffish.get_fen(variant, game["start"], moves[:ply])
    own = pyffish.get_san(variant, fen, moves[ply], False, notation)
    texts = [pyffish.get_san(variant, fen, move, False, notation) for move in pyffish.legal_moves(variant, fen, [])]
    return texts.count(own) > 1


def notations(variant, played):
    """In each notation that pyffish writes, also in those of other games, as programs for many games offer them.

    Only a game of which pyffish writes two legal moves alike may be refused, at that very move; or one whose moves all
    fit another notation too.
    """
    for name in args.notations:
        notation, theirs = getattr(pyffish, "NOTATION_" + name), folder / f"{variant}-{name.lower()}.pgn"
        with theirs.open("w") as file:
            for game in played:
                texts = pyffish.get_san_moves(variant, game["start"], game["moves"].split(), False, notation)
                file.write(f'[Variant "{variant.capitalize()}"]\n[FEN "{game["start"]}"]\n[Result "{game["result"]}"]\n\n')
                file.write(" ".join(texts) + f" {game['result']}\n\n")
        again = folder / f"{theirs.stem}.jsonl"
        done = subprocess.run([sanki, "convert", theirs, "-o", again], capture_output=True, text=True)
        read_again = {game["number"]: game["moves"] for game in (read(again) if again.exists() else [])}
        # A game that is left out leaves its number out; numbers are told from 1.
        refusals = re.findall(r"game (\d+): .*move (\d+): (.*)", done.stderr)
        refused = {int(game) - 1: (int(ply) - 1, why) for game, ply, why in refusals}
        alike = two = 0
        for game in played:
            number = game["number"]
            if number not in refused:
                assert read_again.get(number) == game["moves"], f"{variant} {name}: game {number}\n{done.stderr[:2000]}"
                continue
            ply, why = refused[number]
            if "all moves fit two notations" in why:
                assert game["moves"].split()[ply] in why, why
                two += 1
            else:
                assert is_unclear(variant, game, ply, notation), f"{variant} {name}: game {number}: {why}"
                alike += 1
        assert done.returncode == (1 if refused else 0), done.stderr
        also = f", {alike} left out: pyffish writes two legal moves alike" if alike else ""
        also += f", {two} left out: all their moves fit another notation too" if two else ""
        print(f"{variant}: {len(played) - len(refused)} games in pyffish's {name} read{also}", flush=True)


def plays_kif(text, sfen):
    """The moves of a KIF, played by cshogi on the board where it begins: its own reader knows no boards."""
    board = cshogi.Board(sfen)
    for line in [line for line in text.splitlines() if line[:4].strip().isdigit()]:
        move, _, _ = KIF.Parser.parse_move_str(line, board)
        assert move is None or board.is_legal(move), line
        if move is not None:
            board.push(move)
    return [cshogi.move_to_usi(move) for move in board.history]


def reads_ki2(text, sfen, usi):
    """Whether cshogi reads each move of a KI2 as it is meant.

    Its reader takes a piece in hand for one far on the left, and then fails on texts that cshogi itself writes: those
    must be what it would write.
    """
    board = cshogi.Board(sfen)
    for word, expected in zip(re.findall("[▲△][^▲△\n]*", text), usi, strict=True):
        word, move = word.strip(), board.move_from_usi(expected)
        copy = board.copy()
        try:
            found = KI2.Parser.parse_move_str(word, copy)
        except (AssertionError, IndexError):
            found = []
        if found != [move]:
            own = KI2.move_to_ki2(move, board)
            assert own == word, (word, own, board.sfen())
        board.push(move)


def shogi():
    played = play("shogi")
    notations("shogi", played)
    for end in ["csa", "kif", "kifu", "ki2", "ki2u"]:
        there_and_back("shogi", played, end, True)
    lines_there_and_back("shogi", played)
    theirs = folder / "theirs"
    theirs.mkdir(exist_ok=True)
    lines = (folder / "shogi.usi").read_text().splitlines()
    for game, line in zip(played, lines, strict=True):
        start, _, moves = line.removeprefix("position ").partition(" moves ")
        sfen = start.removeprefix("sfen ") if start != "startpos" else cshogi.STARTING_SFEN
        name, usi = f"{game['number'] + 1:04}", moves.split()
        record = cshogi.Parser.parse_file(str(folder / "shogi" / "csa" / f"{name}.csa"))[0]
        assert cshogi.Board(record.sfen).sfen().split()[:3] == cshogi.Board(sfen).sfen().split()[:3]
        assert [cshogi.move_to_usi(move) for move in record.moves] == usi, name
        # cshogi's KIF and KI2 know no boards: they are shown the moves, on the board that we have.
        text = {end: (folder / "shogi" / end / f"{name}.{end}").read_text() for end in ["kifu", "ki2u"]}
        assert plays_kif(text["kifu"], sfen) == usi, name
        reads_ki2(text["ki2u"], sfen, usi)
        write_theirs(theirs, name, sfen, usi)
    print(f"shogi: {len(played)} games of CSA, KIF and KI2 read by cshogi")
    for end in ["csa", "kif", "ki2"]:
        files = sorted(theirs.glob(f"*.{end}"))
        back = folder / f"cshogi-{end}.usi"
        run("convert", *files, "-o", back)
        again = [line.partition(" moves ")[2] for line in back.read_text().splitlines()]
        assert again == [line.partition(" moves ")[2] for line in lines], end
        print(f"shogi: {len(files)} games of .{end} by cshogi read")


def write_theirs(theirs, name, sfen, usi):
    """The game as cshogi writes it."""
    board = cshogi.Board(sfen)
    csa = CSA.Exporter(str(theirs / f"{name}.csa"))
    csa.info(board, names=["one", "two"])
    kif = KIF.Exporter(str(theirs / f"{name}.kif"))
    kif.header(["one", "two"], handicap=board)
    # Its header of KI2 is always that of the usual start.
    ki2 = [KIF.board_to_bod(board)]
    for text in usi:
        move = board.move_from_usi(text)
        csa.move(move)
        kif.move(move)
        ki2.append(KI2.move_to_ki2(move, board))
        board.push(move)
    csa.endgame("%TORYO")
    kif.end("resign")
    csa.close()
    kif.close()
    (theirs / f"{name}.ki2").write_text("\n".join(ki2) + "\n", encoding="cp932")


def minishogi():
    played = play("minishogi")
    notations("minishogi", played)
    for end in ["kif", "kifu", "ki2", "ki2u"]:
        there_and_back("minishogi", played, end, True)
    lines_there_and_back("minishogi", played)


def dobutsu():
    played = play("dobutsu")
    notations("dobutsu", played)
    lines_there_and_back("dobutsu", played)


CONVERTED = {
    "xiangqi": lambda: pgn("xiangqi"),
    "minixiangqi": lambda: pgn("minixiangqi"),
    "janggi": lambda: there_and_back("janggi", pgn("janggi"), "gib", False),
    "minishogi": minishogi,
    "dobutsu": dobutsu,
    "shogi": shogi,
}
for variant in args.only:
    CONVERTED[variant]()
