// A step of a sparse net: forward, losses, backward, AdamW. Constants come before this text (layout.rs).
//
// Nothing is added up by atomics: a sum's order does not depend on what the device does first, so that a step repeats bit for
// bit on the same device. Rows are summed over the batch in segments, and segments in their order.
//
// Matrices are read four numbers at a time. `G4` is a gate in such vectors, and `G` a position's sums: both accumulators, of
// each first what is rectified and then what that gates.

// Moves of the policy, or of the opponent's reply. Places in `batch` unless said otherwise.
struct Head {
    // For each position where its moves end, behind a zero.
    ends: u32,
    // For each move its position, its policy index, and its target.
    positions: u32,
    indices: u32,
    targets: u32,
    // How many moves there are, and the place of the first in `logits`.
    terms: u32,
    first: u32,
    // For each segment where its moves end, behind a zero; their numbers; for each policy index where its segments end, behind
    // a zero.
    segment_ends: u32,
    segment_terms: u32,
    row_ends: u32,
    segments: u32,
    // Places of the segments' sums in `partial`, and of the sums of their factors in `partial_bias`.
    partial: u32,
    partial_bias: u32,
    // One over the positions with a target; the same times what the loss counts.
    share: f32,
    scale: f32,
    unused0: u32,
    unused1: u32,
}

struct Params {
    heads: array<Head, 2>,
    positions: u32,
    // For each position where its rows end, behind a zero; the rows and their factors.
    ends: u32,
    rows: u32,
    factors: u32,
    // The same by segments of rows, with the positions that a row is a term of.
    segment_ends: u32,
    segment_positions: u32,
    segment_factors: u32,
    row_ends: u32,
    segments: u32,
    partial: u32,
    // Targets: win, draw and loss, then plies to the end; then what the latter counts.
    wdl: u32,
    left: u32,
    left_scales: u32,
    chunks: u32,
    norms: u32,
    // Where the step's report goes.
    slot: u32,
    // One over the positions; what the losses count.
    share: f32,
    share_left: f32,
    weight_value: f32,
    weight_reply: f32,
    weight_left: f32,
    max_norm: f32,
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    rate: f32,
    unbias1: f32,
    unbias2: f32,
    decay: f32,
    average_decay: f32,
    unused0: u32,
    unused1: u32,
}

@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> batch: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read_write> weights_out: array<vec4f>;
@group(0) @binding(5) var<storage, read> rows: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> rows_out: array<vec4f>;
@group(0) @binding(7) var<storage, read> moves: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> moves_out: array<vec4f>;
@group(0) @binding(9) var<storage, read> sums: array<vec4f>;
@group(0) @binding(10) var<storage, read_write> sums_out: array<vec4f>;
@group(0) @binding(11) var<storage, read> gates: array<vec4f>;
@group(0) @binding(12) var<storage, read> gate_numbers: array<f32>;
@group(0) @binding(13) var<storage, read_write> gates_out: array<vec4f>;
@group(0) @binding(14) var<storage, read> logits: array<f32>;
@group(0) @binding(15) var<storage, read_write> logits_out: array<f32>;
@group(0) @binding(16) var<storage, read> in_logits: array<f32>;
@group(0) @binding(17) var<storage, read_write> in_logits_out: array<f32>;
@group(0) @binding(18) var<storage, read> hidden: array<f32>;
@group(0) @binding(19) var<storage, read_write> hidden_out: array<f32>;
@group(0) @binding(20) var<storage, read> in_hidden: array<f32>;
@group(0) @binding(21) var<storage, read_write> in_hidden_out: array<f32>;
@group(0) @binding(22) var<storage, read_write> outputs_out: array<vec4f>;
@group(0) @binding(23) var<storage, read> in_outputs: array<vec4f>;
@group(0) @binding(24) var<storage, read_write> in_outputs_out: array<vec4f>;
@group(0) @binding(25) var<storage, read> losses: array<f32>;
@group(0) @binding(26) var<storage, read_write> losses_out: array<f32>;
@group(0) @binding(27) var<storage, read> partial: array<vec4f>;
@group(0) @binding(28) var<storage, read_write> partial_out: array<vec4f>;
@group(0) @binding(29) var<storage, read> partial_bias: array<f32>;
@group(0) @binding(30) var<storage, read_write> partial_bias_out: array<f32>;
@group(0) @binding(31) var<storage, read> partial_value: array<f32>;
@group(0) @binding(32) var<storage, read_write> partial_value_out: array<f32>;
@group(0) @binding(33) var<storage, read> gradient: array<vec4f>;
@group(0) @binding(34) var<storage, read_write> gradient_out: array<vec4f>;
@group(0) @binding(35) var<storage, read_write> gradient_number_out: array<f32>;
@group(0) @binding(36) var<storage, read> norms: array<f32>;
@group(0) @binding(37) var<storage, read_write> norms_out: array<f32>;
@group(0) @binding(38) var<storage, read_write> mean_out: array<vec4f>;
@group(0) @binding(39) var<storage, read_write> square_out: array<vec4f>;
@group(0) @binding(40) var<storage, read_write> average_out: array<vec4f>;
@group(0) @binding(41) var<storage, read_write> reports_out: array<f32>;
@group(0) @binding(42) var<storage, read_write> state_out: array<atomic<u32>, 4>;

