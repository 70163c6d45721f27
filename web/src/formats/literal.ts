import { FILE_LIMITS } from '../protocol/file-limits';
import { excerpt } from './cursor';
import { countOf, ReadError, shapeText } from './format';
import { AFTER, BEFORE, CONSTRUCTOR, DICTIONARY, type Form, KEEPS, sizesIn } from './forms';
import { Lists, type Literal, type NumbersLiteral, numbersText, sameShape } from './lists';
import { numberAt, TOO_MANY } from './number-text';

/** Reads arrays as printed by programs or written in their source: lists in calls and in the words of a form. */

/** An operator on the same line after a value: .T, [0], - 1, and ' of MATLAB. */
const OPERATOR = /[^\S\n]*[-+*/%@.^\u2212]|[[(']/y;
const DASH = /-(?=\s)/y;
const GOES_ON = 'this is a computation. Print its result and paste that';
const SPELLED_TYPE = /^(?:np|numpy|jnp|torch|tf)\.(\w*\d+)$/;

/** A computation or a layer without its values. */
export class NotComputed extends ReadError {}

/** Reads one literal after another. */
export class Literals extends Lists {
  /** A literal with the words of a form before it. */
  protected formed(depth: number): Literal | 'none' {
    for (const form of BEFORE) {
      const start = this.at;
      const found = this.match(form.pattern);
      if (!found || found[0] === '') continue;
      const value = this.literal(depth + 1);
      if (form.close && !(this.more() && this.take(form.close))) {
        throw this.fault(`the bracket of “${excerpt(found[0].trim())}” is not closed`, start);
      }
      if (value.kind !== 'numbers') return value;
      const agreed = this.agreed(value, form, found[1], start);
      return form.says === 'shape' ? { ...agreed, isArray: true } : agreed;
    }
    return 'none';
  }

  /** Checks the sizes that a form says. */
  private agreed(value: NumbersLiteral, { says }: Form, text = '', start: number): NumbersLiteral {
    const sizes = sizesIn(text);
    if (says === 'nothing') return value;
    if (says === 'items') {
      if (value.shape[0] === sizes[0]) return value;
      throw this.fault(`the text says ${sizes[0]} items, but has ${value.shape[0] ?? 1}`, start);
    }
    if (sameShape(value.shape, sizes)) return value;
    // The rows of a printed matrix may be one axis; a single number may be in brackets.
    if (value.shape.filter((size) => size !== 1).length <= 1 && countOf(value.shape) === countOf(sizes)) {
      return { ...value, shape: sizes };
    }
    throw this.fault(`the text says ${shapeText(sizes)}, but its brackets are ${shapeText(value.shape)}`, start);
  }

  /** Checks and skips the words that a form has after a value. */
  after(value: NumbersLiteral): NumbersLiteral {
    for (const form of AFTER) {
      const start = this.at;
      const found = this.match(form.pattern);
      if (found) return this.agreed(value, form, found[1], start);
    }
    return value;
  }

  /** None, torch.float32, or a call: array([1, 2], dtype=int64). */
  protected named(depth: number): Literal {
    const start = this.at;
    this.checkLeftOut();
    if (this.text[start] === '<') return this.angle(depth);
    if (this.peek(DASH) && this.columnOfDash(start) !== null) return this.sequence(depth);
    const negative = this.match(/[-\u2212]/y) !== null;
    if (!negative) this.take('+');
    const word = this.word();
    if (word === null) {
      this.at = start;
      const character = String.fromCodePoint(this.text.codePointAt(start) ?? 32);
      throw this.fault(`expected a number, found “${character}”`);
    }
    if (!this.take('(')) return { kind: 'word', text: word };
    if (word === 'float') return this.spelled(negative);
    if (/(?:^|\.)(?:Size|TensorShape)$/.test(word)) {
      if (!this.skipToBracket()) throw this.unclosed(word, start);
      return { kind: 'sizes', text: word };
    }
    if (/(?:^|\.)(?:\w*ArrayOf|arrayOf|listOf)$/.test(word)) {
      this.at -= 1;
      return this.list('(', depth);
    }
    if (DICTIONARY.test(word)) return this.pairs(start, depth);
    const isClass = /^[A-Z]\w*$/.test(word) && !CONSTRUCTOR.test(word);
    if (isClass && this.peek(/\s*[A-Za-z_]\w*\s*=(?!=)/y)) {
      this.at -= 1;
      const record = this.record(')', depth);
      if (!record.entries.has('indices')) return record;
      throw this.fault(`“${excerpt(word)}(…)” has only some of the numbers. Convert it to a dense array`, start);
    }
    if (!CONSTRUCTOR.test(word)) throw this.fault(computationText(word), start, NotComputed);
    const found = this.within(word, ')', start, depth);
    if (negative && found.kind === 'numbers') this.numbers.negate(found.from, found.to);
    return found;
  }

  /** The column of the dash of an item of YAML; null if other text is before it on the line. */
  private columnOfDash(at: number): number | null {
    const from = this.text.lastIndexOf('\n', at - 1) + 1;
    return /^[\s-]*$/.test(this.text.slice(Math.max(from, at - 200), at)) ? at - from : null;
  }

  /** A list of YAML: lines that begin with a dash in the same column. */
  private sequence(depth: number): Literal {
    const start = this.at;
    const column = this.columnOfDash(start);
    const first = this.numbers.length;
    let shape: readonly number[] | null = null;
    let count = 0;
    do {
      const itemAt = this.at;
      this.at += 1;
      const item = this.literal(depth + 1);
      if (item.kind !== 'numbers') throw this.fault('this item of the list is not a number', itemAt);
      if (shape && !sameShape(shape, item.shape)) throw this.fault('the items of this list differ in shape', itemAt);
      shape = item.shape;
      count += 1;
      const isNext = this.at === this.text.length || this.columnOfDash(this.at) !== null;
      if (!isNext && !this.peek(/[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y))
        throw this.fault('this item of the list does not end here');
    } while (this.more() && this.peek(DASH) && this.columnOfDash(this.at) === column);
    // A dash may also stand for a missing number, or for a line that was removed.
    const isEnd = this.at === this.text.length || /[\p{L}_"'-]/u.test(this.text[this.at] ?? '');
    if (!isEnd) throw this.fault('“-” is not a number', start);
    return this.since(first, [count, ...(shape ?? [])]);
  }

  private unclosed(word: string, start: number): ReadError {
    return this.fault(`the bracket of “${excerpt(word)}” is not closed`, start);
  }

  /** Skips all arguments. */
  private skipToBracket(): boolean {
    while (this.skipArgument()) if (!this.take(',')) return this.take(')');
    return false;
  }

  /** OrderedDict([('weight', tensor(…)), …]) or OrderedDict({…}), as PyTorch prints the state of a model. */
  private pairs(start: number, depth: number): Literal {
    const unclosed = () => this.fault('the bracket of the dictionary is not closed', start);
    if (!this.more()) throw unclosed();
    if (this.peek(/"[^"\n]*"\s*=>|[A-Za-z_]\w*\s*=(?!=)/y)) {
      this.at = this.text.lastIndexOf('(', this.at);
      return this.record(')', depth);
    }
    const entries = new Map<string, Literal>();
    const isList = this.take('[');
    if (!isList && this.text[this.at] === '{') {
      const record = this.record('}', depth + 1);
      if (this.closes(')', true, unclosed)) return record;
      throw unclosed();
    }
    while (isList && !this.closes(']', entries.size > 0, unclosed)) {
      const key = this.take('(') && this.more() && this.isQuote() ? this.quoted() : null;
      if (key === null) throw this.fault('a pair of a name and a value is missing here');
      if (entries.has(key)) throw this.fault(`the name “${excerpt(key)}” occurs twice`);
      const empty = () => this.fault(`${excerpt(key)} has no value`);
      if (this.closes(')', true, empty)) throw empty();
      entries.set(key, this.literal(depth + 2));
      const open = () => this.fault(`the bracket of “${excerpt(key)}” is not closed`);
      if (!this.closes(')', true, open)) throw open();
    }
    if (!this.more() || !this.take(')')) throw unclosed();
    return { kind: 'record', entries };
  }

  /** Refuses an operator after the last value. */
  checkEnd(): void {
    if (!this.peek(OPERATOR)) return;
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at += 1;
    if (!this.isRemark() && !AFTER.some(({ pattern }) => this.peek(pattern)))
      throw this.fault(GOES_ON, this.at, NotComputed);
  }

  /** float('nan') */
  private spelled(negative: boolean): Literal {
    const number = this.isQuote() ? numberAt(this.quoted(), 0) : null;
    if (!number || !this.take(')')) throw this.fault('float(…) has no number');
    const from = this.numbers.length;
    const value = negative ? -number.value : number.value;
    if (!this.numbers.push({ ...number, value })) throw this.fault(TOO_MANY);
    return this.since(from, []);
  }

  /** <tf.Tensor: shape=(2,), dtype=float32, numpy=array(…)>, or a word such as <AddBackward0>. */
  private angle(depth: number): Literal {
    const start = this.at;
    this.at += 1;
    const word = this.word();
    if (word === null) throw this.fault('expected a number, found “<”', start);
    if (this.take('>')) return { kind: 'word', text: word };
    if (!this.peek(/:|\s+'|\s+\w+=/y)) throw this.fault(withoutText(word), start);
    this.take(':');
    if (this.more() && this.isQuote()) this.quoted();
    return this.within(word, '>', start, depth);
  }

  /** The arguments of a call: the numbers are the first one, numpy= or value=. */
  private within(name: string, close: string, start: number, depth: number): Literal {
    const first = this.numbers.length;
    let found: NumbersLiteral | null = null;
    let other: Literal | null = null;
    let size: readonly number[] | null = null;
    let type = SPELLED_TYPE.exec(name)?.[1] ?? '';
    let hasType = false;
    while (!this.closes(close, true, () => this.unclosed(name, start))) {
      const key = this.argumentName();
      if (key === 'dtype' || !/^(?:|numpy|data|value|shape|size)$/.test(key)) {
        const from = this.at;
        if (!this.skipArgument()) throw this.unclosed(name, start);
        if (key === 'dtype') [type, hasType] = [this.text.slice(from, this.at).match(/\w+/g)?.at(-1) ?? '', true];
        continue;
      }
      const value = this.literal(depth + 1);
      if (value.kind === 'word' && key === '') type = value.text.split('.').at(-1) ?? '';
      if (value.kind === 'list' || value.kind === 'record') other = value;
      if (value.kind !== 'numbers') continue;
      // tf.tensor2d(values, shape)
      const isShape = found && /(?:^|\.)(?:tensor(?:[1-6]d)?|Tensor)$/.test(name) && value.shape.length === 1;
      if (key === 'size' || key === 'shape' || (isShape && found?.shape.length === 1)) {
        size = this.sizes(value, FILE_LIMITS.rank);
        continue;
      }
      if (found) throw this.fault(computationText(name), start, NotComputed);
      found = value;
    }
    if (name.endsWith('masked_array')) throw this.fault('masked arrays are not supported: print x.filled(0)', start);
    if (other && !found) return other;
    if (!found) {
      this.numbers.keep(first, first, first);
      if (close === '>') throw this.fault(withoutText(name), start);
      throw this.fault(`${excerpt(name)}(…) contains no numbers`, start);
    }
    // The argument of Tensor(2) is a size; JavaScript prints Array(2) in place of two values.
    if (close === ')' && found.shape.length === 0 && !size && !hasType) {
      if (name.endsWith('Tensor')) throw this.fault(computationText(name), start, NotComputed);
      const isCount = Number.isInteger(this.numbers.at(found.from));
      if (name.endsWith('Array') && isCount) throw this.fault(collapsedText(name), start);
    }
    const { from, to } = found;
    this.numbers.keep(first, from, to);
    const shape = size ?? found.shape;
    if (countOf(shape) !== to - from) throw this.fault(sizesText(to - from, shape), start);
    const { arrays: _, ...plain } = found;
    return this.chained({
      ...plain,
      ...{ shape, from: first, to: this.numbers.length, type: type || found.type, isArray: true },
    });
  }

  /** array([1, 2, 3, 4]).reshape(2, 2), and methods that keep the numbers. */
  chained(numbers: NumbersLiteral): NumbersLiteral {
    for (;;) {
      while (this.match(KEEPS));
      const start = this.at;
      if (!this.match(/\.(?:reshape|view)(?=\()/y)) {
        this.checkEnd();
        return numbers;
      }
      const sizes = this.list('(', 0);
      if (sizes.kind !== 'numbers') throw this.fault('reshape(…) needs a shape', start);
      const count = numbers.to - numbers.from;
      const given = this.sizes(sizes, FILE_LIMITS.rank);
      const known = given.filter((size) => size !== -1);
      const shape =
        given.length - known.length === 1 ? given.map((size) => (size === -1 ? count / countOf(known) : size)) : given;
      this.numbers.keep(sizes.from, sizes.from, sizes.from);
      if (countOf(shape) !== count || !shape.every(Number.isSafeInteger)) {
        throw this.fault(sizesText(count, shape), start);
      }
      numbers = { ...numbers, shape };
    }
  }

  private argumentName(): string {
    const here = this.at;
    const key = this.word();
    if (key !== null && this.more() && this.take('=')) return key;
    this.at = here;
    return '';
  }
}

/** The only record of a text, with its numbers. `refuse`: the error of another text, from its reason. */
export function recordIn(text: string, refuse: (reason: string) => ReadError) {
  const literals = new Literals(text);
  let value: Literal;
  try {
    value = literals.literal();
  } catch (thrown) {
    throw thrown instanceof ReadError ? refuse(thrown.message) : thrown;
  }
  if (value.kind !== 'record') throw refuse('no JSON object');
  return { literals, value };
}

/** Conv2d(…), nn.ConvTranspose2d(…), Dense(…). */
const LAYER = /(?:^|\.)(?:\w*Conv\w*|Linear|Dense)$/;
const computationText = (name: string) =>
  LAYER.test(name)
    ? `“${excerpt(name)}(…)” is a layer without its values. Print its weight and paste that`
    : `“${excerpt(name)}(…)” is a computation. Print its result and paste that`;
const withoutText = (name: string) => `“<${excerpt(name)} …>” has no numbers. Print its values, such as x.numpy()`;
const collapsedText = (name: string) =>
  `“${name}(…)” stands for numbers that were not printed. Print JSON.stringify(…) of the array`;
const sizesText = (count: number, shape: readonly number[]) =>
  `${numbersText(count)} do not fit the shape ${shapeText(shape)}`;
