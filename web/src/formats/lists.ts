import { FILE_LIMITS } from '../protocol/file-limits';
import { Cursor, excerpt } from './cursor';
import { arrayHeader, countOf, type Refused, refusedBecause, shapeError, type TensorHeader } from './format';
import { NumberList, numberAt, TOO_MANY } from './number-text';

/** Reads nested lists of numbers, dictionaries and objects. */

export interface NumbersLiteral {
  readonly kind: 'numbers';
  readonly shape: readonly number[];
  /** Range in `Lists.numbers`. */
  readonly from: number;
  readonly to: number;
  readonly rounded: number;
  /** The type in the text, such as "float64", or ''. */
  readonly type: string;
  /** True if a program made or printed it as an array: array(…), and not a list in brackets. */
  readonly isArray?: boolean;
  /** The items, if each one is such an array. */
  readonly arrays?: readonly NumbersLiteral[];
  /** True of rows with semicolons between them. MATLAB joins such matrices in brackets. */
  readonly isMatrix?: boolean;
}
interface TextLiteral {
  /** 'word': without quotes, such as None or torch.float32; 'sizes': torch.Size([2, 2]). */
  readonly kind: 'text' | 'word' | 'sizes';
  readonly text: string;
}
interface ListLiteral {
  /** A list that is not one array: of texts, of dictionaries, or of arrays that differ in shape. */
  readonly kind: 'list';
  readonly items: readonly Literal[];
}
export interface RecordLiteral {
  readonly kind: 'record';
  readonly entries: ReadonlyMap<string, Literal>;
  /** True of a pair of a name and a value: ('weight', tensor(…)). */
  readonly isPair?: boolean;
}
export type Literal = NumbersLiteral | TextLiteral | ListLiteral | RecordLiteral;

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const COMPLEX = 'complex numbers are not supported';
const ELLIPSIS =
  '“…” stands for numbers that were not printed. Print all of them with ' +
  'np.set_printoptions(threshold=np.inf) or torch.set_printoptions(profile="full")';
const MORE_ITEMS = '“…” stands for numbers that were not printed. Print JSON.stringify(…) of the array';
/** Node: ... 92 more items */
const ITEMS = /(?:\.\.\.|…) ?\d+ more items?/y;
/** Types of C, Rust and Python 2 after a number, and exponents of Julia and Fortran: 1.5f, 1.5f32, 2L, 1.5f0, 1.5d0. */
const SUFFIX =
  /_?f(?:16|32|64)(?![\w.])|_?[iu](?:8|16|32|64|size)(?![\w.])|[fFdD]([+-]?\d{1,3})(?![\w.])|(?:[fFdD]|[uU]?[lL]{1,2})(?![\w.])/y;