// Numbers of a report: losses, then the square of the gradient's length, then whether the step was made.
const REPORT: u32 = 16u;
const LOSSES: u32 = 11u;
const NORM: u32 = 11u;
const MADE: u32 = 12u;
// What `state_out` holds: whether steps are made, the factor of the gradient, and whether a weight is no number.
const ALIVE: u32 = 0u;
const SCALE: u32 = 1u;
const BROKEN: u32 = 2u;

const INFINITY: u32 = 0x7f800000u;

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & INFINITY) != INFINITY;
}

fn number(place: u32) -> f32 {
    return bitcast<f32>(batch[place]);
}

fn linear(group: vec3u, groups: vec3u) -> u32 {
    return group.y * groups.x + group.x;
}

// What the rows of features have in common is added in.
@compute @workgroup_size(256)
fn fold_rows(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 256u + unit;
    if i >= ALL_ROWS * G { return; }
    let row = i / G;
    let column = i % G;
    if row < ROWS {
        var sum = weights[FEATURES + i] + weights[FEATURE_PLANES + row / SQUARES * G + column];
        if HAS_FEATURE_SQUARES {
            sum += weights[FEATURE_SQUARES + row % PLANE_SQUARES * G + column];
        }
        rows_out[i] = sum;
    } else if row < ROWS + SCALARS {
        rows_out[i] = weights[SCALAR_ROWS + (row - ROWS) * G + column];
    } else {
        rows_out[i] = weights[BIAS + column];
    }
}

// The same of moves.
@compute @workgroup_size(256)
fn fold_moves(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 256u + unit;
    if i >= MOVES * G4 { return; }
    let head = group.z;
    let row = i / G4;
    let column = i % G4;
    moves_out[head * MOVES * G4 + i] = weights[head_rows(head) + i]
        + weights[head_planes(head) + row / SQUARES * G4 + column]
        + weights[head_squares(head) + row % SQUARES * G4 + column];
}

// Accumulators and gates of a position.
@compute @workgroup_size(GATE_UNITS)
fn sum_up(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let position = linear(group, groups);
    if position >= p.positions { return; }
    let begin = batch[p.ends + position];
    let end = batch[p.ends + position + 1u];
    for (var j = unit; j < G4; j += GATE_UNITS) {
        var policy = vec4f();
        var policy_gated = vec4f();
        var value = vec4f();
        var value_gated = vec4f();
        for (var t = begin; t < end; t++) {
            let row = batch[p.rows + t] * G + j;
            let factor = number(p.factors + t);
            policy += factor * rows[row];
            policy_gated += factor * rows[row + G4];
            value += factor * rows[row + 2u * G4];
            value_gated += factor * rows[row + 3u * G4];
        }
        let sum = position * G + j;
        sums_out[sum] = policy;
        sums_out[sum + G4] = policy_gated;
        sums_out[sum + 2u * G4] = value;
        sums_out[sum + 3u * G4] = value_gated;
        let gate = position * 2u * G4 + j;
        gates_out[gate] = max(policy, vec4f()) * policy_gated;
        gates_out[gate + G4] = max(value, vec4f()) * value_gated;
    }
}

