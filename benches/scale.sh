#!/usr/bin/env bash
# What threads are worth on this machine: its own limit (threads that share nothing, and as many runs of one thread at a time
# as there are cores), learning by its parts, and whole runs.
#   benches/scale.sh FOLDER [SANKI]     a few minutes on 16 cores; writes one JSON a measurement to FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?the folder for the results is missing}
sanki=${2:-target/release/sanki}
mkdir -p "$out"
most=$(nproc) threads=1
for n in 2 4 8 16 32 64 128; do [ "$n" -le "$most" ] && threads=$threads,$n; done
lscpu >"$out/machine.txt"
bench() { # name, arguments
  local name=$1
  shift
  echo "== $name: sanki bench $*"
  "$sanki" bench "$@" --json | tee "$out/$name.json"
}
for n in 1 "$most"; do
  for net in minishogi:sparse-128-attacks xiangqi:sparse-256-attacks shogi:sparse-256-attacks; do
    game=${net%%:*}
    bench "net-$game-$n" net --game "$game" --net "${net#*:}" --precision int16 --batch 1 --threads "$n" --seconds 2
    bench "train-$game-$n" train --game "$game" --net "${net#*:}" --threads "$n" --seconds 2
  done
  bench "movegen-shogi-$n" movegen --game shogi --threads "$n" --seconds 2
done
bench scale-minishogi scale --threads "$threads" --positions 200000 --svg "$out/scale-minishogi.svg"
bench scale-xiangqi scale --config configs/xiangqi.toml --threads "$threads" --positions 200000
bench scale-shogi scale --config configs/shogi.toml --threads "$threads" --positions 200000
for positions in 16000 64000; do
  bench "scale-minishogi-$positions" scale --threads "1,$most" --positions 200000 \
    --set "selfplay.positions_per_generation=$positions"
done
echo "== alone: $most runs of xiangqi at a time, one thread each"
runs=()
for i in $(seq "$most"); do
  "$sanki" bench scale --config configs/xiangqi.toml --threads 1 --positions 72000 --json >"$out/alone-$i.json" &
  runs+=($!)
done
for run in "${runs[@]}"; do wait "$run"; done
cat "$out"/alone-*.json
