import { FILE_LIMITS } from '../protocol/file-limits';
import { countOf, type Refusal, shapeText } from './format';
import { NumberList } from './number-list';
import { numberAt } from './number-text';
import { behindSpace, placeAt } from './places';

/** What Python, its libraries, JSON and C++ write for numbers in brackets: one reader for all of them. */

export interface Numbers {
  readonly kind: 'numbers';
  readonly shape: readonly number[];
  /** Where they stand in `Literals.numbers`. */
  readonly from: number;
  readonly to: number;
  readonly rounded: number;
  /** The type that the text names: "float64"; '' where it names none. */
  readonly type: string;
}
export interface Text {
  /** 'word': without quotes, such as None or torch.float32. */
  readonly kind: 'text' | 'word';
  readonly text: string;
}
export interface List {
  /** Of what is not all numbers. */
  readonly kind: 'list';
  readonly items: readonly Literal[];
}
export interface Entries {
  readonly kind: 'record';
  readonly entries: ReadonlyMap<string, Literal>;
}
export type Literal = Numbers | Text | List | Entries;

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const WORD = /[A-Za-z_][\w.]*/y;
const ELLIPSIS =
  'numbers were left out where it says "…" when this was printed: print all of them, with ' +
  'np.set_printoptions(threshold=np.inf) or torch.set_printoptions(profile="full")';

/** Reads one literal after another. After null, `fault` says what was wrong, and where. */
export class Literals {
  at = 0;
  fault: Refusal | null = null;
  readonly numbers = new NumberList();

  constructor(private readonly text: string) {}

  /** Goes behind spaces and comments; whether anything is left. */
  more(): boolean {
    this.at = behindSpace(this.text, this.at);
    return this.at < this.text.length;
  }