@compute @workgroup_size(64)
fn score_moves(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let term = linear(group, groups) * 64u + unit;
    let head = p.heads[group.z];
    if term >= head.terms { return; }
    let index = batch[head.indices + term];
    let row = (group.z * MOVES + index) * G4;
    let gate = batch[head.positions + term] * 2u * G4;
    var sum = vec4f();
    for (var j = 0u; j < G4; j++) {
        sum += moves[row + j] * gates[gate + j];
    }
    logits_out[head.first + term] = dot(sum, vec4f(1.0)) + weight[head_bias(group.z) + index];
}

var<workgroup> shared_numbers: array<f32, 256>;

// The sum over 32 units.
fn sum_of_32(unit: u32, x: f32) -> f32 {
    workgroupBarrier();
    shared_numbers[unit] = x;
    workgroupBarrier();
    for (var step = 16u; step > 0u; step /= 2u) {
        if unit < step { shared_numbers[unit] += shared_numbers[unit + step]; }
        workgroupBarrier();
    }
    return shared_numbers[0];
}

fn largest_of_32(unit: u32, x: f32) -> f32 {
    workgroupBarrier();
    shared_numbers[unit] = x;
    workgroupBarrier();
    for (var step = 16u; step > 0u; step /= 2u) {
        if unit < step { shared_numbers[unit] = max(shared_numbers[unit], shared_numbers[unit + step]); }
        workgroupBarrier();
    }
    return shared_numbers[0];
}

// The loss of a position's moves, and its gradient in their logits.
@compute @workgroup_size(32)
fn move_losses(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let position = linear(group, groups);
    if position >= p.positions { return; }
    let head = p.heads[group.z];
    let begin = batch[head.ends + position];
    let end = batch[head.ends + position + 1u];
    var largest = -3e38;
    for (var t = begin + unit; t < end; t += 32u) {
        largest = max(largest, logits[head.first + t]);
    }
    largest = largest_of_32(unit, largest);
    var exps = 0.0;
    var targets = 0.0;
    var by_exp = 0.0;
    var by_target = 0.0;
    var target_logs = 0.0;
    for (var t = begin + unit; t < end; t += 32u) {
        let less = logits[head.first + t] - largest;
        let e = exp(less);
        let target_ = number(head.targets + t);
        exps += e;
        targets += target_;
        by_exp += e * less;
        by_target += target_ * less;
        if target_ > 0.0 { target_logs += target_ * log(target_); }
    }
    exps = sum_of_32(unit, exps);
    targets = sum_of_32(unit, targets);
    by_exp = sum_of_32(unit, by_exp);
    by_target = sum_of_32(unit, by_target);
    target_logs = sum_of_32(unit, target_logs);
    for (var t = begin + unit; t < end; t += 32u) {
        let e = exp(logits[head.first + t] - largest);
        in_logits_out[head.first + t] = e * (head.scale / exps) - number(head.targets + t) * (head.scale / targets);
    }
    if unit == 0u {
        let loss = position * REPORT;
        let any = end > begin;
        let cross_entropy = select(0.0, log(exps) - by_target / targets, any);
        if group.z == 0u {
            losses_out[loss] = head.share * cross_entropy;
            losses_out[loss + 1u] = select(0.0, head.share * (log(targets) - target_logs / targets), any);
            losses_out[loss + 2u] = select(0.0, head.share * (log(exps) - by_exp / exps), any);
        } else {
            losses_out[loss + 3u] = head.share * cross_entropy;
        }
    }
}

var<workgroup> shared_outputs: array<f32, 4>;

