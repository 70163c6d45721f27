import { FILE_LIMITS } from '../protocol/file-limits';
import { isCase, readCase } from './case';
import { cleaned } from './clean';
import { type FileContents, listed, opened, type Refused, refuse, type TensorHeader } from './format';
import { labelAt, type Label } from './labels';
import { type NumbersLiteral, sameShape } from './lists';
import { Literals } from './literal';
import { isMatrixLine, readMatrix } from './matrix';
import { numberAt, skipSpace } from './number-text';
import { type Arrays, arraysOf, NO_NUMBERS, SIZES_ONLY } from './records';
import { readTable } from './table';

/** Reads pasted text or a text file: a table, or names and values as programs print them or have them in their source. */

const PROGRAM = /[[({<]|>>|#Nx|(?:In|Out) ?\[|[\p{L}_][\w.]*\s*(?:\(|=|:)/uy;
/** Brackets or names anywhere: not a table. */
const HAS_VALUES = /[[({<=⎡]|^[^\n"]*:[^\S\n]*$|^\s*\d+:\s/m;
/** A name before a number: print("db", db). */
const NAMED = /^\s*[\p{L}_][\w.]*[^\S\n]+[+\-\u2212\u2013]?\.?\d[\d.eE+-]*[^\S\n]*$/mu;
const PROMPT = /(?:>>>|>>|julia>|octave:\d+>|>(?=[^\S\n])|In ?\[\d*\]:|Out\[\d*\]:)[^\S\n]*/y;
const IS_OUTPUT = /^Out/;
/** Statements without values. */
const NO_VALUE =
  /(?:(?:import|from|using|use|package|library|require|include)\b(?![^\S\n]*[=:[])[^\n;]*|(?:[\w.]*\.)?(?:seed|set_printoptions|manual_seed)\([^\n]*\)|format[^\S\n]+(?:long|short)\w*|(?:const|let|var)[^\n=]*=[^\S\n]*(?:await[^\S\n]+)?require\([^\n;]*|(?:print|disp|display|console\.log|println!?)\(["'\w., ]*\)|(?:clc|clear|close all)\b|[▶▼]?[^\S\n]*\w*Array\(\d+\)(?:[^\S\n]*\[[^\n]*\])?(?=\s*\n\s*0:))[^\S\n]*;?/y;
const COMMAND = /(?:(?:print|disp|display)\()?([A-Za-z_][\w.]*(?:\[["']\w+["']\])?)\)?;?[^\S\n]*$/;
const WORDS_ONLY = /[\p{L}][\p{L}\s.,:;!?'’“”"-]*$/u;
const NEXT_PROMPT = /\n\s*(?:>>>|>>|julia>|octave:\d+>|>\s|In ?\[)|\n?\s*$/y;

export function readText(text: string): FileContents | Refused {
  if (text.length > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refuse(
      `the text has ${text.length.toLocaleString('en')} characters; the limit is ${most}. Save large arrays as .npy`,
    );
  }
  const clean = cleaned(text);
  PROGRAM.lastIndex = skipSpace(clean, 0);
  const lines = clean.split('\n');
  const isTable = !PROGRAM.test(clean) && !HAS_VALUES.test(clean) && !NAMED.test(clean) && !lines.some((line) => isMatrixLine(line.trim()));
  if (!isTable) return new Statements(clean).contents();
  const table = readTable(lines);
  if ('refusal' in table) return table;
  const { name, shape, numbers, notes } = table;
  const read = () => numbers.floats(0, numbers.length, numbers.rounded);
  return opened([listed(name, shape, 'decimal', read)], { notes });
}

/** Reads one value after another, with or without names: w = np.array(…). */
class Statements {
  private readonly literals: Literals;
  private readonly tensors: TensorHeader[] = [];
  private readonly notes: string[] = [];
  /** Lists of whole numbers, which may be the sizes of the array beside them. */
  private sizes: { readonly numbers: readonly number[]; readonly index: number } | null = null;
  private sizesOnly = 0;
  /** The name of an output, from the command before it. */
  private pending = '';
  private scalars = new Map<string, number>();

  constructor(private readonly text: string) {
    this.literals = new Literals(text);
  }

  contents(): FileContents | Refused {
    const { literals, tensors } = this;
    while (literals.more()) {
      const refused = this.next();
      if (refused) return 'refusal' in refused ? refused : refused;
      if (tensors.length > FILE_LIMITS.tensors)
        return refuse(`it contains more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
      if (literals.more()) while (literals.take(';') || literals.take(',')) literals.more();
    }
    if (tensors.length === 0) return refuse(this.sizesOnly > 0 ? SIZES_ONLY : NO_NUMBERS);
    const many = [...this.scalars].find(([, count]) => count > 2);
    if (many) return refuse(`${many[0]} occurs ${many[1]} times with one number each. Write them as one list`);
    const last = new Map(tensors.map((tensor, index) => [tensor.name || index, tensor]));
    const replaced = tensors.filter((tensor) => tensor.name !== '' && last.get(tensor.name) !== tensor);
    const names = [...new Set(replaced.map(({ name }) => name))];
    const twice = names.map((name) => `${name} occurs more than once. The last value is used.`);
    return opened([...last.values()], { notes: [...this.notes, ...twice] });
  }

  /** Reads a statement. Null: go on. */
  private next(): FileContents | Refused | null {
    const { literals } = this;
    const start = literals.at;
    const prompt = literals.match(PROMPT);
    if (prompt) {
      if (IS_OUTPUT.test(prompt[0]) || !literals.more()) return null;
      return this.command();
    }
    if (literals.match(NO_VALUE)) return null;
    if (this.isAtRows()) return this.rows('', false);
    const label = labelAt(literals);
    const name = label?.name || this.pending;
    this.pending = '';
    if (label && !literals.more()) return literals.refused(atEnd(literals));
    if (label?.isAbove) literals.more();
    if (label?.isBare && label.isAbove && this.isAtRows() && !this.isMatrix()) {
      literals.at = start;
      return this.rows('', false);
    }
    if (label && this.isAtRows()) return this.rows(name, !label.isAbove, label);
    if (!label && this.skipsWords()) return null;
    return this.value(name, label, start);
  }

  private value(name: string, label: Label | null, start: number): FileContents | Refused | null {
    const { literals } = this;
    const read = literals.literal();
    if (read?.kind === 'record' && isCase(read) && start === skipSpace(this.text, 0)) {
      if (literals.more()) return literals.refused('there is more text after the case');
      return readCase(read, literals);
    }
    const whole = read?.kind === 'numbers' ? literals.chained(read) : read;
    const value = whole?.kind === 'numbers' ? literals.after(whole) : whole;
    if (!value || !literals.ends()) return literals.refused('this could not be read');
    if (value.kind === 'word' && /^(?:None|null|nothing|undefined)$/.test(value.text) && name !== '') {
      this.notes.push(`${name} is ${value.text}.`);
      return null;
    }
    if (label?.sizes && value.kind === 'numbers') {
      const count = label.sizes.reduce((product, size) => product * size, 1);
      const isFlat = value.shape.length === 1 && value.to - value.from === count;
      if (!isFlat && !sameShape(value.shape, label.sizes)) {
        return refuse(`${name} is declared with the sizes [${label.sizes.join(', ')}], but has [${value.shape.join(', ')}]`);
      }
      return this.add(name, { ...value, shape: label.sizes });
    }
    if (value.kind === 'numbers') return this.add(name, value);
    return this.take(arraysOf(name, value, literals));
  }

  /** Adds an array. Sizes beside it are not another array. */
  private add(name: string, value: NumbersLiteral): Refused | null {
    const { literals, tensors } = this;
    const isSizes = value.shape.length === 1 && !value.isArray && value.to - value.from <= FILE_LIMITS.rank;
    const numbers = isSizes ? literals.sizes(value) : null;
    const last = tensors.at(-1);
    if (numbers && numbers.length > 1 && name === '' && last && sameShape(last.shape, numbers)) return null;
    const before = this.sizes;
    this.sizes = null;
    let own = name;
    if (before && before.index === tensors.length - 1 && name === '' && sameShape(before.numbers, value.shape)) {
      own = tensors.pop()?.name ?? '';
    }
    const refused = this.take(arraysOf(own, value, literals));
    if (refused) return refused;
    if (numbers) this.sizes = { numbers, index: tensors.length - 1 };
    if (value.shape.length === 0 && own !== '') this.scalars.set(own, (this.scalars.get(own) ?? 0) + 1);
    return null;
  }

  private take(found: Arrays | Refused): Refused | null {
    if ('refusal' in found) return found;
    if (found.tensors.length === 0) this.sizesOnly += 1;
    this.tensors.push(...found.tensors);
    this.notes.push(...found.notes);
    return null;
  }

  /** The rest of this line. */
  private line(from = this.literals.at): string {
    const end = this.text.indexOf('\n', from);
    return this.text.slice(from, end === -1 ? undefined : end);
  }

  /** True at a line of numbers or of the print of a matrix. */
  private isAtRows(): boolean {
    const { literals } = this;
    const line = this.line().trim();
    if (isMatrixLine(line)) return true;
    if (!/[\d.+\-\u2212\u2013nNiI]/.test(line[0] ?? '') || line.startsWith('...')) return false;
    const first = numberAt(this.text, literals.at);
    const next = this.text[first?.end ?? 0] ?? '';
    return first !== null && !/[\w(]/.test(next);
  }

  private isMatrix(): boolean {
    return isMatrixPrint(this.text.slice(this.literals.at));
  }

  /** Reads rows of numbers. `isBeside`: they begin on the line of their name. */
  private rows(name: string, isBeside: boolean, label: Label | null = null): Refused | null {
    const { literals, text } = this;
    if (isBeside) {
      const [inside = ''] = this.line().split(/;|#|\/\/|[^\d\s.,eE+\-\u2212\u2013naifNI]/);
      const cells = inside.trim().split(/[\s,]+/).filter(Boolean);
      const isOne = cells.length === 1 || this.line().trim() !== inside.trim();
      const below = this.line(literals.at + this.line().length + 1).trim();
      if (isOne && (!isNumbers(below) || inside.trim() !== this.line().trim())) return this.scalarOf(name, label);
    }
    const lineStart = text.lastIndexOf('\n', literals.at - 1) + 1;
    const firstLine = text.slice(0, literals.at).split('\n').length;
    const lines: string[] = [' '.repeat(literals.at - lineStart) + this.line()];
    const rest = text.slice(lineStart + (lines[0]?.length ?? 0) + 1);
    const isMatrix = this.isMatrix();
    const isIndented = /^\s/.test(text.slice(lineStart));
    for (const line of rest === '' ? [] : rest.split('\n')) {
      if (!isMatrix && !isRow(line, lines[0] ?? '')) break;
      lines.push(isIndented ? line.replace(/^\t+/, (tabs) => ' '.repeat(tabs.length)) : line);
    }
    if (!isMatrix) while (lines.at(-1)?.trim() === '') lines.pop();
    const table = isMatrix ? readMatrix(lines, firstLine) : readTable(lines.map(withoutEnd), firstLine, name !== '');
    if ('refusal' in table) return table;
    const used = 'lines' in table ? lines.slice(0, table.lines) : lines;
    literals.at = Math.min(lineStart + used.join('\n').length, text.length);
    this.notes.push(...table.notes);
    const isList = isBeside && table.shape[0] === 1 && table.shape.length === 2;
    const shape = isList ? table.shape.slice(1) : table.shape;
    const { numbers } = table;
    const own = name || table.name || this.pending;
    this.pending = '';
    if (label?.sizes) return refuse(`${name} is declared with sizes. Put its numbers in brackets`);
    this.tensors.push(listed(own, shape, 'decimal', () => numbers.floats(0, numbers.length, numbers.rounded)));
    this.sizes = null;
    return null;
  }

  private scalarOf(name: string, label: Label | null): Refused | null {
    const refused = this.value(name, label, this.literals.at);
    return refused && 'refusal' in refused ? refused : null;
  }

  /** The input of an interpreter: an assignment is read, another line names its output or is skipped. */
  private command(): FileContents | Refused | null {
    const { literals } = this;
    const start = literals.at;
    const line = this.line();
    const end = start + line.length;
    const [, name] = COMMAND.exec(line)?.index === 0 ? (COMMAND.exec(line) ?? []) : [];
    literals.at = end;
    const isLast = literals.peek(NEXT_PROMPT) !== null;
    if (name !== undefined) {
      this.pending = name.replace(/\[["'](\w+)["']\]/, '.$1');
      return null;
    }
    literals.at = start;
    if (literals.match(NO_VALUE)) return null;
    const label = labelAt(literals);
    if (!label && !isLast) {
      literals.at = end;
      return null;
    }
    if (label) literals.more();
    const kept = [literals.numbers.length, this.tensors.length] as const;
    const refused = this.value(label?.name ?? '', label, start);
    const isComputed = refused && 'refusal' in refused && /computation/.test(refused.refusal.reason);
    if (!isComputed || this.text.slice(end).trim() === '') return refused;
    // Its result is printed below, or not at all.
    literals.numbers.keep(kept[0], kept[0], kept[0]);
    this.tensors.length = kept[1];
    literals.fault = null;
    literals.at = end;
    return null;
  }

  /** Skips a line of words. */
  private skipsWords(): boolean {
    const { literals } = this;
    const line = this.line();
    if (!WORDS_ONLY.test(line) || (WORDS_ONLY.exec(line)?.index ?? -1) !== 0) return false;
    if (!/\s|[:.]$/.test(line.trim()) || literals.at + line.length >= this.text.trimEnd().length) return false;
    literals.at += line.length;
    this.notes.push(`Line ${this.text.slice(0, literals.at).split('\n').length} has no numbers and was skipped.`);
    return true;
  }
}

const atEnd = (literals: Literals): string => {
  literals.fail('a number or a bracket is missing at the end');
  return '';
};

const isNumbers = (line: string): boolean => {
  const cells = line.split(/[\s,;]+/).filter(Boolean);
  return cells.length > 0 && cells.every((cell) => numberAt(cell, 0)?.end === cell.length);
};

/** A row of numbers, or an empty line between rows. A row with a fault in it is a row: the table says the fault. */
function isRow(line: string, first: string): boolean {
  const trimmed = line.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return true;
  if (isNumbers(trimmed) || /^(?:[^=:]*, )?dtype: \w+$|^\[\d+ rows x \d+ columns\]$/.test(trimmed)) return true;
  if (/^\d+:\s/.test(first.trim())) return /^\d+:\s/.test(trimmed);
  const number = numberAt(trimmed, 0);
  return number !== null && /[\s,;]/.test(trimmed[number.end] ?? ' ');
}

/** MATLAB ends statements with ";". */
const withoutEnd = (line: string): string => line.replace(/;\s*$/, '');

/** True if a line of a matrix comes before the rows end. */
function isMatrixPrint(rest: string): boolean {
  let from = 0;
  while (from < rest.length) {
    const end = rest.indexOf('\n', from);
    const line = rest.slice(from, end === -1 ? undefined : end).trim();
    if (isMatrixLine(line) || /^\[ ?(?:\w+\[)?\w+Type\]?\{|^\[torch\.[\w.]+ of /.test(line)) return true;
    if (line !== '' && !isNumbers(line)) return false;
    if (end === -1) return false;
    from = end + 1;
  }
  return false;
}
