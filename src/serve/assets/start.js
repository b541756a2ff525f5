"use strict";

// The boards of the start.

for (const { board, fen } of DATA) {
  part(`picture-${board.game}`).append(drawBoard(board, { ...readFen(board, fen), changed: [] }));
}