// The value's head, its losses and their gradient in its outputs.
@compute @workgroup_size(32)
fn value_losses(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let position = linear(group, groups);
    if position >= p.positions { return; }
    var sum = weight[HIDDEN_BIAS + unit];
    let gate = position * 2u * G4 + G4;
    for (var j = 0u; j < G4; j++) {
        let four = gates[gate + j];
        let row = VALUE_HIDDEN + j * 4u * HIDDEN + unit;
        sum += four.x * weight[row] + four.y * weight[row + HIDDEN]
            + four.z * weight[row + 2u * HIDDEN] + four.w * weight[row + 3u * HIDDEN];
    }
    let rectified = max(sum, 0.0);
    hidden_out[position * HIDDEN + unit] = rectified;
    shared_numbers[unit] = rectified;
    workgroupBarrier();
    if unit < 4u {
        let is_wdl = unit < 3u;
        var output = weight[select(LEFT_BIAS, WDL_BIAS + unit, is_wdl)];
        for (var h = 0u; h < HIDDEN; h++) {
            output += shared_numbers[h] * weight[select(LEFT + h, WDL + h * 3u + unit, is_wdl)];
        }
        shared_outputs[unit] = output;
    }
    workgroupBarrier();
    if unit == 0u {
        let out = vec4f(shared_outputs[0], shared_outputs[1], shared_outputs[2], shared_outputs[3]);
        outputs_out[position] = out;
        let target_ = vec3f(number(p.wdl + position * 3u), number(p.wdl + position * 3u + 1u), number(p.wdl + position * 3u + 2u));
        let largest = max(out.x, max(out.y, out.z));
        let exps = exp(out.xyz - largest);
        let total = exps.x + exps.y + exps.z;
        let wdl = exps / total;
        let in_wdl = (wdl - target_) * (p.share * p.weight_value);
        let left_scale = number(p.left_scales + position);
        let error = select(0.0, out.w - number(p.left + position), left_scale > 0.0);
        in_outputs_out[position] = vec4f(in_wdl, left_scale * p.weight_left * clamp(error, -1.0, 1.0));
        let loss = position * REPORT;
        let logs = out.xyz - largest - log(total);
        losses_out[loss + 4u] = -p.share * dot(target_, logs);
        losses_out[loss + 5u] = p.share * target_.x;
        losses_out[loss + 6u] = p.share * target_.y;
        losses_out[loss + 7u] = p.share * target_.z;
        let score_error = (wdl.x - wdl.z) - (target_.x - target_.z);
        losses_out[loss + 8u] = p.share * score_error * score_error;
        losses_out[loss + 9u] = p.share * score_error;
        let size = abs(error);
        losses_out[loss + 10u] = left_scale * select(size - 0.5, 0.5 * size * size, size < 1.0);
    }
}

var<workgroup> shared_hidden: array<vec4f, 8>;

// The gradient in the gates of a position that its moves of one head make.
fn by_moves(which: u32, position: u32, column: u32) -> vec4f {
    let first = p.heads[which].first;
    let indices = p.heads[which].indices;
    let begin = batch[p.heads[which].ends + position];
    let end = batch[p.heads[which].ends + position + 1u];
    var sum = vec4f();
    for (var t = begin; t < end; t++) {
        sum += in_logits[first + t] * moves[(which * MOVES + batch[indices + t]) * G4 + column];
    }
    return sum;
}

