import { indexAt, type Position, positionAt } from '../../geometry/grid';
import { type Reach, reachesOf } from '../../geometry/reach';
import { formatExact, hasHiddenValues } from '../../ui/numbers';
import { counted } from '../../ui/quantities';
import { labelOf, type Net, type NetTensor, type Place, tensorOf } from './net';
import { isClosed } from './net-marks';

/** What a cell is, in one to three lines, with the numbers of the library. */
export function explained(net: Net, place: Place): readonly string[] {
  const { side, index } = place;
  const tensor = tensorOf(net, place);
  const value = tensor?.[side].data[index];
  if (!tensor || value === undefined) return [];
  if (Number.isNaN(value) && hasHiddenValues.peek()) return [`${labelOf(tensor, side, index)} is hidden.`];
  const head = `${labelOf(tensor, side, index)} = ${formatExact(value)}`;
  const position = positionAt(tensor.grid, index);
  if (place.of) return [head, ...partLines(net, place)];
  return [head, ...(side === 'value' ? valueLines(net, place, position) : gradientLines(net, place, position))];
}

/** "1, 4, −2": at most 9 of them. */
const MOST_LISTED = 9;

const withMinus = (text: string): string => (text.startsWith('−') ? `(${text})` : text);

function valueLines(net: Net, { at, index }: Place, position: Position): readonly string[] {
  const [layer, from] = [net.layers[at - 1], net.tensors[at - 1]];
  if (!layer || !from) return ['An input of the network.'];
  const { geometry: g, kind, winners, averages } = layer;
  const cells = cellsOf(from, reachesOf([g], 1, position)[0]);
  const read = (cell: number) => formatExact(from.value.data[cell] ?? 0);
  const name = (cell: number) => labelOf(from, 'value', cell);
  const [own = 0] = cells;
  if (kind === 'relu') {
    const isOpen = (from.value.data[own] ?? 0) > 0;
    return [`= max(0, ${name(own)}) = max(0, ${read(own)})`, isOpen ? 'The gate is open.' : 'The gate is closed.'];
  }
  if (kind === 'max_pool') {
    const winner = winners?.[index];
    return [
      `The largest of ${counted(cells.length, 'cell')} of ${from.name}: ${listed(cells.map(read))}.`,
      ...(winner === undefined ? [] : [`It comes from ${name(winner)}; only that cell gets a gradient.`]),
    ];
  }
  if (kind === 'average_pool') {
    const windowCells = g.kh * g.kw;
    const isMissing = windowCells > cells.length && layer.count_include_pad !== false;
    const padding = isMissing ? `, and ${windowCells - cells.length} zeros of the padding` : '';
    const [sum, count] = [averages?.sums[index], averages?.counts[index]];
    return [
      `The mean of ${counted(cells.length, 'cell')} of ${from.name}${padding}: ${listed(cells.map(read))}.`,
      ...(sum === undefined || count === undefined ? [] : [`= sum ${formatExact(sum)} / ${count}`]),
    ];
  }
  return [
    `The sum of ${cells.length} products of ${from.name} and ${layer.parts.w?.name ?? 'w'}${layer.b ? ', plus b' : ''}.`,
  ];
}

function gradientLines(net: Net, { at, index }: Place, position: Position): readonly string[] {
  const [layer, tensor, above] = [net.layers[at], net.tensors[at], net.tensors[at + 1]];
  if (!layer || !tensor || !above)
    return [net.loss === null ? 'dy at the end is given.' : 'The gradient of the loss for this cell of the output.'];
  const { geometry: g, kind, winners } = layer;
  const users = cellsOf(above, reachesOf([g], 0, position)[1]);
  const read = (cell: number) => formatExact(above.gradient.data[cell] ?? 0);
  const name = (cell: number) => labelOf(above, 'gradient', cell);
  if (kind === 'relu') {
    const input = `${labelOf(tensor, 'value', index)} = ${formatExact(tensor.value.data[index] ?? 0)}`;
    if (isClosed(net, at)(index)) return [`The gate is closed, because ${input} is not above 0: no gradient passes.`];
    return [`= ${name(index)} = ${read(index)}: the gate is open, because ${input} is above 0.`];
  }
  if (kind === 'max_pool') {
    const won = users.filter((cell) => winners?.[cell] === index);
    if (won.length === 0) return ['It is not the largest cell of any window, so no gradient reaches it.'];
    return [
      `It is the largest cell of ${counted(won.length, 'window')}.`,
      `= ${won.map((cell) => `${name(cell)}`).join(' + ')} = ${won.map((cell) => withMinus(read(cell))).join(' + ')}`,
    ];
  }
  if (kind === 'average_pool') {
    if (users.length === 0) return ['No window reads this cell: its gradient is 0.'];
    if (layer.count_include_pad === false) {
      const sizeOf = (cell: number) => cellsOf(tensor, reachesOf([g], 1, positionAt(above.grid, cell))[0]).length;
      return [
        `Each window gives its gradient, divided by its number of cells: ${users.map((cell) => `${name(cell)} = ${read(cell)} / ${sizeOf(cell)}`).join(', ')}.`,
      ];
    }
    const divisor = g.kh * g.kw;
    return [
      `Each window gives 1/${divisor} of its gradient: ${users.map((cell) => `${name(cell)} = ${read(cell)}`).join(', ')}.`,
    ];
  }
  if (users.length === 0) return ['No window reads this cell: its gradient is 0.'];
  return [`The sum of ${counted(users.length, 'cell')} of d${above.name}, each times a weight.`];
}

function partLines(net: Net, { at, of, side }: Place): readonly string[] {
  const [layer, from, above] = [net.layers[at], net.tensors[at], net.tensors[at + 1]];
  if (!layer || !from || !above) return [];
  const { number } = layer;
  if (side === 'value') return [`${of === 'b' ? 'The bias of a filter' : 'A weight'} of layer ${number}.`];
  if (of === 'b') return [`The sum of d${above.name} over all positions of a filter.`];
  return [`The sum of products of ${from.name} and d${above.name}, over all positions.`];
}

const listed = (texts: readonly string[]): string =>
  texts.length > MOST_LISTED ? `${texts.slice(0, MOST_LISTED).join(', ')}, …` : texts.join(', ');

/** Flat indices of a reach. */
function cellsOf({ grid }: NetTensor, reach: Reach | undefined): readonly number[] {
  if (!reach) return [];
  const { slice, rows, cols, channels } = reach;
  return rows.flatMap((row) =>
    cols.flatMap((col) =>
      Array.from({ length: channels.count }, (_, i) => indexAt(grid, { slice, row, col, channel: channels.first + i })),
    ),
  );
}
