import { formatExact } from '../../ui/numbers';
import { cellList, exact, type LayerScene, type PlainView } from '../view';

type Scene = LayerScene<unknown>;

/** The gate of a cell of x is closed. */
const isClosed = ({ x }: Scene, index: number): boolean => x.value(index) <= 0;

const closed = (layer: Scene) => (index: number) => (isClosed(layer, index) ? 'unread' : null);

export const reluView: PlainView<unknown> = {
  formula: () => 'y = max(0, x)',
  rows: [],
  make: () => ({}),
  explain: {
    y: (layer, index) => [
      `= max(0, ${layer.x.label(index)}) = max(0, ${formatExact(layer.x.value(index))})`,
      isClosed(layer, index) ? 'The gate is closed.' : 'The gate is open.',
    ],
    dx(layer, index) {
      const { x, dy } = layer;
      const input = `${x.label(index)} = ${formatExact(x.value(index))}`;
      if (isClosed(layer, index)) return [`The gate is closed, because ${input} is not above 0: no gradient passes.`];
      const passed = `${dy.label(index)} = ${formatExact(dy.value(index))}`;
      return [`= ${passed}: the gate is open, because ${input} is above 0.`];
    },
  },
  marks: { y: closed, dx: closed },
  passes: (layer, x) => !isClosed(layer, x),
  legend: 'Hatched cells of a ReLU are closed gates: their value and their gradient are 0.',
  exercise: {
    y: (terms) => `= max(0, ${cellList(terms)})`,
    dx: (terms, own) => `= ${cellList(terms)} if ${own} is above 0, else 0`,
  },
  code: {
    numpy: () => 'y = np.where(x > 0, x, 0)',
    pytorch: () => 'y = F.relu(x)',
    tensorflow: () => 'y = tf.nn.relu(x)',
  },
  backward: () => 'dx = np.where(x > 0, dy, 0)',
  rounding: () => [exact('y'), exact('dx')],
};