// Turns a position's sums into the gradient in them.
@compute @workgroup_size(GATE_UNITS)
fn back_to_sums(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let position = linear(group, groups);
    if position >= p.positions { return; }
    let in_output = in_outputs[position];
    for (var four = unit; four < HIDDEN / 4u; four += GATE_UNITS) {
        var in_four = vec4f();
        for (var k = 0u; k < 4u; k++) {
            let h = four * 4u + k;
            let wdl = vec3f(weight[WDL + h * 3u], weight[WDL + h * 3u + 1u], weight[WDL + h * 3u + 2u]);
            let sum = dot(in_output.xyz, wdl) + in_output.w * weight[LEFT + h];
            let passed = select(0.0, sum, hidden[position * HIDDEN + h] > 0.0);
            in_hidden_out[position * HIDDEN + h] = passed;
            in_four[k] = passed;
        }
        shared_hidden[four] = in_four;
    }
    workgroupBarrier();
    for (var j = unit; j < G4; j += GATE_UNITS) {
        let in_policy = by_moves(0u, position, j) + by_moves(1u, position, j);
        let sum = position * G + j;
        let policy = sums_out[sum];
        let policy_gated = sums_out[sum + G4];
        sums_out[sum] = select(vec4f(), in_policy * policy_gated, policy > vec4f());
        sums_out[sum + G4] = select(vec4f(), in_policy * policy, policy > vec4f());

        var in_value = vec4f();
        for (var k = 0u; k < 4u; k++) {
            let row = VALUE_HIDDEN / 4u + (j * 4u + k) * (HIDDEN / 4u);
            var product = vec4f();
            for (var four = 0u; four < HIDDEN / 4u; four++) {
                product += shared_hidden[four] * weights[row + four];
            }
            in_value[k] = dot(product, vec4f(1.0));
        }
        let value = sums_out[sum + 2u * G4];
        let value_gated = sums_out[sum + 3u * G4];
        sums_out[sum + 2u * G4] = select(vec4f(), in_value * value_gated, value > vec4f());
        sums_out[sum + 3u * G4] = select(vec4f(), in_value * value, value > vec4f());
    }
}

// A segment of a move's row: positions in which it is legal.
@compute @workgroup_size(GATE_UNITS)
fn back_to_moves(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let segment = linear(group, groups);
    let head = p.heads[group.z];
    if segment >= head.segments { return; }
    let begin = batch[head.segment_ends + segment];
    let end = batch[head.segment_ends + segment + 1u];
    for (var j = unit; j < G4; j += GATE_UNITS) {
        var sum = vec4f();
        var factors = 0.0;
        for (var t = begin; t < end; t++) {
            let term = batch[head.segment_terms + t];
            let factor = in_logits[head.first + term];
            sum += factor * gates[batch[head.positions + term] * 2u * G4 + j];
            factors += factor;
        }
        partial_out[head.partial + segment * G4 + j] = sum;
        if j == 0u { partial_bias_out[head.partial_bias + segment] = factors; }
    }
}

@compute @workgroup_size(256)
fn move_rows(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 256u + unit;
    if i >= MOVES * G4 { return; }
    let head = p.heads[group.z];
    let row = i / G4;
    let column = i % G4;
    var sum = vec4f();
    let end = batch[head.row_ends + row + 1u];
    for (var segment = batch[head.row_ends + row]; segment < end; segment++) {
        sum += partial[head.partial + segment * G4 + column];
    }
    gradient_out[head_rows(group.z) + i] = sum;
}

@compute @workgroup_size(256)
fn move_bias(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let row = linear(group, groups) * 256u + unit;
    if row >= MOVES { return; }
    let head = p.heads[group.z];
    var sum = 0.0;
    let end = batch[head.row_ends + row + 1u];
    for (var segment = batch[head.row_ends + row]; segment < end; segment++) {
        sum += partial_bias[head.partial_bias + segment];
    }
    gradient_number_out[head_bias(group.z) + row] = sum;
}

// What moves of a plane, or to a square, have in common.
@compute @workgroup_size(64)
fn move_groups(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 64u + unit;
    if i >= (MOVE_PLANES + SQUARES) * G4 { return; }
    let row = i / G4;
    let column = i % G4;
    let first = head_rows(group.z) + column;
    var sum = vec4f();
    if row < MOVE_PLANES {
        for (var square = 0u; square < SQUARES; square++) {
            sum += gradient_out[first + (row * SQUARES + square) * G4];
        }
        gradient_out[head_planes(group.z) + i] = sum;
    } else {
        let square = row - MOVE_PLANES;
        for (var plane = 0u; plane < MOVE_PLANES; plane++) {
            sum += gradient_out[first + (plane * SQUARES + square) * G4];
        }
        gradient_out[head_squares(group.z) + square * G4 + column] = sum;
    }
}

