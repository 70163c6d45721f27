import type { Cursor } from './cursor';
import { sizesIn } from './forms';

/** Names before values: w = …, x.grad: …, print("dw", dw), and declarations of programs. */

export interface Label {
  readonly name: string;
  /** Sizes of a declaration: float w[2][2]. */
  readonly sizes: readonly number[] | null;
  /** True if the value is on the next line. */
  readonly isAbove: boolean;
  /** True without ":" and "=": a line of words above rows may be the titles of their columns. */
  readonly isBare: boolean;
}

const SPACES = '[^\\S\\n]';
const WORD = "[\\p{L}_$%∂∇][\\p{L}\\w.$%∂∇/'’^-]{0,60}";
/** Up to eight words, then a key or a remark: grads['dw'], dw (analytic). */
const NAME = `${WORD}(?:${SPACES}+${WORD}|${SPACES}+\\d+(?=${SPACES}*:)){0,8}?(?:\\[[^\\]\\n,]{0,30}\\])?(?:${SPACES}+\\([^()[\\]{}\\n=]{0,40}\\))?`;
/** A bracket, a call, or the words of a form. */
const VALUE =
  '(?:[[{<]|\\((?=[\\s(]*(?:[[<]|(?:[\\w.]*\\.)?(?:tensor|array|Array)\\())|\\(\\d+(?:, ?\\d+){0,8},?\\)\\s*(?=[[a-zA-Z<])|(?:new )?[A-Za-z_][\\w.:]*!?(?:\\(|\\[|\\{)|Parameter containing:|Tensor\\s*\\n)';
const NUMBER = '[+\\-\\u2212\\u2013]?(?:\\d|\\.\\d|(?:nan|inf|NaN|Inf|None)\\b)';

const EQUALS = /([\p{L}_$%∂∇](?:[^\n=;{}()#]|;(?= ?\d+\])){0,160}?)[^\S\n]*(?::=|=)(?![=>])/uy;
/** std::vector<float> w{1, 2} */
const BRACED = /([A-Za-z_][^\n=;{}()#]{0,160}?)\s*(?=\{)/y;
const COLON = new RegExp(`("[^"\\n]{1,60}"|'[^'\\n]{1,60}'|${NAME})${SPACES}*:(?![:=])`, 'uy');
const BESIDE = new RegExp(`(${WORD}(?:${SPACES}+${WORD}){0,4}?)${SPACES}+(?=${VALUE}|${NUMBER})`, 'uy');
const ABOVE = new RegExp(`(${NAME})${SPACES}*\\n`, 'uy');
const REST = new RegExp(`${SPACES}*(?:#[^\\n]*)?\\n`, 'y');
/** Words that begin a computation. */
const IS_PROGRAM =
  /^(?:return|yield|await|lambda|not|if|for|while|def|class|else|elif|with|print|assert|raise|del|in)\b/;
/** Not names: words around a value. */
const IS_NO_NAME = /^(?:ans|torch_tensor|array|Parameter containing|Out|Tensor)$/;

/** Types and modifiers before the name of a declaration. */
const IS_TYPE = new RegExp(
  '^(?:export|public|private|protected|static|final|const|constexpr|inline|extern|volatile|let|var|val|mut|auto|global|' +
    'local|real|integer|unsigned|signed|(?:\\w+::|\\w+\\.)*(?:float|double|int|long|short|char|bool|half|size_t|' +
    'u?int\\d*_t|[fiu]\\d+|\\w*(?:Array|Vector|Matrix|Tensor|Mat|array|vector|matrix|tensor)\\w*))(?:\\[[\\d,]*\\])*[*&]*$',
);

/** Skips a label, if there is one here. */
export function labelAt(cursor: Cursor): Label | null {
  const start = cursor.at;
  const end = (found: RegExpExecArray | null, read: (text: string) => Label | null): Label | null => {
    const label = found && !IS_PROGRAM.test(found[1] ?? '') ? read((found[1] ?? '').trim()) : null;
    if (!label) cursor.at = start;
    return label && { ...label, isAbove: cursor.peek(REST) !== null };
  };
  return (
    end(cursor.match(EQUALS), declared) ??
    end(cursor.match(BRACED), (left) => (/\s/.test(left) ? declared(left, true) : null)) ??
    end(cursor.match(COLON), labelOf) ??
    end(cursor.match(BESIDE), bareOf) ??
    end(cursor.match(ABOVE), (text) => (isFollowed(cursor) ? bareOf(text) : null))
  );
}

const labelOf = (name: string, sizes: Label['sizes'] = null): Label => ({
  name: cleaned(name),
  sizes,
  isAbove: false,
  isBare: false,
});
const bareOf = (name: string): Label => ({ ...labelOf(name), isBare: true });

const AHEAD = new RegExp(`\\s*(?:${VALUE}|${NUMBER}|\\(\\d+ ?,)`, 'y');

/** True if a value follows a line that is only a name. */
function isFollowed(cursor: Cursor): boolean {
  // The label above has skipped its newline.
  cursor.at -= 1;
  return cursor.peek(AHEAD) !== null;
}

/** grads['dw'] is grads.dw; "w" is w. */
function cleaned(text: string): string {
  const name = text
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/\[["']([^"']*)["']\]/g, '.$1')
    .replace(/\s+Parameter containing$/, '')
    // dw (2, 2), dw (shape 2x2)
    .replace(/[\s,]*(?:shape|size)?[\s:]*\((?:shape|size)?[\s:]*\d+(?:[x, ]+\d+)*,?\)$/, '')
    .replace(/\s+/g, ' ')
    .replace(/^[$%](?=[A-Za-z])/, '');
  return IS_NO_NAME.test(name) ? '' : name;
}

/** The name of a declaration or an assignment; null if the text before "=" is none. */
function declared(left: string, isTyped = false): Label | null {
  const label = (name: string, dims = ''): Label => {
    const sizes = sizesIn(dims);
    const isWhole = sizes.length > 0 && sizes.length === (dims.match(/\[/g) ?? []).length;
    return labelOf(name, isWhole ? sizes : null);
  };
  let text = left;
  for (let shorter = ''; shorter !== text; ) [shorter, text] = [text, text.replace(/<[^<>]*>/g, '')];
  // w: np.ndarray, let w: [[f32; 2]; 2], var w [2][2]float32
  const typed = /^(?:(?:export|const|let|var|val|mut)\s+)*([\p{L}_]\w*)\s*:\s*[\p{L}_[&(]/u.exec(left);
  if (typed) return label(typed[1] ?? '');
  const go = /^var\s+(\w+)\s+(?=[[\w])/.exec(text);
  if (go) return label(go[1] ?? '');
  const found = /^(.*?)([\p{L}_$%∂∇][\p{L}\w.$∂∇/-]*)((?:\s*\[[^\]\n]*\])*)(\s*\([^()]*\))?$/u.exec(text.trim());
  if (!found) return null;
  const [, before = '', name = '', keys = ''] = found;
  const words = before.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return isTyped ? null : label(name + keys, '');
  if (words.every((word) => IS_TYPE.test(word))) {
    // std::array<std::array<float, 3>, 2> has the last axis first.
    const inside = !/(?:^|[\s:<])array</.test(left)
      ? []
      : [...left.matchAll(/,\s*(\d+)\s*>/g)].map(([, size]) => `[${size}]`);
    return label(name, keys || inside.reverse().join(''));
  }
  return isTyped || /[[\]<>]/.test(text) ? null : label(text);
}
