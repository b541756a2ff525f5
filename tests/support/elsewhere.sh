# What a program must do on another system as it does here: for tests/windows/run and tests/aarch64/run, and tests/gpu/run for
# another device. Who reads this in sets
#
#   native        the program for this machine
#   nets          the folder of the published nets, for `contract`
#   sanki         a function that runs the program of the other system, and waits
#   begin_sanki   a function that starts it, and says its number in $process
#
# and stands in a folder that has `configs`, and that these functions may fill.

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; exit 0; }
passed() { printf '  %s (%d s)\n' "$*" "$SECONDS"; }
# Fails unless the file $1 has a line with $2.
has() { grep -qE -- "$2" "$1" || { cat "$1" >&2; fail "no line has '$2'"; }; }
# Fails unless a command prints the same bytes on both systems, but for the time that it took.
same() {
  "$native" "$@" | sed -E 's/ in [0-9.]+ s, .*//' > here.out
  sanki "$@" | sed -E 's/ in [0-9.]+ s, .*//' > there.out || fail "sanki $* has failed there"
  cmp here.out there.out || fail "sanki $* prints something else than here"
}
# Runs a command that must end with code $1.
code() {
  local wanted="$1" code=0
  shift
  "$@" || code=$?
  [ "$code" = "$wanted" ] || fail "$* ended with $code instead of $wanted"
}

games=(dobutsu janggi minishogi minixiangqi shogi xiangqi)

# The instruction set stands in the last line. It may have another name, but multiplies and adds in one step, as ours.
numbers() {
  local fused='s/instruction set (avx512|avx2|neon)/an instruction set that fuses/'
  "$native" bench fingerprint | sed -E "$fused" > here.out
  sanki bench fingerprint | sed -E "$fused" > there.out
  diff here.out there.out || fail "other numbers than here"
  passed "the numbers of rules, searches and learning are those of this machine"
}

# What a game owes everybody: moves, texts, features, games, analyses, openings.
contract() {
  local game
  for game in "${games[@]}"; do
    same perft --game "$game" --depth 3 --divide
    same show --game "$game" --features --json
    same show --model "$nets/$game.sanki" --sims 100
    same play --game "$game" --seed 3 "$nets/$game.sanki" random --sims 16
    same openings --game "$game" --count 10 --seed 5
  done
  passed "perft, positions, features, searches, games and openings of six games are those of this machine"
}

small=(--config configs/dobutsu.toml --json)
for setting in budget.positions=1000000 budget.generations=16 net.hidden=32 selfplay.positions_per_generation=700 \
  selfplay.simulations=8 selfplay.max_plies=60 selfplay.resign.min_measured=5 learner.batch=32 learner.shard=16 \
  evaluation.every=3 evaluation.games=20 evaluation.simulations=8 checkpoints.every=2; do
  small+=(--set "$setting")
done

# Fails unless both runs have the same net, but for the commit of the program that has trained it.
same_net() {
  local run
  for run in "$1" "$2"; do
    "$native" export "$run" --format safetensors --force -o net.safetensors > /dev/null
    LC_ALL=C sed -E '1s/\(([0-9a-f]{12}|unknown commit)\)//' net.safetensors > "$(basename "$run").net"
  done
  cmp "$(basename "$1").net" "$(basename "$2").net" || fail "$1 and $2 have other nets"
}

# Begins a run in the folder $2, or goes on with it, and kills it after $1 generations.
killed_after() {
  begin_sanki train "${small[@]}" --threads 2 --out "$2" > there.out 2> there.err
  until [ -s there.out ] && [ "$({ wc -l < "$2/metrics.jsonl"; } 2> /dev/null || echo 0)" -ge "$1" ]; do
    kill -0 "$process" 2> /dev/null || { cat there.err >&2; fail "the run has ended before it was killed"; }
    sleep 0.02
  done
  kill -KILL "$process" 2> /dev/null || fail "the run has ended before it was killed"
  wait "$process" 2>/dev/null || true
}

train() {
  "$native" train "${small[@]}" --out runs/here > here.out 2> here.err
  local generations process
  for generations in 1 2 3 4; do killed_after "$generations" "runs/킬 kill"; done
  sanki train "${small[@]}" --threads 2 --out "runs/킬 kill" > there.out 2> there.err || { cat there.err; exit 1; }
  same_net runs/here "runs/킬 kill"
  passed "a run that was killed four times ends with the net of a run here, bit for bit"
}