// A segment of a row of the accumulators: positions that it is a term of.
@compute @workgroup_size(SUM_UNITS)
fn back_to_rows(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let segment = linear(group, groups);
    if segment >= p.segments { return; }
    let begin = batch[p.segment_ends + segment];
    let end = batch[p.segment_ends + segment + 1u];
    for (var j = unit; j < G; j += SUM_UNITS) {
        var sum = vec4f();
        for (var t = begin; t < end; t++) {
            sum += number(p.segment_factors + t) * sums[batch[p.segment_positions + t] * G + j];
        }
        partial_out[p.partial + segment * G + j] = sum;
    }
}

@compute @workgroup_size(256)
fn feature_rows(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 256u + unit;
    if i >= ALL_ROWS * G { return; }
    let row = i / G;
    let column = i % G;
    var sum = vec4f();
    let end = batch[p.row_ends + row + 1u];
    for (var segment = batch[p.row_ends + row]; segment < end; segment++) {
        sum += partial[p.partial + segment * G + column];
    }
    if row < ROWS {
        gradient_out[FEATURES + i] = sum;
    } else if row < ROWS + SCALARS {
        gradient_out[SCALAR_ROWS + (row - ROWS) * G + column] = sum;
    } else {
        gradient_out[BIAS + column] = sum;
    }
}

// What features of a status and a plane, or of a plane and a square, have in common.
@compute @workgroup_size(64)
fn feature_groups(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 64u + unit;
    let squares = select(0u, PLANE_SQUARES, HAS_FEATURE_SQUARES);
    if i >= (STATUS_PLANES + squares) * G { return; }
    let row = i / G;
    let column = i % G;
    var sum = vec4f();
    if row < STATUS_PLANES {
        for (var square = 0u; square < SQUARES; square++) {
            sum += gradient_out[FEATURES + (row * SQUARES + square) * G + column];
        }
        gradient_out[FEATURE_PLANES + i] = sum;
    } else {
        let square = row - STATUS_PLANES;
        for (var of_status = square; of_status < ROWS; of_status += PLANE_SQUARES) {
            sum += gradient_out[FEATURES + of_status * G + column];
        }
        gradient_out[FEATURE_SQUARES + square * G + column] = sum;
    }
}

// The value's weights, over a chunk of the positions: the hidden layer.
@compute @workgroup_size(256)
fn back_to_hidden(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = group.x * 256u + unit;
    if i >= GATED * HIDDEN { return; }
    let row = i / HIDDEN;
    let h = i % HIDDEN;
    let end = min((group.y + 1u) * CHUNK, p.positions);
    var sum = 0.0;
    for (var position = group.y * CHUNK; position < end; position++) {
        sum += gate_numbers[position * 2u * GATED + GATED + row] * in_hidden[position * HIDDEN + h];
    }
    partial_value_out[group.y * VALUE_PARTIAL + i] = sum;
}

// The same of what is behind it: for each output its 32 weights and its bias; then the hidden layer's bias.
@compute @workgroup_size(256)
fn back_to_outputs(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) unit: u32) {
    if unit >= VALUE_REST { return; }
    let end = min((group.x + 1u) * CHUNK, p.positions);
    var sum = 0.0;
    for (var position = group.x * CHUNK; position < end; position++) {
        if unit >= 4u * (HIDDEN + 1u) {
            sum += in_hidden[position * HIDDEN + unit - 4u * (HIDDEN + 1u)];
        } else {
            let h = unit / 4u;
            var input = 1.0;
            if h < HIDDEN { input = hidden[position * HIDDEN + h]; }
            sum += input * in_outputs[position][unit % 4u];
        }
    }
    partial_value_out[group.x * VALUE_PARTIAL + GATED * HIDDEN + unit] = sum;
}

