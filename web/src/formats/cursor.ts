import { ReadError } from './format';
import { skipSpace, textPositionAt } from './number-text';

/** "new" types of C++ and attributes of Python: torch::tensor, np.float32. */
const WORD = /[A-Za-z_](?:[\w.]|::(?=\w))*/y;
/** Two words after //, so that 7 // n of Python is no comment. */
const REMARK = /\/\/\s*[A-Za-z]+,?\s+[A-Za-z]/y;

/** A position in a text. */
export class Cursor {
  at = 0;

  constructor(readonly text: string) {}

  /** Skips spaces and comments; true if text is left. */
  more(): boolean {
    for (;;) {
      this.at = skipSpace(this.text, this.at);
      if (this.text[this.at] !== '/' || !this.isRemark()) return this.at < this.text.length;
      const isBlock = this.text[this.at + 1] === '*';
      const end = this.text.indexOf(isBlock ? '*/' : '\n', this.at + 2);
      this.at = end === -1 ? this.text.length : end + (isBlock ? 2 : 0);
    }
  }

  /** True if a comment of C begins here. After a value, // may be a division of Python. */
  isRemark(): boolean {
    if (this.text.startsWith('/*', this.at)) return true;
    if (!this.text.startsWith('//', this.at)) return false;
    let before = this.at - 1;
    while (this.text[before] === ' ' || this.text[before] === '\t') before -= 1;
    if (/[\n,;{[(]/.test(this.text[before] ?? '\n')) return true;
    REMARK.lastIndex = this.at;
    return REMARK.test(this.text);
  }

  /** Reads a word, or returns null. */
  word(): string | null {
    return this.match(WORD)?.[0] ?? null;
  }

  /** Skips a match of a sticky pattern. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** The match of a sticky pattern, which is not skipped. */
  peek(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  /** Skips these characters; true if they are here. */
  take(characters: string): boolean {
    if (!this.text.startsWith(characters, this.at)) return false;
    this.at += characters.length;
    return true;
  }

  /** An error at a position of the text, to be thrown. */
  fault(reason: string, at = this.at, Fault = ReadError): ReadError {
    return new Fault(reason, textPositionAt(this.text, at));
  }

  isQuote(): boolean {
    return this.text[this.at] === '"' || this.text[this.at] === "'";
  }

  quoted(): string {
    const start = this.at;
    const quote = this.text[start];
    let text = '';
    for (let at = start + 1; at < this.text.length; at += 1) {
      const character = this.text[at] ?? '';
      if (character === quote) {
        this.at = at + 1;
        return text;
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
    throw this.fault('the quotation mark is never closed', start);
  }

  /** Skips to the comma or bracket that ends this argument; false if the text ends before. */
  skipArgument(): boolean {
    let depth = 0;
    for (; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at] ?? '';
      if (this.isQuote()) {
        this.quoted();
        this.at -= 1;
      } else if (depth === 0 && /[,)\]}>]/.test(character)) {
        return true;
      } else if (/[([{<]/.test(character)) {
        depth += 1;
      } else if (/[)\]}>]/.test(character)) {
        depth -= 1;
      }
    }
    return false;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function escaped(text: string, at: number): string {
  const character = text[at] ?? '';
  if (character !== 'u') return ESCAPES[character] ?? character;
  return String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16) || 0xfffd);
}

export const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
