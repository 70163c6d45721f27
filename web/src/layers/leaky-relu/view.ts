import { parseExact } from '../../sources/exact-text';
import { formatExact } from '../../ui/numbers';
import { cellList, type FieldRow, type LayerScene, type NamedCells, OTHER_ROUNDINGS, type PlainView } from '../view';
import type { LeakyFields } from './core';

type Scene = LayerScene<LeakyFields>;

/** The cell of x is on the flat side. */
const isLow = ({ x }: Scene, index: number): boolean => !(x.value(index) > 0);

/** "= 0.1 · x[0,1] = 0.1 · −3", or "= x[0,1] = 2". */
function scaled(layer: Scene, of: NamedCells, index: number): string {
  const factor = isLow(layer, index) ? `${layer.fields.alpha} · ` : '';
  return `= ${factor}${of.label(index)} = ${factor}${formatExact(of.value(index))}`;
}

const side = (layer: Scene, index: number): string =>
  `${layer.x.label(index)} = ${formatExact(layer.x.value(index))} is ${isLow(layer, index) ? 'not ' : ''}above 0.`;

const low = (layer: Scene) => (index: number) => (isLow(layer, index) ? 'unread' : null);

const NEW_ALPHA = 0.01;
const CHOICES = [0, NEW_ALPHA, 0.1, 0.2, 0.25, 0.5, 1];

const alpha: FieldRow<LeakyFields> = {
  key: 'alpha',
  write: (fields) => String(fields.alpha),
  read(text = String(NEW_ALPHA)) {
    const value = parseExact(text);
    return value !== null && value >= 0 && value <= 1 ? { alpha: value } : null;
  },
  control: {
    label: 'slope below 0',
    choices: () => CHOICES,
    value: (fields) => fields.alpha,
    set: (value) => ({ alpha: value }),
  },
};

export const leakyReluView: PlainView<LeakyFields> = {
  formula: ({ fields: { alpha } }) => `y = max(0, x) + ${alpha} · min(0, x)`,
  rows: [alpha],
  make: () => ({ alpha: NEW_ALPHA }),
  explain: {
    y: (layer, index) => [scaled(layer, layer.x, index), side(layer, index)],
    dx: (layer, index) => [scaled(layer, layer.dy, index), side(layer, index)],
  },
  marks: { y: low, dx: low },
  legend: 'Hatched cells of a leaky ReLU are not above 0 in its input: value and gradient are multiplied by its slope.',
  exercise: {
    y: (terms) => `= ${cellList(terms)} if it is above 0, else the slope times it`,
    dx: (terms, own) => `= ${cellList(terms)} if ${own} is above 0, else the slope times it`,
  },
  code: {
    numpy: ({ fields: { alpha } }) => `y = np.where(x > 0, x, ${alpha} * x)`,
    pytorch: ({ fields: { alpha } }) => `y = F.leaky_relu(x, ${alpha})`,
    tensorflow: ({ fields: { alpha } }) => `y = tf.nn.leaky_relu(x, ${alpha})`,
  },
  backward: ({ fields: { alpha } }) => `dx = np.where(x > 0, dy, ${alpha} * dy)`,
  // One product and the rounding of the slope.
  rounding: () => [
    { name: 'y', bound: OTHER_ROUNDINGS, products: 1, of: ['x'] },
    { name: 'dx', bound: OTHER_ROUNDINGS, products: 1, of: ['dy'] },
  ],
};
