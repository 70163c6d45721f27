import { FILE_LIMITS } from '../protocol/file-limits';
import { type FileContents, type Refused, refuse, type TensorHeader } from './format';
import { listedOf, opened } from './in-memory';
import { type Literal, Literals } from './literal';
import { readTable } from './table';
import { skipSpace } from './text-position';

/** Reads pasted text or a text file: a table, or brackets as printed by programs. */

const PROGRAM = /[[({<]|>>>|(?:In|Out) ?\[|[A-Za-z_][\w.]*\s*(?:\(|=|:|containing:)/y;
const PROMPT = />>>|(?:In|Out) ?\[\d*\]:/y;
const NAME = /[A-Za-z_][\w.]*\s*[=:](?!=)/y;

export function readText(text: string): FileContents | Refused {
  if (text.length > FILE_LIMITS.characters) {
    const most = FILE_LIMITS.characters.toLocaleString('en');
    return refuse(
      `the text has ${text.length.toLocaleString('en')} characters; the limit is ${most}. Save large arrays as .npy`,
    );
  }
  PROGRAM.lastIndex = skipSpace(text, 0);
  return PROGRAM.test(text) ? readStatements(text) : readTable(text);
}

/** Reads one value after another, with or without names: w = np.array(…). */
function readStatements(text: string): FileContents | Refused {
  const literals = new Literals(text);
  const tensors: TensorHeader[] = [];
  while (literals.more()) {
    const name = nameBefore(literals);
    const value = literals.literal();
    if (!value || !literals.ends())
      return { refusal: literals.fault ?? { reason: 'this could not be read', position: null } };
    const found = tensorsOf(name, value, literals);
    if ('refusal' in found) return found;
    tensors.push(...found);
    if (tensors.length > FILE_LIMITS.tensors)
      return refuse(`it contains more than ${FILE_LIMITS.tensors} tensors, which is the limit`);
    if (literals.more()) while (literals.take(';') || literals.take(',')) literals.more();
  }
  if (tensors.length === 0) return refuse('it contains no numbers');
  const last = new Map(tensors.map((tensor, index) => [tensor.name || index, tensor]));
  const replaced = tensors.filter((tensor) => tensor.name !== '' && last.get(tensor.name) !== tensor);
  const names = [...new Set(replaced.map(({ name }) => name))];
  return opened(
    [...last.values()],
    names.map((name) => `${name} occurs more than once. The last value is used.`),
  );
}

/** Skips Python prompts, "Parameter containing:" and "w ="; returns the name. */
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

/** The tensors of a value: the value itself, or the entries of a dictionary. */
export function tensorsOf(name: string, value: Literal, { numbers }: Literals): readonly TensorHeader[] | Refused {
  if (value.kind === 'numbers') {
    const tensor = listedOf(name, value, numbers);
    return 'refusal' in tensor ? tensor : [tensor];
  }
  if (value.kind !== 'record') return refuse(noNumbers(value));
  const tensors: TensorHeader[] = [];
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
  return text === '' ? 'it contains no numbers' : `“${text.slice(0, 40)}” is not a number`;
}