@compute @workgroup_size(256)
fn value_rows(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = group.x * 256u + unit;
    if i >= GATED * HIDDEN + VALUE_REST { return; }
    var sum = 0.0;
    for (var chunk = 0u; chunk < p.chunks; chunk++) {
        sum += partial_value[chunk * VALUE_PARTIAL + i];
    }
    if i < GATED * HIDDEN {
        gradient_number_out[VALUE_HIDDEN + i] = sum;
        return;
    }
    let rest = i - GATED * HIDDEN;
    if rest >= 4u * (HIDDEN + 1u) {
        gradient_number_out[HIDDEN_BIAS + rest - 4u * (HIDDEN + 1u)] = sum;
        return;
    }
    let h = rest / 4u;
    let output = rest % 4u;
    if h < HIDDEN {
        gradient_number_out[select(LEFT + h, WDL + h * 3u + output, output < 3u)] = sum;
    } else {
        gradient_number_out[select(LEFT_BIAS, WDL_BIAS + output, output < 3u)] = sum;
    }
}

// The sum over 256 units.
fn sum_of_256(unit: u32, x: f32) -> f32 {
    workgroupBarrier();
    shared_numbers[unit] = x;
    workgroupBarrier();
    for (var step = 128u; step > 0u; step /= 2u) {
        if unit < step { shared_numbers[unit] += shared_numbers[unit + step]; }
        workgroupBarrier();
    }
    return shared_numbers[0];
}

@compute @workgroup_size(256)
fn gradient_squares(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) unit: u32) {
    var sum = 0.0;
    for (var k = 0u; k < NORM_EACH; k++) {
        let i = (group.x * NORM_EACH + k) * 256u + unit;
        if i < WEIGHTS4 {
            let four = gradient[i];
            sum += dot(four, four);
        }
    }
    sum = sum_of_256(unit, sum);
    if unit == 0u { norms_out[group.x] = sum; }
}

// The report: a workgroup for each loss, and one for the gradient's length.
@compute @workgroup_size(256)
fn report(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) unit: u32) {
    var sum = 0.0;
    if group.x < LOSSES {
        for (var position = unit; position < p.positions; position += 256u) {
            sum += losses[position * REPORT + group.x];
        }
    } else {
        for (var i = unit; i < p.norms; i += 256u) {
            sum += norms[i];
        }
    }
    sum = sum_of_256(unit, sum);
    if unit == 0u { reports_out[p.slot * REPORT + group.x] = sum; }
}

// Whether the step is made, and with what factor: not when a number is not finite, nor after a step that was not made.
@compute @workgroup_size(1)
fn decide() {
    let begin = p.slot * REPORT;
    let norm = sqrt(reports_out[begin + NORM]);
    var alive = atomicLoad(&state_out[ALIVE]) == 1u && atomicLoad(&state_out[BROKEN]) == 0u && is_finite(norm);
    for (var i = 0u; i < LOSSES; i++) {
        alive = alive && is_finite(reports_out[begin + i]);
    }
    atomicStore(&state_out[ALIVE], select(0u, 1u, alive));
    let scale = select(1.0, p.max_norm / norm, norm > p.max_norm);
    atomicStore(&state_out[SCALE], bitcast<u32>(scale));
    reports_out[begin + MADE] = select(0.0, 1.0, alive);
}

@compute @workgroup_size(256)
fn adamw(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) unit: u32) {
    let i = linear(group, groups) * 256u + unit;
    if i >= WEIGHTS4 || atomicLoad(&state_out[ALIVE]) == 0u { return; }
    let g = bitcast<f32>(atomicLoad(&state_out[SCALE])) * gradient[i];
    let mean = mean_out[i] + (1.0 - p.beta1) * (g - mean_out[i]);
    let square = square_out[i] + (1.0 - p.beta2) * (g * g - square_out[i]);
    let old = weights_out[i];
    let decay = select(0.0, p.decay, decays(i));
    let stepped = old - decay * old - p.rate * (mean * p.unbias1) / (sqrt(square * p.unbias2) + p.epsilon);
    mean_out[i] = mean;
    square_out[i] = square;
    weights_out[i] = stepped;
    average_out[i] += (1.0 - p.average_decay) * (stepped - average_out[i]);
    if any((bitcast<vec4u>(stepped) & vec4u(INFINITY)) == vec4u(INFINITY)) {
        atomicStore(&state_out[BROKEN], 1u);
    }
}
