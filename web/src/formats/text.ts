import { FILE_LIMITS } from '../protocol/file-limits';
import { type Listed, type Opened, type Refused, refuse } from './format';
import { listedOf, opened } from './in-memory';
import { type Literal, Literals } from './literal';
import { behindSpace } from './places';
import { readTable } from './table';

/** Text that was pasted, or a file of text: brackets as programs print them, or a table. */

const PROGRAM = /[[({<]|>>>|(?:In|Out) ?\[|[A-Za-z_][\w.]*\s*(?:\(|=|:|containing:)/y;
const PROMPT = />>>|(?:In|Out) ?\[\d*\]:/y;
const NAME = /[A-Za-z_][\w.]*\s*[=:](?!=)/y;

export function readText(text: string): Opened | Refused {
  if (text.length > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refuse(
      `the text has ${text.length.toLocaleString('en')} characters; at most ${most} are read: save more as .npy`,
    );
  }
  PROGRAM.lastIndex = behindSpace(text, 0);
  return PROGRAM.test(text) ? readStatements(text) : readTable(text);
}

/** One value after another, with or without names: w = np.array(…). */
function readStatements(text: string): Opened | Refused {
  const literals = new Literals(text);
  const tensors: Listed[] = [];
  while (literals.more()) {
    const name = nameBefore(literals);
    const value = literals.literal();
    if (!value) return { refusal: literals.fault ?? { reason: 'this could not be read', place: null } };
    const found = tensorsOf(name, value, literals);
    if ('refusal' in found) return found;
    tensors.push(...found);
    if (tensors.length > FILE_LIMITS.tensors) return refuse(`more than ${FILE_LIMITS.tensors} tensors are in it`);
    if (literals.more()) while (literals.take(';') || literals.take(',')) literals.more();
  }
  return tensors.length === 0 ? refuse('no numbers are in it') : opened(tensors);
}

/** Goes behind prompts of Python, "Parameter containing:" and "w =". */
function nameBefore(literals: Literals): string {
  while (literals.match(PROMPT)) literals.more();
  if (literals.match(/Parameter containing:/y)) return '';
  const start = literals.at;
  if (!literals.match(NAME)) return '';
  const end = literals.at;
  literals.at = start;
  const name = literals.word() ?? '';
  literals.at = end;
  return name;
}

/** The tensors of a value: itself, or a dictionary's. */
export function tensorsOf(name: string, value: Literal, { numbers }: Literals): readonly Listed[] | Refused {
  if (value.kind === 'numbers') {
    const tensor = listedOf(name, value, numbers);
    return 'refusal' in tensor ? tensor : [tensor];
  }
  if (value.kind !== 'record') return refuse(noNumbers(value));
  const tensors: Listed[] = [];
  for (const [key, entry] of value.entries) {
    if (entry.kind !== 'numbers') continue;
    const tensor = listedOf(key, entry, numbers);
    if ('refusal' in tensor) return tensor;
    tensors.push(tensor);
  }
  return tensors.length === 0 ? refuse('none of its entries is a list of numbers') : tensors;
}

function noNumbers(value: Literal): string {
  const text = value.kind === 'text' || value.kind === 'word' ? value.text : '';
  return text === '' ? 'no numbers are in it' : `“${text.slice(0, 40)}” is no number`;
}
