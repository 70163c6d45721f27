/** Numbers as people, spreadsheets and programs write them. */

const WORDS: Readonly<Record<string, number>> = {
  ...{ nan: Number.NaN, inf: Number.POSITIVE_INFINITY, infinity: Number.POSITIVE_INFINITY },
  ...{ true: 1, false: 0 },
};

export interface NumberAt {
  readonly value: number;
  /** A float32 cannot say it as it is written. */
  readonly rounded: boolean;
  /** Behind its last character. */
  readonly end: number;
}

const DECIMAL = /([+\-\u2212]?)(\d+\.?\d*|\.\d+)(?:[eE]([+\-\u2212]?\d+))?/y;
const WORD = /([+\-\u2212]?)(?:(?:np|numpy|torch|math|jnp|tf)\.)?(nan|inf|infinity|true|false)(?![\w.(])/iy;

/** The number that begins at `at`, or null. */
export function numberAt(text: string, at: number): NumberAt | null {
  const small = smallAt(text, at);
  if (small) return small;
  DECIMAL.lastIndex = at;
  const match = DECIMAL.exec(text);
  if (!match) return wordAt(text, at);
  const [, sign = '', digits = '', exponent] = match;
  const size = Number(exponent === undefined ? digits : `${digits}e${exponent.replace('\u2212', '-')}`);
  const value = sign === '' || sign === '+' ? size : -size;
  return { value, rounded: isRounded(value, digits, exponent), end: DECIMAL.lastIndex };
}

/** A whole number of up to seven digits: most are, and this is four times as fast as a pattern. */
function smallAt(text: string, at: number): NumberAt | null {
  const negative = text.charCodeAt(at) === 45;
  const first = negative ? at + 1 : at;
  let value = 0;
  let end = first;
  let code = text.charCodeAt(end);
  while (code >= 48 && code <= 57 && end - first < 8) {
    value = value * 10 + code - 48;
    end += 1;
    code = text.charCodeAt(end);
  }
  // A point or an e makes another number of it.
  if (end === first || end - first === 8 || code === 46 || code === 69 || code === 101) return null;
  return { value: negative ? -value : value, rounded: false, end };
}

/**
 * Nine digits tell every float32 from every other, so that a text with so many says all that it can have said; 0.1 is as
 * much a tenth in float32 as in float64. Whole numbers and longer ones are taken at their word.
 */
function isRounded(value: number, digits: string, exponent: string | undefined): boolean {
  if (Math.fround(value) === value) return false;
  if (!Number.isFinite(Math.fround(value))) return true;
  if (digits.length > 10 && digits.replace('.', '').replace(/^0+/, '').length > 9) return true;
  return exponent === undefined && !digits.includes('.');
}

function wordAt(text: string, at: number): NumberAt | null {
  WORD.lastIndex = at;
  const match = WORD.exec(text);
  if (!match) return null;
  const size = WORDS[(match[2] ?? '').toLowerCase()] ?? 0;
  const value = match[1] === '' || match[1] === '+' ? size : -size;
  return { value, rounded: false, end: WORD.lastIndex };
}

/** The fewest digits that give exactly this float32 back, to whoever reads them as a double first. */
export function floatText(value: number): string {
  // Python takes -0 for the whole number 0.
  if (Object.is(value, -0)) return '-0.0';
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  for (const digits of [6, 7, 8]) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}
