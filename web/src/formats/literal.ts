import { FILE_LIMITS } from '../protocol/file-limits';
import {
  countOf,
  listed,
  type Refusal,
  type Refused,
  refuse,
  shapeError,
  shapeText,
  type TensorHeader,
} from './format';
import { NumberList, numberAt, positionAt, skipSpace, TOO_MANY } from './number-text';

/** Reads nested lists of numbers as printed by Python and its libraries, JSON and C++. */

interface NumbersLiteral {
  readonly kind: 'numbers';
  readonly shape: readonly number[];
  /** Range in `Literals.numbers`. */
  readonly from: number;
  readonly to: number;
  readonly rounded: number;
  /** The type in the text, such as "float64", or ''. */
  readonly type: string;
}
interface TextLiteral {
  /** 'word': without quotes, such as None or torch.float32. */
  readonly kind: 'text' | 'word';
  readonly text: string;
}
interface ListLiteral {
  /** A list that is not all numbers. */
  readonly kind: 'list';
}
export interface RecordLiteral {
  readonly kind: 'record';
  readonly entries: ReadonlyMap<string, Literal>;
}
export type Literal = NumbersLiteral | TextLiteral | ListLiteral | RecordLiteral;

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const WORD = /[A-Za-z_][\w.]*/y;
/** Calls that do not change the numbers in their brackets. Every other call is a computation. */
const CONSTRUCTOR = new RegExp(
  '(?:^|\\.)(?:array|as(?:any|contiguous|fortran)?array|matrix|memmap|masked_array|list|tuple|from_numpy|' +
    'as_tensor|tensor|\\w*Tensor|Parameter|Buffer|Array|ArrayImpl|DeviceArray|Variable|constant|convert_to_tensor|' +
    'b?float\\d*|u?int\\d*|double|single|half|bool_?)$',
);
/** An operator on the same line after a value: .T, [0], - 1. */
const OPERATOR = /[^\S\n]*[-+*/%@.\u2212]|[[(]/y;
const ELLIPSIS =
  '“…” stands for numbers that were not printed. Print all of them with ' +
  'np.set_printoptions(threshold=np.inf) or torch.set_printoptions(profile="full")';

/** Reads one literal after another. After null, `fault` has the error and its position. */
export class Literals {
  at = 0;
  fault: Refusal | null = null;
  readonly numbers = new NumberList();

  constructor(private readonly text: string) {}

  /** Skips spaces and comments; true if text is left. */
  more(): boolean {
    this.at = skipSpace(this.text, this.at);
    return this.at < this.text.length;
  }

  /** Reads a word, or returns null. */
  word(): string | null {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0] ?? null;
    if (word !== null) this.at = WORD.lastIndex;
    return word;
  }

  /** Skips a match of a sticky pattern; true if there is one. */
  match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  /** Skips these characters; true if they are here. */
  take(characters: string): boolean {
    if (!this.text.startsWith(characters, this.at)) return false;
    this.at += characters.length;
    return true;
  }

  literal(depth = 0): Literal | null {
    if (!this.more()) return this.fail('a number or a bracket is missing at the end');
    if (depth > FILE_LIMITS.depth) return this.fail(`brackets are nested more than ${FILE_LIMITS.depth} deep`);
    const character = this.text[this.at] ?? '';
    if (character === '[' || character === '(') return this.list(character, depth);
    if (character === '{') return this.braces(depth);
    if (this.isQuote()) return this.quoted();
    if (character === '<') return this.angle(depth);
    const [first, rounded] = [this.numbers.length, this.numbers.rounded];
    const pushed = this.push();
    if (pushed === 'none') return this.named(depth);
    return pushed && this.since(first, rounded, []);
  }

  /** The numbers that were read since there were `from` of them, `rounded` of these rounded. */
  private since(from: number, rounded: number, shape: readonly number[], type = ''): NumbersLiteral {
    return { kind: 'numbers', shape, from, to: this.numbers.length, rounded: this.numbers.rounded - rounded, type };
  }

  fail(reason: string, at = this.at): null {
    this.fault ??= { reason, position: positionAt(this.text, at) };
    return null;
  }

  /** The refusal of the text; without a fault, for the reason given. */
  refused(otherwise: string): Refused {
    return this.fault ? { refusal: this.fault } : refuse(otherwise);
  }

  /** Numbers of the text as a tensor. `shape`: overrides the shape of the text. */
  tensor(name: string, numbers: NumbersLiteral, shape = numbers.shape): TensorHeader | Refused {
    const { from, to, rounded, type } = numbers;
    const fault = shapeError(shape);
    if (fault) return refuse(name === '' ? fault : `${name}: ${fault}`);
    if (to - from !== countOf(shape)) {
      return refuse(`${name} has ${to - from} numbers, but its shape ${shape.join(' × ')} needs ${countOf(shape)}`);
    }
    return listed(name, shape, type || 'decimal', () => this.numbers.floats(from, to, rounded));
  }

  sizes({ from, to }: NumbersLiteral, most = Number.POSITIVE_INFINITY): readonly number[] {
    return this.numbers.list(from, Math.min(to, from + most));
  }

  /** Skips spaces and, if `comma`, one comma; true if the bracket closes here, null at the end of the text. */
  private closes(close: string, comma: boolean): boolean | null {
    if (!this.more()) return null;
    if (this.take(close)) return true;
    if (!comma || !this.take(',')) return false;
    return this.more() ? this.take(close) : null;
  }

  /** Reads a number. 'none': there is none here. */
  private push(): true | 'none' | null {
    const found = numberAt(this.text, this.at);
    if (!found) return 'none';
    let { end } = found;
    // C++: 1.5f
    if (/[fF]/.test(this.text[end] ?? '')) end += 1;
    const next = this.text[end] ?? '';
    if (next === 'j') return this.fail(COMPLEX);
    if (this.text.startsWith('...', end)) return this.fail(ELLIPSIS, end);
    if (/[\w.+\-\u2212*/%]/.test(next)) {
      const whole = /^[^\s,;()[\]{}<>]{0,24}/.exec(this.text.slice(this.at, this.at + 24))?.[0] ?? '';
      return this.fail(whole.endsWith('j') ? COMPLEX : `“${whole}” is not a number`);
    }
    if (!this.numbers.push(found.value, found.rounded)) return this.fail(TOO_MANY);
    this.at = end;
    return true;
  }

  private list(open: string, depth: number): Literal | null {
    const start = this.at;
    const [first, rounded] = [this.numbers.length, this.numbers.rounded];
    const close = CLOSING[open] ?? '';
    this.at += 1;
    let isList = false;
    let odd: string | null = null;
    let count = 0;
    let shape: readonly number[] | null = null;
    let type = '';
    /** The ends of rows of Matlab: [1 2; 3 4]. */
    const ends: number[] = [];
    for (;;) {
      const closed = this.closes(close, count > 0);
      if (closed === null) return this.fail(`the bracket “${open}” is not closed`, start);
      if (closed) break;
      if (open === '[' && shape?.length === 0 && count > (ends.at(-1) ?? 0) && this.take(';')) {
        ends.push(count);
        continue;
      }
      const itemAt = this.at;
      const scalar = this.push();
      if (scalar === null) return null;
      const item = scalar === true ? null : this.literal(depth + 1);
      if (scalar !== true && item === null) return null;
      count += 1;
      if (item && item.kind !== 'numbers') {
        isList = true;
        if (item.kind === 'word') odd ??= item.text;
        continue;
      }
      const inner = item?.shape ?? [];
      type ||= item?.type ?? '';
      if (shape && !sameShape(shape, inner)) return this.fail(raggedText(count, inner, shape), itemAt);
      shape ??= inner;
    }
    if (shape && odd !== null) return this.fail(`“${odd}” is not a number`, start);
    if (ends.length > 0) {
      if (count > (ends.at(-1) ?? 0)) ends.push(count);
      const [cols = 0] = ends;
      const ragged = ends.findIndex((end, row) => end !== (row + 1) * cols);
      if (ragged === -1) return this.since(first, rounded, [ends.length, cols]);
      const has = numbersText((ends[ragged] ?? 0) - (ends[ragged - 1] ?? 0));
      return this.fail(`row ${ragged + 1} of this matrix has ${has}, but row 1 has ${cols}`, start);
    }
    return isList ? { kind: 'list' } : this.since(first, rounded, shape ? [count, ...shape] : [0], type);
  }

  /** A dictionary, an object, or a C++ initializer list. */
  private braces(depth: number): Literal | null {
    const start = this.at;
    this.at += 1;
    this.more();
    const isRecord = /["'}A-Za-z_]/.test(this.text[this.at] ?? '');
    if (!isRecord) {
      this.at = start;
      return this.list('{', depth);
    }
    const entries = new Map<string, Literal>();
    for (;;) {
      if (!this.more()) return this.fail('the bracket “{” is not closed', start);
      if (this.take('}')) return { kind: 'record', entries };
      const keyAt = this.at;
      const key = this.isQuote() ? this.quoted()?.text : this.word();
      if (this.fault) return null;
      if (key === null || key === undefined) return this.fail('a name is missing here');
      if (entries.has(key)) return this.fail(`the name “${shortened(key)}” occurs twice`, keyAt);
      if (!this.more() || !this.take(':')) return this.fail(`a colon is missing after the name “${shortened(key)}”`);
      const value = this.literal(depth + 1);
      if (!value) return null;
      entries.set(key, value);
      if (this.more() && !this.take(',') && this.text[this.at] !== '}') return this.fail('a comma or “}” is missing');
    }
  }

  private isQuote(): boolean {
    return this.text[this.at] === '"' || this.text[this.at] === "'";
  }

  private quoted(): TextLiteral | null {
    const start = this.at;
    const quote = this.text[start];
    let text = '';
    for (let at = start + 1; at < this.text.length; at += 1) {
      const character = this.text[at] ?? '';
      if (character === quote) {
        this.at = at + 1;
        return { kind: 'text', text };
      }
      if (character === '\n') break;
      if (character === '\\') {
        at += 1;
        text += escaped(this.text, at);
        if (this.text[at] === 'u') at += 4;
      } else {
        text += character;
      }
    }
    return this.fail('the quotation mark is never closed', start);
  }

  /** None, torch.float32, or a call: array([1, 2], dtype=int64). */
  private named(depth: number): Literal | null {
    const start = this.at;
    if (this.take('...') || this.take('…')) return this.fail(ELLIPSIS, start);
    if (this.take('--')) return this.fail('a masked value cannot be read', start);
    const negative = this.match(/[-\u2212]/y);
    if (!negative) this.take('+');
    const word = this.word();
    if (word === null) {
      this.at = start;
      const character = String.fromCodePoint(this.text.codePointAt(start) ?? 32);
      return this.fail(`expected a number, found “${character}”`);
    }
    if (!this.take('(')) return { kind: 'word', text: word };
    if (word === 'float') return this.spelled(negative);
    if (/^(?:\w+\.)?(?:OrderedDict|dict)$/.test(word)) return this.pairs(start, depth);
    if (!CONSTRUCTOR.test(word)) return this.fail(computationText(word), start);
    const found = this.within(word, ')', start, depth);
    if (negative && found?.kind === 'numbers') this.numbers.negate(found.from, found.to);
    return found;
  }

  /** OrderedDict([('weight', tensor(…)), …]) or OrderedDict({…}), as PyTorch prints the state of a model. */
  private pairs(start: number, depth: number): Literal | null {
    const unclosed = () => this.fail('the bracket of the dictionary is not closed', start);
    if (!this.more()) return unclosed();
    const entries = new Map<string, Literal>();
    const isList = this.take('[');
    if (!isList && this.text[this.at] === '{') {
      const record = this.braces(depth + 1);
      return record && (this.more() && this.take(')') ? record : unclosed());
    }
    for (let count = 0; isList; count += 1) {
      const closed = this.closes(']', count > 0);
      if (closed === null) return unclosed();
      if (closed) break;
      const key = this.take('(') && this.more() && this.isQuote() ? this.quoted()?.text : undefined;
      if (key === undefined) return this.fail('a pair of a name and a value is missing here');
      if (entries.has(key)) return this.fail(`the name “${shortened(key)}” occurs twice`);
      const value = this.closes(')', true) === false ? this.literal(depth + 2) : null;
      if (!value) return this.fail(`${shortened(key)} has no value`);
      if (this.closes(')', true) !== true) return this.fail(`the bracket of “${shortened(key)}” is not closed`);
      entries.set(key, value);
    }
    return this.more() && this.take(')') ? { kind: 'record', entries } : unclosed();
  }

  /** True if no operator follows the last value. */
  ends(): boolean {
    const at = this.at;
    if (!this.match(OPERATOR)) return true;
    this.at = at;
    this.more();
    this.fail(GOES_ON);
    return false;
  }

  /** float('nan') */
  private spelled(negative: boolean): Literal | null {
    const inside = this.isQuote() ? this.quoted() : null;
    const number = inside && numberAt(inside.text, 0);
    if (!number || !this.take(')')) return this.fail('float(…) has no number');
    const [from, rounded] = [this.numbers.length, this.numbers.rounded];
    if (!this.numbers.push(negative ? -number.value : number.value, number.rounded)) return this.fail(TOO_MANY);
    return this.since(from, rounded, []);
  }

  /** <tf.Tensor: shape=(2,), dtype=float32, numpy=array(…)>, or a word such as <AddBackward0>. */
  private angle(depth: number): Literal | null {
    const start = this.at;
    this.at += 1;
    const word = this.word();
    if (word === null) return this.fail('expected a number, found “<”', start);
    if (this.take('>')) return { kind: 'word', text: word };
    this.take(':');
    if (this.more() && this.text[this.at] === "'" && !this.quoted()) return null;
    return this.within(word, '>', start, depth);
  }

  /** The arguments of a call: the numbers are the first one or numpy=. */
  private within(name: string, close: string, start: number, depth: number): Literal | null {
    const first = this.numbers.length;
    let found: NumbersLiteral | null = null;
    let size: readonly number[] | null = null;
    let type = /^(?:np|numpy|jnp|torch|tf)\.(\w*\d+)$/.exec(name)?.[1] ?? '';
    for (;;) {
      const closed = this.closes(close, true);
      if (closed === null) return this.fail(`the bracket of “${shortened(name)}” is not closed`, start);
      if (closed) break;
      const key = this.argumentName();
      const value = this.literal(depth + 1);
      if (!value) return null;
      if (value.kind === 'word' && (key === 'dtype' || key === '')) type = value.text.split('.').at(-1) ?? '';
      if (value.kind === 'text' && key === 'dtype') type = value.text;
      if (value.kind !== 'numbers') continue;
      if (key === 'size' || key === 'shape') size = this.sizes(value, FILE_LIMITS.rank);
      if (key !== '' && key !== 'numpy' && key !== 'data') continue;
      // The arguments of Tensor(2, 3) and Tensor(2) are sizes.
      const isSize = close === ')' && value.shape.length === 0 && name.endsWith('Tensor');
      if (found || isSize) return this.fail(computationText(name), start);
      found = value;
    }
    if (name.endsWith('masked_array')) return this.fail('masked arrays are not supported: print x.filled(0)', start);
    if (!found) {
      this.numbers.keep(first, first, first);
      if (close === '>') return { kind: 'word', text: name };
      return this.fail(`${shortened(name)}(…) contains no numbers`, start);
    }
    const { from, to, rounded } = found;
    this.numbers.keep(first, from, to);
    const shape = size ?? found.shape;
    if (countOf(shape) !== to - from) return this.fail(sizesText(to - from, shape), start);
    return this.reshaped({ ...found, shape, from: first, to: this.numbers.length, rounded, type: type || found.type });
  }

  /** array([1, 2, 3, 4]).reshape(2, 2) */
  private reshaped(numbers: NumbersLiteral): NumbersLiteral | null {
    const start = this.at;
    if (!this.match(/\.reshape(?=\()/y)) return this.ends() ? numbers : null;
    const sizes = this.list('(', 0);
    if (sizes?.kind !== 'numbers') return this.fail('reshape(…) needs a shape', start);
    const shape = this.sizes(sizes, FILE_LIMITS.rank);
    this.numbers.keep(sizes.from, sizes.from, sizes.from);
    if (countOf(shape) === numbers.to - numbers.from) return { ...numbers, shape };
    return this.fail(sizesText(numbers.to - numbers.from, shape), start);
  }

  private argumentName(): string {
    const here = this.at;
    const key = this.word();
    if (key !== null && this.more() && this.take('=')) return key;
    this.at = here;
    return '';
  }
}

const COMPLEX = 'complex numbers are not supported';

const GOES_ON = 'this is a computation. Print its result and paste that';
const computationText = (name: string) => `“${shortened(name)}(…)” is a computation. Print its result and paste that`;
const numbersText = (count: number): string => (count === 1 ? '1 number' : `${count} numbers`);
const sizesText = (count: number, shape: readonly number[]) =>
  `${numbersText(count)} do not fit the shape ${shapeText(shape)}`;

const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

function raggedText(position: number, shape: readonly number[], before: readonly number[]): string {
  const words = (sizes: readonly number[]) => {
    if (sizes.length === 0) return 'a single number';
    if (sizes.length === 1) return sizes[0] === 1 ? '1 number in brackets' : `${sizes[0]} numbers`;
    return `numbers ${shapeText(sizes)}`;
  };
  return `item ${position} of this list is ${words(shape)}, but the items before it are ${words(before)} each`;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function escaped(text: string, at: number): string {
  const character = text[at] ?? '';
  if (character !== 'u') return ESCAPES[character] ?? character;
  return String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16) || 0xfffd);
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
