import { type InputChoices, inputsImport, layoutSizes } from '../app/numbers/import-inputs';
import { countOf, shapeText } from '../formats/format';
import { arrange, axisOrdersOf, isAlike, type LayoutReading, orderOf, readingsOf } from '../formats/layouts';
import { LINK_LIMITS } from '../link/field';
import { draftOf, SIZE_FIELDS, withDefaults } from '../link/problem-fields';
import { encodeValues, quoted, shortened } from '../link/text';
import type { ConvDesc, CountName, InputName } from '../protocol/problem';
import { checkDesc, shapeOf } from '../protocol/shapes';
import { type GivenFields, isList, isRecord, MOST_AXES, tooLongText } from './protocol';

/** Arrays of numbers as fields of a state: { x: [[1, 2], [3, 4]] }. Their layouts are read as those of imported files. */

/** An array that a field of a message has. */
interface GivenArray {
  readonly field: string;
  readonly input: InputName;
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: Float32Array;
  /** A letter for each axis, as in "NCHW"; null: the axes of the layout. */
  readonly axes: string | null;
}

interface OrderedArray extends GivenArray {
  /** null: a list of values in the order of the layout. */
  readonly order: Pick<LayoutReading, 'axes' | 'shape'> | null;
}

/** The fields that take an array. */
const INPUTS: Readonly<Record<string, InputName>> = { x: 'x', weights: 'w', bias: 'b', b: 'b', dy: 'dy' };

/** The sizes that an array sets, first those of a matrix. */
const SETS: Readonly<Record<InputName, readonly CountName[]>> = {
  x: ['h', 'w', 'n', 'c'],
  w: ['kh', 'kw', 'k', 'c', 'groups'],
  b: ['k'],
  dy: [],
};

/** The array of a field, or why it is none. */
function readArray(field: string, given: unknown): GivenArray | string {
  const input = Object.hasOwn(INPUTS, field) ? INPUTS[field] : undefined;
  if (!input) {
    const mended = field === 'w' ? 'w is the width. Send the weights as "weights".' : 'Send a string or a number.';
    return `${shortened(field)} takes no array: only x, weights, bias and dy do. ${mended}`;
  }
  const isBare = isList(given);
  const { values, shape: stated, axes: named = null } = isBare || !isRecord(given) ? { values: given } : given;
  if (!isList(values)) {
    return `${field} must be an array of numbers, flat or nested, or an object { shape, values }.`;
  }
  const nested: number[] = [];
  const numbers: number[] = [];
  const fault = gather(values, isBare ? field : `${field}.values`, nested, numbers);
  if (fault) return fault;
  if (numbers.length === 0) return `${field} has no values. Send at least one.`;
  const shape = stated ?? nested;
  if (!isShape(shape)) return `${field}.shape must be a list of one to four whole numbers of at least 1.`;
  if (countOf(shape) !== numbers.length) {
    return `${field}.shape is ${shapeText(shape)}, which is ${countOf(shape)} values, but ${field}.values has ${numbers.length}.`;
  }
  const axes = named === null ? null : String(named).toUpperCase();
  if (axes !== null && !(axisOrdersOf(input).includes(axes) && axes.length === shape.length)) {
    return `${field}.axes is ${quoted(String(named))} for the shape ${shapeText(shape)}, but must have a letter for each axis: ${axisOrdersOf(input).join(', ')}.`;
  }
  if (axes === null && input === 'w' && shape.length === 3) {
    return `${field} has three axes, which can be several things. Name them, as in { shape, values, axes: "HWO" }, or send four.`;
  }
  return { field, input, shape, values: Float32Array.from(numbers), axes };
}

const isShape = (shape: unknown): shape is readonly number[] =>
  Array.isArray(shape) &&
  shape.length >= 1 &&
  shape.length <= MOST_AXES &&
  shape.every((size) => Number.isSafeInteger(size) && size > 0);

/** Appends the numbers in `value` and the lengths of its axes. Returns what is wrong, or null. `name`: "x[0][2]". */
function gather(value: unknown, name: string, shape: number[], numbers: number[], axis = 0): string | null {
  // The first number has the rank of all.
  const isFirst = numbers.length === 0;
  if (!isList(value)) {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    if (!isNumber) {
      const is =
        typeof value === 'string'
          ? quoted(value)
          : value === null
            ? 'null, as a hidden value is'
            : `of type ${typeof value}`;
      return `${name} is ${is}, but must be a number.`;
    }
    if (axis !== shape.length) return `${name} is a number, but must be a list of ${shape[axis]} as the others are.`;
    numbers.push(Number(value));
    return null;
  }
  if (axis === MOST_AXES) return `${name} is a fifth axis. Send at most four.`;
  if (isFirst && axis === shape.length) shape.push(value.length);
  if (axis >= shape.length) return `${name} is a list, but must be a number as the others are.`;
  if (value.length !== shape[axis]) {
    return `${name} has the length ${value.length}, but those before it ${shape[axis]}. Send rows of one length.`;
  }
  for (let i = 0; i < value.length; i += 1) {
    const fault = gather(value[i], `${name}[${i}]`, shape, numbers, axis + 1);
    if (fault) return fault;
  }
  return null;
}