/** Most numbers have a comma, a bracket or a space behind: codes of , ] space newline. */
const BETWEEN = new Set([44, 93, 32, 10]);
/** What may follow a bracket that begins an object. */
const KEY_AHEAD = /\s*(?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\.?[A-Za-z_]\w*|\d+)\s*(?::(?!:)|=)|["'}])/y;
const FIELD_AHEAD = /\(\s*[A-Za-z_]\w*\s*=(?!=)/y;

export abstract class Lists extends Cursor {
  readonly numbers = new NumberList();

  /** A literal that begins with a word or "<". */
  protected abstract named(depth: number): Literal | null;
  /** A form of `BEFORE`; 'none': there is none here. */
  protected abstract formed(depth: number): Literal | null | 'none';

  literal(depth = 0): Literal | null {
    if (!this.more()) return this.fail('a number or a bracket is missing at the end');
    return this.beside(depth);
  }

  /** Reads the literal at this character. */
  private beside(depth: number): Literal | null {
    if (depth > FILE_LIMITS.depth) return this.fail(`brackets are nested more than ${FILE_LIMITS.depth} deep`);
    const [first, rounded] = [this.numbers.length, this.numbers.rounded];
    const character = this.text[this.at] ?? '';
    const isList = character === '[' && !/[\d\]]/.test(this.text[this.at + 1] ?? '');
    const formed = isList || character === '{' ? 'none' : this.formed(depth);
    if (formed !== 'none') return formed;
    if (character === '(' && this.peek(FIELD_AHEAD)) return this.record(')', depth);
    if (character === '[' || character === '(') return this.list(character, depth);
    if (character === '{') return this.braces(depth);
    if (this.isQuote()) {
      const text = this.quoted();
      return text === null ? null : { kind: 'text', text };
    }
    const pushed = this.push();
    if (pushed === 'none') return this.named(depth);
    return pushed && this.since(first, rounded, []);
  }

  /** The numbers that were read since there were `from` of them, `rounded` of these rounded. */
  since(from: number, rounded: number, shape: readonly number[], type = ''): NumbersLiteral {
    return { kind: 'numbers', shape, from, to: this.numbers.length, rounded: this.numbers.rounded - rounded, type };
  }

  /** Numbers of the text as a tensor. `shape`: overrides the shape of the text. */
  tensor(name: string, numbers: NumbersLiteral, shape = numbers.shape): TensorHeader | Refused {
    const { from, to, rounded, type } = numbers;
    const fault = shapeError(shape);
    if (fault) return refusedBecause(name === '' ? fault : `${name}: ${fault}`);
    if (to - from !== countOf(shape)) {
      return refusedBecause(
        `${name} has ${to - from} numbers, but its shape ${shape.join(' × ')} needs ${countOf(shape)}`,
      );
    }
    return arrayHeader(name, shape, type || 'decimal', () => this.numbers.floats(from, to, rounded));
  }

  sizes({ from, to }: NumbersLiteral, most = Number.POSITIVE_INFINITY): readonly number[] {
    return this.numbers.list(from, Math.min(to, from + most));
  }

  /** Skips spaces and, if `comma`, one comma; true if the bracket closes here, null at the end of the text. */
  protected closes(close: string, comma: boolean): boolean | null {
    if (!this.more()) return null;
    if (this.take(close)) return true;
    if (!comma || !this.take(',')) return false;
    return this.more() ? this.take(close) : null;
  }

  /** Reads a number. 'none': there is none here. */
  private push(): true | 'none' | null {
    const found = numberAt(this.text, this.at);
    if (!found) return 'none';
    let { value, end } = found;
    if (BETWEEN.has(this.text.charCodeAt(end))) {
      if (!this.numbers.push(value, found.rounded)) return this.fail(TOO_MANY);
      this.at = end;
      return true;
    }
    if (/[A-Za-z_]/.test(this.text[end] ?? '')) {
      SUFFIX.lastIndex = end;
      const suffix = SUFFIX.exec(this.text);
      // In C, 1.5f-2 is a subtraction.
      if (/^[+-]/.test(suffix?.[1] ?? '') && this.text.includes('{')) return this.fail(DIFFERENCE);
      if (suffix?.[1]) value = Number(`${this.text.slice(this.at, end).replace(/[\u2212\u2013]/, '-')}e${suffix[1]}`);
      if (suffix) end = SUFFIX.lastIndex;
    }
    const next = this.text[end] ?? '';
    if (/[ij]/.test(next)) return this.fail(COMPLEX);
    if (this.text.startsWith('...', end)) return this.fail(ELLIPSIS, end);
    if (/[\w.+\-\u2212\u2013*/%^]/.test(next) && !(next === '/' && this.isRemarkAt(end))) {
      const whole = /^[^\s,;()[\]{}<>]{0,24}/.exec(this.text.slice(this.at, this.at + 24))?.[0] ?? '';
      return this.fail(/[ij]$/.test(whole) ? COMPLEX : `“${whole}” is not a number`);
    }
    if (!this.numbers.push(value, found.rounded)) return this.fail(TOO_MANY);
    this.at = end;
    return true;
  }

  private isRemarkAt(at: number): boolean {
    const here = this.at;
    this.at = at;
    const isRemark = this.isRemark();
    this.at = here;
    return isRemark;
  }

  protected list(open: string, depth: number): Literal | null {
    const start = this.at;
    const [first, rounded] = [this.numbers.length, this.numbers.rounded];
    const close = CLOSING[open] ?? '';
    this.at += 1;
    /** Items that are not lists of numbers, and arrays. */
    const items: Literal[] = [];
    let odd: string | null = null;
    let count = 0;
    let others = 0;
    let differ = false;
    let shape: readonly number[] | null = null;
    let type = '';
    /** The ends of rows of Matlab: [1 2; 3 4]. */
    const ends: number[] = [];
    for (;;) {
      const closed = this.closes(close, count > 0);
      if (closed === null) return this.fail(`the bracket “${open}” is not closed`, start);
      if (closed) break;
      if (open === '[' && shape?.length === 0 && count > (ends.at(-1) ?? 0) && this.take(';')) {
        if (this.text.startsWith(';;', this.at)) return this.fail(PAGES_OF_JULIA, start);
        ends.push(count);
        continue;
      }
      const itemAt = this.at;
      const scalar = this.push();
      if (scalar === null) return null;
      const item = scalar === true ? null : this.beside(depth + 1);
      if (scalar !== true && item === null) return null;
      count += 1;
      if (item && (item.kind !== 'numbers' || item.isArray || item.arrays)) items.push(item);
      if (item && item.kind !== 'numbers') {
        others += 1;
        if (item.kind === 'word') odd ??= item.text;
        continue;
      }
      if (item?.isMatrix && open === '[') return this.fail(JOINED, itemAt);
      const inner = item?.shape ?? [];
      type ||= item?.type ?? '';
      if (shape && !sameShape(shape, inner)) {
        if (items.length < count) return this.fail(raggedText(count, inner, shape), itemAt);
        differ = true;
      }
      shape ??= inner;
    }
    const pair = count === 2 ? items : [];
    if (pair[0]?.kind === 'text' && (pair[1] ? !/^(?:text|word)$/.test(pair[1].kind) : shape))
      return this.pair(pair[0].text, pair[1], first, rounded, shape);
    const isGap = odd === null || /^(?:None|null|nothing|undefined)$/.test(odd);
    if (odd !== null && /^\w*Array$/.test(odd)) return this.fail(COLLAPSED, start);
    if (shape && odd !== null && !(isGap && items.length === count && shape.length > 0)) {
      return this.fail(`“${odd}” is not a number`, start);
    }
    if (ends.length > 0) return this.matrix(ends, count, first, rounded, start);
    if (others > 0 || differ) return { kind: 'list', items };
    if (open === '[' && shape?.length === 0 && this.isLikeMatrix(start)) return this.fail(ROWS_OR_ONE, start);
    const all = this.since(first, rounded, shape ? [count, ...shape] : [0], type);
    const arrays = shape && shape.length > 0 && items.length === count ? (items as NumbersLiteral[]) : null;
    return arrays ? { ...all, arrays } : all;
  }

  private pair(
    key: string,
    value: Literal | undefined,
    first: number,
    rounded: number,
    shape: readonly number[] | null,
  ): Literal {
    const entry = value ?? this.since(first, rounded, shape ?? []);
    return { kind: 'record', entries: new Map([[key, entry]]), isPair: true };
  }

  /** Rows that end with semicolons. */
  private matrix(ends: number[], count: number, first: number, rounded: number, start: number): Literal | null {
    if (count > (ends.at(-1) ?? 0)) ends.push(count);
    const [cols = 0] = ends;
    const ragged = ends.findIndex((end, row) => end !== (row + 1) * cols);
    if (ragged === -1) return { ...this.since(first, rounded, [ends.length, cols]), isArray: true, isMatrix: true };
    const has = numbersText((ends[ragged] ?? 0) - (ends[ragged - 1] ?? 0));
    return this.fail(`row ${ragged + 1} of this matrix has ${has}, but row 1 has ${cols}`, start);
  }

  /** True of short lines of as many numbers each, without commas at their ends: rows of MATLAB, or a wrapped row of NumPy. */
  private isLikeMatrix(start: number): boolean {
    const end = Math.min(this.at, start + 4096);
    const text = this.text.slice(start + 1, end - 1);
    if (!text.includes('\n') || /,[^\S\n]*\n[^\S\n]*\S/.test(text)) return false;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const counts = lines.map((line) => line.trim().split(/[\s,]+/).length);
    return lines.length > 1 && lines.every((line, row) => line.length < 56 && counts[row] === counts[0]);
  }

  /** A dictionary, an object, or a C++ initializer list. */
  private braces(depth: number): Literal | null {
    const start = this.at;
    this.at += 1;
    this.more();
    const isRecord = this.peek(KEY_AHEAD) !== null;
    this.at = start;
    return isRecord ? this.record('}', depth) : this.list('{', depth);
  }

  /** Names and values up to this bracket, which opens here. */
  protected record(close: string, depth: number): RecordLiteral | null {
    const start = this.at;
    const open = this.text[start] ?? '';
    this.at += 1;
    const entries = new Map<string, Literal>();
    for (;;) {
      if (!this.more()) return this.fail(`the bracket “${open}” is not closed`, start);
      if (this.take(close)) return { kind: 'record', entries };
      const keyAt = this.at;
      const key = this.isQuote() ? this.quoted() : (this.match(/\.?([\p{L}\w$][\p{L}\w.$]*)/uy)?.[1] ?? null);
      if (this.fault) return null;
      if (key === null) return this.fail('a name is missing here');
      if (entries.has(key)) return this.fail(`the name “${excerpt(key)}” occurs twice`, keyAt);
      if (!this.more() || !this.match(/:|=>?/y))
        return this.fail(`a colon is missing after the name “${excerpt(key)}”`);
      const value = this.literal(depth + 1);
      if (!value) return null;
      entries.set(key, value);
      if (this.more() && !this.match(/[,;]/y) && this.text[this.at] !== close) {
        return this.fail(`a comma or “${close}” is missing`);
      }
    }
  }

  /** Fails at numbers that were not printed; false if there are numbers. */
  protected isLeftOut(): boolean {
    const start = this.at;
    if (this.match(ITEMS)) this.fail(MORE_ITEMS, start);
    else if (this.take('...') || this.take('…')) this.fail(ELLIPSIS, start);
    else if (this.match(/[⋮⋱]/y)) this.fail(LEFT_OUT_BY_JULIA, start);
    else if (this.match(/--(?!\d)/y)) this.fail('a masked value cannot be read', start);
    return this.fault !== null;
  }
}

export const LEFT_OUT_BY_JULIA = '“⋮” stands for numbers that were not printed. Print JSON.json(…) of the array';
const PAGES_OF_JULIA =
  'Julia names the axes of an array in reverse (Flux: W, H, C, N). Paste JSON.json(…) of it, which gives N, C, H, W';
const JOINED = 'brackets around matrices join them. Print the result and paste that';
const DIFFERENCE = 'this may be a difference or an exponent. Write the number with e, such as 1.5e-2';
const COLLAPSED = '“Array” stands for numbers that were not printed. Print JSON.stringify(…) of the array';
const ROWS_OR_ONE = 'these lines may be rows or one list. End each row with “;” or put it in brackets';
export const numbersText = (count: number): string => (count === 1 ? '1 number' : `${count} numbers`);

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

function raggedText(position: number, shape: readonly number[], before: readonly number[]): string {
  const words = (sizes: readonly number[]) => {
    if (sizes.length === 0) return 'a single number';
    if (sizes.length === 1) return sizes[0] === 1 ? '1 number in brackets' : `${sizes[0]} numbers`;
    return `numbers [${sizes.join(', ')}]`;
  };
  return `item ${position} of this list is ${words(shape)}, but the items before it are ${words(before)} each`;
}
