import { FILE_LIMITS } from '../protocol/file-limits';
import { arrayHeader, type Contents, countOf, opened, ReadError, shapeText } from './format';
import { type Label, labelAt } from './labels';
import { type Literal, type NumbersLiteral, sameShape } from './lists';
import { Literals, NotComputed } from './literal';
import { isAtMatrix, isAtOne, isAtRows, readRows, restOfLine } from './matrix';
import { skipSpace } from './number-text';
import { argumentsIn, Collector, caseOf, NO_NUMBERS, readCase, SIZES_ONLY } from './records';

const PROMPT = /(?:>>>|>>|julia>|octave:\d+>|>(?=[^\S\n])|In ?\[\d*\]:|Out\[\d*\]:)[^\S\n]*/y;
const AFTER_PROMPT = /\s*(?:>>>|>>|julia>|octave:\d+>|>\s|In ?\[|$)/y;
/** Statements without values. */
const NO_VALUE = new RegExp(
  '(?:(?:import|from|using|use|package|library|require|include)\\b(?![^\\S\\n]*[=:[])[^\\n;]*|' +
    '(?:[\\w.]*\\.)?(?:seed|set_printoptions|manual_seed)\\([^\\n]*\\)|' +
    'format[^\\S\\n]+(?:long|short)\\w*|(?:clc|clear|close all)\\b|' +
    '(?:const|let|var)[^\\n=]*=[^\\S\\n]*(?:await[^\\S\\n]+)?require\\([^\\n;]*|' +
    '(?:print|disp|display|console\\.log|println!?)\\(["\'\\w., ]*\\)|' +
    // R, above an item of a list; Chrome, above the expanded values
    '\\[\\[\\d+\\]\\](?=[^\\S\\n]*\\n[^\\S\\n]*(?:\\[,1\\]|\\[1\\][^\\S\\n]|, ,|torch_tensor))|' +
    '(?:\\w*Array)?\\(\\d+\\)(?:[^\\S\\n]*\\[[^\\n]*\\])?(?=\\s*\\n\\s*0:))[^\\S\\n]*;?',
  'y',
);
/** The input of an interpreter that prints one value: dw, print(dw), grads['dw'] */
const COMMAND = /^(?:(?:print|disp|display)\()?([A-Za-z_][\w.]*(?:\[["']\w+["']\])?)\)?;?\s*$/;
const WORDS_ONLY = /^\p{L}[\p{L}\s.,:;!?'’“”"-]*$/u;
const withoutOnes = (shape: readonly number[]) => shape.filter((size) => size !== 1);
/** More would fill the dialog. */
const MOST_NOTES = 12;
/** Its value may be a text: padding = "same". */
const IS_PADDING = /(?:^|[._])(?:auto_?)?pad(?:ding)?s?$/i;
const IS_NONE = /^(?:None|null|nothing|undefined)$/;

/** Reads one value after another, with or without names: w = np.array(…). */
export class Statements {
  private readonly literals: Literals;
  private readonly found: Collector;
  /** The text is a case file. */
  private whole: Contents | null = null;
  /** Whole numbers that may be the sizes of the next array, which then has the name of the sizes. */
  private sizes: readonly number[] | null = null;
  private hasSizes = false;
  /** The name of an output, from the command before it. */
  private pending = '';
  /** How often a name has one number. */
  private readonly single = new Map<string, number>();
  private counted = { at: 0, line: 1 };

  constructor(private readonly text: string) {
    this.literals = new Literals(text);
    this.found = new Collector(this.literals);
  }

  contents(): Contents {
    const { literals, found } = this;
    const { tensors } = found;
    while (literals.more()) {
      this.next();
      if (this.whole) return this.whole;
      if (tensors.length > FILE_LIMITS.tensors)
        throw new ReadError(`it contains more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
      // Pages of R begin with commas.
      while (literals.more() && !isAtRows(literals) && literals.match(/[;,]/y));
    }
    if (tensors.length === 0) throw new ReadError(this.hasSizes ? SIZES_ONLY : NO_NUMBERS);
    const many = [...this.single].find(([, count]) => count > 2);
    if (many) throw new ReadError(`${many[0]} occurs ${many[1]} times with one number each. Write them as one list`);
    const last = new Map(tensors.map((tensor, index) => [tensor.name || index, tensor]));
    const replaced = tensors.filter((tensor) => tensor.name !== '' && last.get(tensor.name) !== tensor);
    const names = [...new Set(replaced.map(({ name }) => name))];
    const twice = names.map((name) => `${name} occurs more than once. The last value is used.`);
    const notes = [...found.notes.slice(0, MOST_NOTES), ...twice];
    return opened([...last.values()], { notes, given: found.given });
  }

  /** Reads a statement. */
  private next(): void {
    const { literals } = this;
    const start = literals.at;
    const prompt = literals.match(PROMPT);
    if (prompt) {
      if (!prompt[0].startsWith('Out') && literals.more()) this.command();
    } else if (!literals.match(NO_VALUE)) {
      if (isAtRows(literals)) this.rows(this.pending, null);
      else this.labelled(start);
    }
  }

  private labelled(start: number): void {
    const { literals } = this;
    const label = this.label();
    const name = label?.name || this.pending;
    // A missing value is named as such.
    if (label && !literals.more()) literals.literal();
    if (label && isAtRows(literals)) {
      const mayBeTitles = label.isBare && label.isAbove && !isAtMatrix(literals);
      if (mayBeTitles) literals.at = start;
      this.rows(mayBeTitles ? '' : name, label);
    } else if (label || !this.skipsWords()) {
      this.pending = '';
      this.value(name, label, start);
    }
  }

  /** The label of the next value. Words above a label are no part of it. */
  private label(): Label | null {
    const { literals } = this;
    const label = labelAt(literals);
    if (!label || !literals.more() || isAtRows(literals)) return label;
    const at = literals.at;
    const inner = labelAt(literals);
    if (!inner) return label;
    if (label.isAbove || !inner.isBare) return { ...inner, name: inner.name || label.name };
    literals.at = at;
    return label;
  }

  private value(name: string, label: Label | null, start: number): void {
    const { literals, found } = this;
    const read = literals.literal();
    const record = start === skipSpace(this.text, 0) ? caseOf(read) : null;
    if (record) {
      if (literals.more()) throw literals.fault('there is more text after the case');
      this.whole = readCase(record, literals);
      return;
    }
    const value = read.kind === 'numbers' ? literals.after(literals.chained(read)) : read;
    literals.checkEnd();
    if (name.includes(',')) throw new ReadError(`“${name}” has several names. Write a statement for each array`);
    const isOne = value.kind === 'numbers' && !value.isArray && value.shape.length === 1 && value.shape[0] === 1;
    if (isOne && name === '' && literals.peek(/[^\S\n]+[[({A-Za-z]/y)) {
      const at = literals.text.lastIndexOf('[', literals.at);
      throw literals.fault('this may be a position or a value. Remove it, or give it a name', at);
    }
    if (value.kind === 'word' && IS_NONE.test(value.text) && name !== '') {
      found.notes.push(`${name} is ${value.text}.`);
    } else if (value.kind === 'text' && IS_PADDING.test(name)) {
      found.given.push(...argumentsIn(new Map([[name, value.text]])));
    } else if (value.kind !== 'numbers') {
      const isBeside = value.kind === 'sizes' && literals.peek(/[^\S\n,]+\S/y) !== null;
      if (isBeside) this.pending = name;
      this.take(isBeside ? '' : name, value);
    } else {
      const shape = label?.sizes ?? value.shape;
      // A flat list, or more braces than axes.
      const isFlat = value.shape.length === 1 && value.to - value.from === countOf(shape);
      if (!isFlat && !sameShape(withoutOnes(value.shape), withoutOnes(shape)))
        throw new ReadError(
          `${name} is declared with the sizes ${shapeText(shape)}, but has ${shapeText(value.shape)}`,
        );
      this.add(name, sameShape(value.shape, shape) ? value : { ...value, shape });
    }
  }

  /** Adds an array. Its sizes beside it are not another array. */
  private add(name: string, value: NumbersLiteral): void {
    const { literals } = this;
    const { tensors } = this.found;
    const isList = value.shape.length === 1 && !value.isArray && value.to - value.from <= FILE_LIMITS.rank;
    const numbers = isList ? literals.sizes(value) : null;
    const last = tensors.at(-1);
    if (name === '' && numbers && numbers.length > 1 && last && sameShape(last.shape, numbers)) return;
    const isOfSizes = name === '' && this.sizes !== null && sameShape(this.sizes, value.shape);
    const own = (isOfSizes ? tensors.pop()?.name : name) ?? '';
    this.take(own, value);
    this.sizes = numbers;
    if (value.shape.length === 0 && own !== '') this.single.set(own, (this.single.get(own) ?? 0) + 1);
  }

  private take(name: string, value: Literal): void {
    const count = this.found.tensors.length;
    this.found.add(name, value);
    this.hasSizes ||= this.found.tensors.length === count;
    this.sizes = null;
  }

  /** Reads rows of numbers below a label or on its line. */
  private rows(name: string, label: Label | null): void {
    const { literals, found } = this;
    const isBeside = label !== null && !label.isAbove;
    this.pending = '';
    if (isBeside && isAtOne(literals)) {
      this.value(name, label, literals.at);
      return;
    }
    const decimal = isBeside ? /^[+-]?\d+,\d+$/.exec(restOfLine(literals).trim()) : null;
    if (decimal)
      throw literals.fault(`“${decimal[0]}” is ambiguous. Use a point before decimals and a space after commas`);
    const read = readRows(literals, name !== '', this.lineNumber());
    if (label?.sizes) throw new ReadError(`${name} is declared with sizes. Put its numbers in brackets`);
    const { numbers, notes } = read;
    const shape = isBeside && read.shape.length === 2 && read.shape[0] === 1 ? read.shape.slice(1) : read.shape;
    found.tensors.push(arrayHeader(name || read.name, shape, 'decimal', () => numbers.floats()));
    found.notes.push(...notes);
    this.sizes = null;
  }

  private lineNumber(): number {
    const { at } = this.literals;
    const passed = this.text.slice(this.counted.at, at).split('\n').length - 1;
    this.counted = { at, line: this.counted.line + passed };
    return this.counted.line;
  }

  /** The input of an interpreter: an assignment is read, another line names its output or is skipped. */
  private command(): void {
    const { literals } = this;
    const start = literals.at;
    const line = restOfLine(literals);
    const name = COMMAND.exec(line)?.[1];
    if (name !== undefined) {
      literals.at += line.length;
      this.pending = name.replace(/\[["'](\w+)["']\]/, '.$1');
      return;
    }
    if (literals.match(NO_VALUE)) return;
    const found = labelAt(literals);
    const label = found?.isBare ? null : found;
    const skip = () => {
      literals.at = start + line.length;
      return literals.peek(AFTER_PROMPT) === null;
    };
    // Its result is printed below.
    if (!label && skip()) return;
    literals.at = start;
    if (label) labelAt(literals);
    const numbers = literals.numbers.length;
    try {
      this.value(label?.name ?? '', label, start);
    } catch (thrown) {
      const isLast = this.text.slice(start + line.length).trim() === '';
      if (!(thrown instanceof NotComputed) || isLast) throw thrown;
      literals.numbers.keep(numbers, numbers, numbers);
      skip();
    }
  }

  /** Skips a line of words. */
  private skipsWords(): boolean {
    const { literals } = this;
    const line = restOfLine(literals);
    if (!WORDS_ONLY.test(line) || !/\s|[:.]$/.test(line.trim())) return false;
    literals.at += line.length;
    if (!literals.more()) return true;
    this.found.notes.push(`Line ${this.lineNumber()} has no numbers and was skipped.`);
    return true;
  }
}