/** The sizes in fields, also by their short names. */
function sizesIn(fields: GivenFields): Readonly<Partial<ConvDesc>> {
  const draft = draftOf({});
  for (const { key, also, read } of SIZE_FIELDS) {
    for (const [typed, text] of Object.entries(fields)) {
      if (text !== null && (typed === key || also?.includes(typed))) read(text, draft, key);
    }
  }
  return draft.sizes;
}

/** The axes of an array; null: it is a list of values, and its sizes are those of the state. */
function axesIn({ input, shape, axes }: GivenArray, { layout }: ConvDesc, stated: Partial<ConvDesc>): string | null {
  const order = orderOf(input, layout);
  if (axes || input === 'b') return axes ?? order;
  if (shape.length > 2) return order.slice(order.length - shape.length);
  const [rows = 'h', cols = 'w'] = SETS[input];
  const isMatrix = shape.length === 2 && input !== 'dy' && !(rows in stated) && !(cols in stated);
  return isMatrix ? 'HW' : null;
}

/**
 * The values of arrays as fields of a link, and the sizes that they set; or the reason why one does not fit. `stated`: the
 * other fields of the message, which win. `kept`: those of the frame that stay.
 */
export function fieldsOfArrays(
  sent: Readonly<Record<string, unknown>>,
  stated: GivenFields,
  kept: GivenFields = {},
): Readonly<Record<string, string>> | string {
  const arrays: GivenArray[] = [];
  for (const [field, value] of Object.entries(sent)) {
    const array = readArray(field, value);
    if (typeof array === 'string') return array;
    arrays.push(array);
  }
  const own = sizesIn(stated);
  const before = withDefaults({ sizes: { ...sizesIn(kept), ...own } });
  const all = arrays.map((array): OrderedArray => {
    const axes = axesIn(array, before, own);
    // A bias has the shape [k], or [1, 1, 1, k] as in an answer.
    const shape = array.input === 'b' ? [array.values.length] : array.shape;
    return { ...array, order: axes === null ? null : { axes, shape } };
  });
  const readingOf = ({ input, order }: OrderedArray, desc: ConvDesc) =>
    order ? readingsOf(order.shape, input, layoutSizes(desc)).find((one) => isAlike(one, order)) : undefined;
  const choices: InputChoices = Object.fromEntries(
    all.flatMap((given, tensor) => {
      const reading = given.input === 'dy' ? undefined : readingOf(given, before);
      return reading ? [[given.input, { tensor, reading: reading.name }]] : [];
    }),
  );
  const tensors = all.map(({ order, shape }) => ({ name: '', shape: order ? order.shape : shape }));
  const { desc } = inputsImport({ tensors, given: [] }, choices, before, undefined);

  // In a network, the sizes of weights and dy follow from other layers: the reader of links checks them.
  const isNetwork = Object.keys({ ...kept, ...stated }).some((key) => key.startsWith('layer'));
  const fields: Record<string, string> = {};
  let length = 0;
  for (const given of all) {
    const { field, input, order, values } = given;
    const isSet = (name: CountName) => order && !(isNetwork && input === 'w' && (name === 'c' || name === 'groups'));
    const sets = SETS[input].filter(isSet);
    const other = sets.find((name) => name in own && own[name] !== desc[name]);
    if (other) {
      return `${field} has ${other} = ${desc[other]}, but the state has ${other} = ${own[other]}. Leave ${other} out, or send ${field} in that size.`;
    }
    const misfit = isNetwork ? null : misfitOf(given, desc, readingOf(given, desc)?.fits);
    if (misfit) return misfit;
    for (const name of sets) if (name !== 'groups' || desc.groups !== before.groups) fields[name] = String(desc[name]);
    const written = encodeValues(order ? arrange(values, order, orderOf(input, desc.layout)) : values);
    fields[field] = `${input === 'dy' ? 'values' : 'brought'}~${written}`;
    length += written.length;
    if (length > LINK_LIMITS.characters) return tooLongText(field);
  }
  return fields;
}

/** Why an array has not the sizes of its tensor. null: it has, or the sizes fit no problem, which the reader of links says. */
function misfitOf({ field, input, order, values }: OrderedArray, desc: ConvDesc, fits = false): string | null {
  if (order && input === 'w' && !fits) {
    const [i, o] = [...'IO'].map((letter) => order.shape[order.axes.indexOf(letter)] ?? 1);
    return `${field} has I = ${i} and O = ${o} (${order.axes}), but x has ${desc.c} channels. Send I = c / groups, with a number of groups that divides O.`;
  }
  if (checkDesc(desc)) return null;
  const wanted = shapeOf(input, desc);
  const text = `${shapeText(wanted)} (${orderOf(input, desc.layout)})`;
  if (order && input !== 'b')
    return fits ? null : `${field} is ${shapeText(order.shape)} (${order.axes}), but must be ${text}.`;
  const [has, needed] = [values.length, countOf(wanted)];
  if (has === needed) return null;
  if (input === 'b') return `${field} has the length ${has}, but must have ${needed}: a value for each filter.`;
  return `${field} has the length ${has}, but must have ${needed} for ${text}. Send that many values, or an array with its axes.`;
}