  /** The word here, and goes behind it; null where none stands. */
  word(): string | null {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0] ?? null;
    if (word !== null) this.at = WORD.lastIndex;
    return word;
  }

  /** Whether a sticky pattern fits here, and goes behind what it fits. */
  match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  /** Whether these characters stand here, and goes behind them. */
  take(characters: string): boolean {
    if (!this.text.startsWith(characters, this.at)) return false;
    this.at += characters.length;
    return true;
  }

  literal(depth = 0): Literal | null {
    if (!this.more()) return this.fail('the text ends where a number or a bracket should follow');
    if (depth > FILE_LIMITS.depth) return this.fail(`more than ${FILE_LIMITS.depth} brackets stand within each other`);
    const character = this.text[this.at] ?? '';
    if (character === '[' || character === '(') return this.list(character, depth);
    if (character === '{') return this.braces(depth);
    if (character === '"' || character === "'") return this.quoted(character);
    if (character === '<') return this.angle(depth);
    const number = this.number();
    return number === 'none' ? this.named(depth) : number;
  }

  fail(reason: string, at = this.at): null {
    this.fault ??= { reason, place: placeAt(this.text, at) };
    return null;
  }

  /** 'none' where no number begins here. */
  private number(): Numbers | 'none' | null {
    const from = this.numbers.length;
    const rounded = this.numbers.rounded;
    const pushed = this.push();
    if (pushed !== true) return pushed;
    return { kind: 'numbers', shape: [], from, to: from + 1, rounded: this.numbers.rounded - rounded, type: '' };
  }

  private push(): true | 'none' | null {
    const found = numberAt(this.text, this.at);
    if (!found) return 'none';
    let { end } = found;
    // C++ writes 1.5f.
    if (/[fF]/.test(this.text[end] ?? '')) end += 1;
    const next = this.text[end] ?? '';
    if (next === 'j') return this.fail(COMPLEX);
    if (this.text.startsWith('...', end)) return this.fail(ELLIPSIS, end);
    if (/[\w.+\-\u2212*/%]/.test(next)) {
      const whole = /^[^\s,;()[\]{}<>]{0,24}/.exec(this.text.slice(this.at, this.at + 24))?.[0] ?? '';
      return this.fail(whole.endsWith('j') ? COMPLEX : `“${whole}” is no number`);
    }
    if (!this.numbers.push(found.value, found.rounded)) return this.fail(TOO_MANY);
    this.at = end;
    return true;
  }

  private list(open: string, depth: number): Literal | null {
    const start = this.at;
    const first = this.numbers.length;
    const roundedBefore = this.numbers.rounded;
    const close = CLOSING[open] ?? '';
    this.at += 1;
    const others: Literal[] = [];
    let count = 0;
    let shape: readonly number[] | null = null;
    let type = '';
    for (;;) {
      if (!this.more()) return this.fail(`the bracket “${open}” is never closed`, start);
      if (this.take(close)) break;
      if (count > 0 && this.take(',')) {
        if (!this.more()) return this.fail(`the bracket “${open}” is never closed`, start);
        if (this.take(close)) break;
      }
      const itemAt = this.at;
      const scalar = this.push();
      if (scalar === null) return null;
      const item = scalar === true ? null : this.literal(depth + 1);
      if (scalar !== true && item === null) return null;
      count += 1;
      if (item && item.kind !== 'numbers') {
        others.push(item);
        continue;
      }
      const inner = item?.shape ?? [];
      type ||= item?.type ?? '';
      if (shape && !sameShape(shape, inner)) return this.fail(raggedText(count, inner, shape), itemAt);
      shape ??= inner;
    }
    if (others.length > 0) {
      const odd = others.find((other) => other.kind === 'word');
      if (shape && odd?.kind === 'word') return this.fail(`“${odd.text}” stands among numbers and is none`, start);
      return { kind: 'list', items: others };
    }
    const rounded = this.numbers.rounded - roundedBefore;
    const sizes = shape ? [count, ...shape] : [0];
    return { kind: 'numbers', shape: sizes, from: first, to: this.numbers.length, rounded, type };
  }

  /** A dictionary, an object, or what C++ writes for a list. */
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
      if (!this.more()) return this.fail('the bracket “{” is never closed', start);
      if (this.take('}')) return { kind: 'record', entries };
      const keyAt = this.at;
      const quote = this.text[this.at] ?? '';
      const key = quote === '"' || quote === "'" ? this.quoted(quote)?.text : this.word();
      if (this.fault) return null;
      if (key === null || key === undefined) return this.fail('a name should stand here');
      if (entries.has(key)) return this.fail(`“${shortened(key)}” stands here a second time`, keyAt);
      if (!this.more() || !this.take(':')) return this.fail(`a colon should follow the name “${shortened(key)}”`);
      const value = this.literal(depth + 1);
      if (!value) return null;
      entries.set(key, value);
      if (this.more() && !this.take(',') && this.text[this.at] !== '}')
        return this.fail('a comma or “}” should follow');
    }
  }

  private quoted(quote: string): Text | null {
    const start = this.at;
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
    if (this.take('--')) return this.fail('a number is masked out here', start);
    const negative = /[+\-\u2212]/.test(this.text[this.at] ?? '') && this.text[this.at] !== '+';
    if (negative || this.text[this.at] === '+') this.at += 1;
    const word = this.word();
    if (word === null) {
      this.at = start;
      const character = String.fromCodePoint(this.text.codePointAt(start) ?? 32);
      return this.fail(`“${character}” stands where a number should`);
    }
    if (!this.take('(')) return { kind: 'word', text: word };
    if (word === 'float') return this.spelled(negative);
    return this.within(word, ')', start, depth);
  }

  /** float('nan'), as PyTorch and Python need it. */
  private spelled(negative: boolean): Literal | null {
    const quote = this.text[this.at] ?? '';
    const inside = quote === '"' || quote === "'" ? this.quoted(quote) : null;
    const number = inside && numberAt(inside.text, 0);
    if (!number || !this.take(')')) return this.fail('float(…) says no number here');
    const from = this.numbers.length;
    if (!this.numbers.push(negative ? -number.value : number.value, number.rounded)) return this.fail(TOO_MANY);
    return { kind: 'numbers', shape: [], from, to: from + 1, rounded: Number(number.rounded), type: '' };
  }

  /** <tf.Tensor: shape=(2,), dtype=float32, numpy=array(…)>, or what only stands there: <AddBackward0>. */
  private angle(depth: number): Literal | null {
    const start = this.at;
    this.at += 1;
    const word = this.word();
    if (word === null) return this.fail('“<” stands where a number should', start);
    if (this.take('>')) return { kind: 'word', text: word };
    this.take(':');
    if (this.more() && this.text[this.at] === "'" && !this.quoted("'")) return null;
    return this.within(word, '>', start, depth);
  }

  /** What stands in a call's brackets: its numbers, be they its first or called numpy=. */
  private within(name: string, close: string, start: number, depth: number): Literal | null {
    const first = this.numbers.length;
    let found: Numbers | null = null;
    let size: readonly number[] | null = null;
    let type = /^(?:np|numpy|jnp|torch|tf)\.(\w*\d+)$/.exec(name)?.[1] ?? '';
    for (;;) {
      if (!this.more()) return this.fail(`the bracket of “${shortened(name)}” is never closed`, start);
      if (this.take(close)) break;
      this.take(',');
      if (!this.more() || this.take(close)) {
        if (this.text[this.at - 1] === close) break;
        return this.fail(`the bracket of “${shortened(name)}” is never closed`, start);
      }
      const key = this.argumentName();
      const value = this.literal(depth + 1);
      if (!value) return null;
      if (value.kind === 'word' && (key === 'dtype' || key === '')) type = value.text.split('.').at(-1) ?? '';
      if (value.kind === 'text' && key === 'dtype') type = value.text;
      if (value.kind !== 'numbers') continue;
      if (key === 'size') size = this.sizes(value);
      if (!found && (key === '' || key === 'numpy' || key === 'data')) found = value;
    }
    if (name.endsWith('masked_array')) return this.fail('masked numbers are not read: print x.filled(0)', start);
    if (!found) {
      this.numbers.keep(first, first, first);
      if (close === '>') return { kind: 'word', text: name };
      return this.fail(`${shortened(name)}(…) holds no numbers that can be read here`, start);
    }
    const { from, to, rounded } = found;
    this.numbers.keep(first, from, to);
    const empty = from === to && size !== null && countOf(size) === 0;
    const shape = empty ? (size ?? []) : found.shape;
    return this.reshaped({ ...found, shape, from: first, to: this.numbers.length, rounded, type: type || found.type });
  }

  /** array([1, 2, 3, 4]).reshape(2, 2) */
  private reshaped(numbers: Numbers): Numbers | null {
    const start = this.at;
    if (!this.match(/\.reshape(?=\()/y)) return numbers;
    const sizes = this.list('(', 0);
    if (sizes?.kind !== 'numbers') return this.fail('reshape(…) must say sizes', start);
    const shape = this.sizes(sizes);
    this.numbers.keep(sizes.from, sizes.from, sizes.from);
    if (countOf(shape) === numbers.to - numbers.from) return { ...numbers, shape };
    return this.fail(`${numbers.to - numbers.from} numbers cannot have the sizes ${shapeText(shape)}`, start);
  }

  private argumentName(): string {
    const here = this.at;
    const key = this.word();
    if (key !== null && this.more() && this.take('=')) return key;
    this.at = here;
    return '';
  }

  private sizes({ from, to }: Numbers): readonly number[] {
    return Array.from({ length: Math.min(to - from, FILE_LIMITS.rank) }, (_, index) => this.numbers.at(from + index));
  }
}

const COMPLEX = 'this is a complex number: only real ones are read';
const TOO_MANY = `here are more than the ${FILE_LIMITS.elements.toLocaleString('en')} numbers that are read`;

const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

function raggedText(position: number, shape: readonly number[], before: readonly number[]): string {
  const words = (sizes: readonly number[]) => {
    if (sizes.length === 0) return 'a single number';
    if (sizes.length === 1) return sizes[0] === 1 ? 'one number in brackets' : `${sizes[0]} numbers`;
    return `numbers ${shapeText(sizes)}`;
  };
  return `part ${position} of this list is ${words(shape)}, but the parts before it are ${words(before)} each`;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function escaped(text: string, at: number): string {
  const character = text[at] ?? '';
  if (character !== 'u') return ESCAPES[character] ?? character;
  return String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16) || 0xfffd);
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
