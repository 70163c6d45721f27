import { FILE_LIMITS } from '../protocol/file-limits';
import { Cursor, excerpt } from './cursor';
import { arrayHeader, checkShape, countOf, type Header, ReadError } from './format';
import { NumberList, numberAt, TOO_MANY } from './number-text';

/** Reads nested lists of numbers, dictionaries and objects. */

export interface NumbersLiteral {
  readonly kind: 'numbers';
  readonly shape: readonly number[];
  /** Range in `Lists.numbers`. */
  readonly from: number;
  readonly to: number;
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
export const LEFT_OUT_BY_JULIA = '“⋮” stands for numbers that were not printed. Print JSON.json(…) of the array';
/** Marks in place of numbers. Node prints "... 92 more items". */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/(?:\.\.\.|…) ?\d+ more items?/y, MORE_ITEMS],
  [/\.\.\.|…/y, ELLIPSIS],
  [/[⋮⋱]/y, LEFT_OUT_BY_JULIA],
  [/--(?!\d)/y, 'a masked value cannot be read'],
];
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
  protected abstract named(depth: number): Literal;
  /** A form of `BEFORE`; 'none': there is none here. */
  protected abstract formed(depth: number): Literal | 'none';

  literal(depth = 0): Literal {
    if (!this.more()) throw this.fault('a number or a bracket is missing at the end');
    return this.beside(depth);
  }

  /** Reads the literal at this character. */
  private beside(depth: number): Literal {
    if (depth > FILE_LIMITS.depth) throw this.fault(`brackets are nested more than ${FILE_LIMITS.depth} deep`);
    const first = this.numbers.length;
    const character = this.text[this.at] ?? '';
    const isList = character === '[' && !/[\d\]]/.test(this.text[this.at + 1] ?? '');
    const formed = isList || character === '{' ? 'none' : this.formed(depth);
    if (formed !== 'none') return formed;
    if (character === '(' && this.peek(FIELD_AHEAD)) return this.record(')', depth);
    if (character === '[' || character === '(') return this.list(character, depth);
    if (character === '{') return this.braces(depth);
    if (this.isQuote()) return { kind: 'text', text: this.quoted() };
    return this.push() ? this.since(first, []) : this.named(depth);
  }

  /** The numbers that were read since there were `from` of them. */
  since(from: number, shape: readonly number[], type = ''): NumbersLiteral {
    return { kind: 'numbers', shape, from, to: this.numbers.length, type };
  }

  /** Numbers of the text as a tensor. `shape`: overrides the shape of the text. */
  tensor(name: string, numbers: NumbersLiteral, shape = numbers.shape): Header {
    const { from, to, type } = numbers;
    checkShape(shape, name);
    const count = countOf(shape);
    if (to - from !== count) {
      throw new ReadError(`${name} has ${to - from} numbers, but its shape ${shape.join(' × ')} needs ${count}`);
    }
    return arrayHeader(name, shape, type || 'decimal', () => this.numbers.floats(from, to));
  }

  sizes({ from, to }: NumbersLiteral, most = Number.POSITIVE_INFINITY): readonly number[] {
    return this.numbers.list(from, Math.min(to, from + most));
  }

  /** Skips spaces and, if `comma`, one comma; true if the bracket closes here. `unclosed`: the error at the end of the text. */
  protected closes(close: string, comma: boolean, unclosed: () => ReadError): boolean {
    if (!this.more()) throw unclosed();
    if (this.take(close)) return true;
    if (!comma || !this.take(',')) return false;
    if (!this.more()) throw unclosed();
    return this.take(close);
  }

  /** Reads a number; false: there is none here. */
  private push(): boolean {
    const found = numberAt(this.text, this.at);
    if (!found) return false;
    let { value, end } = found;
    if (BETWEEN.has(this.text.charCodeAt(end))) {
      if (!this.numbers.push(found)) throw this.fault(TOO_MANY);
      this.at = end;
      return true;
    }
    if (/[A-Za-z_]/.test(this.text[end] ?? '')) {
      SUFFIX.lastIndex = end;
      const suffix = SUFFIX.exec(this.text);
      // In C, 1.5f-2 is a subtraction.
      if (/^[+-]/.test(suffix?.[1] ?? '') && this.text.includes('{')) throw this.fault(DIFFERENCE);
      if (suffix?.[1]) value = Number(`${this.text.slice(this.at, end).replace(/[\u2212\u2013]/, '-')}e${suffix[1]}`);
      if (suffix) end = SUFFIX.lastIndex;
    }
    const next = this.text[end] ?? '';
    if (/[ij]/.test(next)) throw this.fault(COMPLEX);
    if (this.text.startsWith('...', end)) throw this.fault(ELLIPSIS, end);
    if (/[\w.+\-\u2212\u2013*/%^]/.test(next) && !(next === '/' && this.isRemarkAt(end))) {
      const whole = /^[^\s,;()[\]{}<>]{0,24}/.exec(this.text.slice(this.at, this.at + 24))?.[0] ?? '';
      throw this.fault(/[ij]$/.test(whole) ? COMPLEX : `“${whole}” is not a number`);
    }
    if (!this.numbers.push({ ...found, value })) throw this.fault(TOO_MANY);
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

  protected list(open: string, depth: number): Literal {
    const start = this.at;
    const first = this.numbers.length;
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
    const unclosed = () => this.fault(`the bracket “${open}” is not closed`, start);
    while (!this.closes(close, count > 0, unclosed)) {
      if (open === '[' && shape?.length === 0 && count > (ends.at(-1) ?? 0) && this.take(';')) {
        if (this.text.startsWith(';;', this.at)) throw this.fault(PAGES_OF_JULIA, start);
        ends.push(count);
        continue;
      }
      const itemAt = this.at;
      const item = this.push() ? null : this.beside(depth + 1);
      count += 1;
      if (item && (item.kind !== 'numbers' || item.isArray || item.arrays)) items.push(item);
      if (item && item.kind !== 'numbers') {
        others += 1;
        if (item.kind === 'word') odd ??= item.text;
        continue;
      }
      if (item?.isMatrix && open === '[') throw this.fault(JOINED, itemAt);
      const inner = item?.shape ?? [];
      type ||= item?.type ?? '';
      if (shape && !sameShape(shape, inner)) {
        if (items.length < count) throw this.fault(raggedText(count, inner, shape), itemAt);
        differ = true;
      }
      shape ??= inner;
    }
    const pair = count === 2 ? items : [];
    if (pair[0]?.kind === 'text' && (pair[1] ? !/^(?:text|word)$/.test(pair[1].kind) : shape))
      return {
        kind: 'record',
        entries: new Map([[pair[0].text, pair[1] ?? this.since(first, shape ?? [])]]),
        isPair: true,
      };
    const isGap = odd === null || /^(?:None|null|nothing|undefined)$/.test(odd);
    if (odd !== null && /^\w*Array$/.test(odd)) throw this.fault(COLLAPSED, start);
    if (shape && odd !== null && !(isGap && items.length === count && shape.length > 0)) {
      throw this.fault(`“${odd}” is not a number`, start);
    }
    if (ends.length > 0) return this.matrix(ends, count, first, start);
    if (others > 0 || differ) return { kind: 'list', items };
    if (open === '[' && shape?.length === 0 && this.isLikeMatrix(start)) throw this.fault(ROWS_OR_ONE, start);
    const all = this.since(first, shape ? [count, ...shape] : [0], type);
    const arrays = shape && shape.length > 0 && items.length === count ? (items as NumbersLiteral[]) : null;
    return arrays ? { ...all, arrays } : all;
  }

  /** Rows that end with semicolons. */
  private matrix(ends: number[], count: number, first: number, start: number): Literal {
    if (count > (ends.at(-1) ?? 0)) ends.push(count);
    const [cols = 0] = ends;
    const ragged = ends.findIndex((end, row) => end !== (row + 1) * cols);
    if (ragged === -1) return { ...this.since(first, [ends.length, cols]), isArray: true, isMatrix: true };
    const has = numbersText((ends[ragged] ?? 0) - (ends[ragged - 1] ?? 0));
    throw this.fault(`row ${ragged + 1} of this matrix has ${has}, but row 1 has ${cols}`, start);
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
  private braces(depth: number): Literal {
    const start = this.at;
    this.at += 1;
    this.more();
    const isRecord = this.peek(KEY_AHEAD) !== null;
    this.at = start;
    return isRecord ? this.record('}', depth) : this.list('{', depth);
  }

  /** Names and values up to this bracket, which opens here. */
  protected record(close: string, depth: number): RecordLiteral {
    const start = this.at;
    const open = this.text[start] ?? '';
    this.at += 1;
    const entries = new Map<string, Literal>();
    for (;;) {
      if (!this.more()) throw this.fault(`the bracket “${open}” is not closed`, start);
      if (this.take(close)) return { kind: 'record', entries };
      const keyAt = this.at;
      const key = this.isQuote() ? this.quoted() : (this.match(/\.?([\p{L}\w$][\p{L}\w.$]*)/uy)?.[1] ?? null);
      if (key === null) throw this.fault('a name is missing here');
      if (entries.has(key)) throw this.fault(`the name “${excerpt(key)}” occurs twice`, keyAt);
      if (!this.more() || !this.match(/:|=>?/y))
        throw this.fault(`a colon is missing after the name “${excerpt(key)}”`);
      const value = this.literal(depth + 1);
      entries.set(key, value);
      if (this.more() && !this.match(/[,;]/y) && this.text[this.at] !== close) {
        throw this.fault(`a comma or “${close}” is missing`);
      }
    }
  }

  /** Refuses numbers that were not printed. */
  protected checkLeftOut(): void {
    const found = LEFT_OUT.find(([pattern]) => this.peek(pattern));
    if (found) throw this.fault(found[1]);
  }
}

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
