import { FILE_LIMITS } from '../protocol/file-limits';
import type { NamedArgument } from '../protocol/judge';
import { argumentsIn } from './arguments';
import { caseOf, readCase } from './case';
import {
  arrayHeader,
  countOf,
  type FileContents,
  opened,
  type Refused,
  refusedBecause,
  shapeText,
  type TensorHeader,
} from './format';
import { type Label, labelAt } from './labels';
import { type NumbersLiteral, sameShape } from './lists';
import { Literals } from './literal';
import { skipSpace } from './number-text';
import { arraysOf, type FoundArrays, NO_NUMBERS, SIZES_ONLY } from './records';
import { isAtMatrix, isAtOne, isAtRows, readRows, restOfLine } from './rows';

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
  private readonly tensors: TensorHeader[] = [];
  private readonly notes: string[] = [];
  private readonly given: NamedArgument[] = [];
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
  }

  contents(): FileContents | Refused {
    const { literals, tensors } = this;
    while (literals.more()) {
      const found = this.next();
      if (found) return found;
      if (tensors.length > FILE_LIMITS.tensors)
        return refusedBecause(`it contains more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
      // Pages of R begin with commas.
      while (literals.more() && !isAtRows(literals) && literals.match(/[;,]/y));
    }
    if (tensors.length === 0) return refusedBecause(this.hasSizes ? SIZES_ONLY : NO_NUMBERS);
    const many = [...this.single].find(([, count]) => count > 2);
    if (many) return refusedBecause(`${many[0]} occurs ${many[1]} times with one number each. Write them as one list`);
    const last = new Map(tensors.map((tensor, index) => [tensor.name || index, tensor]));
    const replaced = tensors.filter((tensor) => tensor.name !== '' && last.get(tensor.name) !== tensor);
    const names = [...new Set(replaced.map(({ name }) => name))];
    const twice = names.map((name) => `${name} occurs more than once. The last value is used.`);
    const notes = [...this.notes.slice(0, MOST_NOTES), ...twice];
    return opened([...last.values()], { notes, given: this.given });
  }

  /** Reads a statement. Null: continue. */
  private next(): FileContents | Refused | null {
    const { literals } = this;
    const start = literals.at;
    const prompt = literals.match(PROMPT);
    if (prompt) return prompt[0].startsWith('Out') || !literals.more() ? null : this.command();
    if (literals.match(NO_VALUE)) return null;
    if (isAtRows(literals)) return this.rows(this.pending, null);
    const label = this.label();
    const name = label?.name || this.pending;
    if (label && !literals.more()) return this.missing();
    if (label && isAtRows(literals)) {
      const mayBeTitles = label.isBare && label.isAbove && !isAtMatrix(literals);
      if (mayBeTitles) literals.at = start;
      return this.rows(mayBeTitles ? '' : name, label);
    }
    if (!label && this.skipsWords()) return null;
    this.pending = '';
    return this.value(name, label, start);
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

  private missing(): Refused {
    this.literals.fail('a number or a bracket is missing at the end');
    return this.literals.refused('');
  }

  private value(name: string, label: Label | null, start: number): FileContents | Refused | null {
    const { literals } = this;
    const read = literals.literal();
    const record = read && start === skipSpace(this.text, 0) ? caseOf(read) : null;
    if (record) {
      if (!literals.more()) return readCase(record, literals);
      literals.fail('there is more text after the case');
    }
    const whole = read?.kind === 'numbers' ? literals.chained(read) : read;
    const value = whole?.kind === 'numbers' ? literals.after(whole) : whole;
    if (!value || !literals.ends()) return literals.refused('this could not be read');
    if (name.includes(',')) return refusedBecause(`“${name}” has several names. Write a statement for each array`);
    const isOne = value.kind === 'numbers' && !value.isArray && value.shape.length === 1 && value.shape[0] === 1;
    if (isOne && name === '' && literals.peek(/[^\S\n]+[[({A-Za-z]/y)) {
      literals.fail(
        'this may be a position or a value. Remove it, or give it a name',
        literals.text.lastIndexOf('[', literals.at),
      );
      return literals.refused('');
    }
    if (value.kind === 'word' && IS_NONE.test(value.text) && name !== '') {
      this.notes.push(`${name} is ${value.text}.`);
      return null;
    }
    if (value.kind === 'text' && IS_PADDING.test(name)) {
      this.given.push(...argumentsIn(new Map([[name, value.text]])));
      return null;
    }
    if (value.kind !== 'numbers') {
      const isBeside = value.kind === 'sizes' && literals.peek(/[^\S\n,]+\S/y) !== null;
      if (isBeside) this.pending = name;
      return this.take(arraysOf(isBeside ? '' : name, value, literals));
    }
    const sizes = label?.sizes;
    if (!sizes || sameShape(value.shape, sizes)) return this.add(name, value);
    // A flat list, or more braces than axes.
    const isFlat = value.shape.length === 1 && value.to - value.from === countOf(sizes);
    const isSame = sameShape(withoutOnes(value.shape), withoutOnes(sizes));
    if (isFlat || isSame) return this.add(name, { ...value, shape: sizes });
    return refusedBecause(`${name} is declared with the sizes ${shapeText(sizes)}, but has ${shapeText(value.shape)}`);
  }

  /** Adds an array. Its sizes beside it are not another array. */
  private add(name: string, value: NumbersLiteral): Refused | null {
    const { literals, tensors } = this;
    const isList = value.shape.length === 1 && !value.isArray && value.to - value.from <= FILE_LIMITS.rank;
    const numbers = isList ? literals.sizes(value) : null;
    const last = tensors.at(-1);
    if (name === '' && numbers && numbers.length > 1 && last && sameShape(last.shape, numbers)) return null;
    const isOfSizes = name === '' && this.sizes !== null && sameShape(this.sizes, value.shape);
    const own = (isOfSizes ? tensors.pop()?.name : name) ?? '';
    const refused = this.take(arraysOf(own, value, literals));
    if (refused) return refused;
    this.sizes = numbers;
    if (value.shape.length === 0 && own !== '') this.single.set(own, (this.single.get(own) ?? 0) + 1);
    return null;
  }

  private take(found: FoundArrays | Refused): Refused | null {
    if ('refusal' in found) return found;
    this.hasSizes ||= found.tensors.length === 0;
    for (const tensor of found.tensors) this.tensors.push(tensor);
    for (const note of found.notes) this.notes.push(note);
    this.given.push(...found.given);
    this.sizes = null;
    return null;
  }

  /** Reads rows of numbers below a label or on its line. */
  private rows(name: string, label: Label | null): FileContents | Refused | null {
    const { literals } = this;
    const isBeside = label !== null && !label.isAbove;
    this.pending = '';
    if (isBeside && isAtOne(literals)) return this.value(name, label, literals.at);
    const decimal = isBeside ? /^[+-]?\d+,\d+$/.exec(restOfLine(literals).trim()) : null;
    if (decimal) literals.fail(`“${decimal[0]}” is ambiguous. Use a point before decimals and a space after commas`);
    if (decimal) return literals.refused('');
    const read = readRows(literals, name !== '', this.lineNumber());
    if ('refusal' in read) return read;
    if (label?.sizes) return refusedBecause(`${name} is declared with sizes. Put its numbers in brackets`);
    const { numbers, notes } = read;
    const shape = isBeside && read.shape.length === 2 && read.shape[0] === 1 ? read.shape.slice(1) : read.shape;
    const values = () => numbers.floats(0, numbers.length, numbers.rounded);
    return this.take({ tensors: [arrayHeader(name || read.name, shape, 'decimal', values)], notes, given: [] });
  }

  private lineNumber(): number {
    const { at } = this.literals;
    const passed = this.text.slice(this.counted.at, at).split('\n').length - 1;
    this.counted = { at, line: this.counted.line + passed };
    return this.counted.line;
  }

  /** The input of an interpreter: an assignment is read, another line names its output or is skipped. */
  private command(): FileContents | Refused | null {
    const { literals } = this;
    const start = literals.at;
    const line = restOfLine(literals);
    const name = COMMAND.exec(line)?.[1];
    if (name !== undefined) {
      literals.at += line.length;
      this.pending = name.replace(/\[["'](\w+)["']\]/, '.$1');
      return null;
    }
    if (literals.match(NO_VALUE)) return null;
    const found = labelAt(literals);
    const label = found?.isBare ? null : found;
    const skip = () => {
      literals.at = start + line.length;
      return literals.peek(AFTER_PROMPT) === null;
    };
    // Its result is printed below.
    if (!label && skip()) return null;
    literals.at = start;
    if (label) labelAt(literals);
    const [numbers, tensors] = [literals.numbers.length, this.tensors.length];
    const refused = this.value(label?.name ?? '', label, start);
    const isComputation = refused && 'refusal' in refused && /is a computation/.test(refused.refusal.reason);
    if (!isComputation) return refused;
    const isLast = this.text.slice(start + line.length).trim() === '';
    if (isLast) return refused;
    literals.numbers.keep(numbers, numbers, numbers);
    this.tensors.length = tensors;
    literals.fault = null;
    skip();
    return null;
  }

  /** Skips a line of words. */
  private skipsWords(): boolean {
    const { literals } = this;
    const line = restOfLine(literals);
    if (!WORDS_ONLY.test(line) || !/\s|[:.]$/.test(line.trim())) return false;
    literals.at += line.length;
    if (!literals.more()) return true;
    this.notes.push(`Line ${this.lineNumber()} has no numbers and was skipped.`);
    return true;
  }
}
