import { type Field, LINK_LIMITS } from '../../../../web/src/link/field';
import { FIELDS } from '../../../../web/src/link/fields';
import '../../../../web/src/link/network-fields';
import { LOOK_FIELDS } from '../../../../web/src/link/look-fields';
import { parseLink } from '../../../../web/src/link/parse-link';
import { INPUT_FIELDS, SIZE_FIELDS } from '../../../../web/src/link/problem-fields';
import { MOST_VALUES } from '../../../../web/src/link/text';
import { MODES } from '../../../../web/src/look/look';
import { MOST_LAYERS } from '../../../../web/src/protocol/layers';
import { COUNTS } from '../../../../web/src/protocol/problem';
import { PARTS, SIZE_PARTS, SIZES as SIZE_TABLE, type Size } from '../../../../web/src/protocol/size-table';
import { VIEWS } from '../../../../web/src/views/list';
import {
  code,
  type Described,
  INPUTS,
  LOOK,
  LOSSES,
  PART_NAMES,
  SETTINGS,
  SIZES,
  TENSOR_SOURCES,
} from './descriptions';

/** docs/links.md, from the tables of fields and their descriptions. */

export const NETWORK_EXAMPLE =
  'h=12&layers=4&layer.1=conv;kh:3;weights:random:2&layer.2=relu&layer.3=max_pool;kernel:2&layer.4=conv;kh:3;weights:random:3&dy=mse:0';

export const SHORT_EXAMPLE = 'h=12&kh=3&layer.2=relu';

/** Fields of the views have a prefix as key, and a table of their own. */
const isPrefix = ({ key }: Field): boolean => key.endsWith('.');
export const PLAIN_FIELDS: readonly Field[] = FIELDS.filter((field) => !isPrefix(field));

/** The description of a field; throws for a field without one. */
export function describedAs(key: string): Described {
  const found = SIZES[key] ?? INPUTS[key] ?? LOOK[key];
  if (!found) throw new Error(`describe the field ${key} in tests/web/link/reference/descriptions.ts`);
  return found;
}

/** A problem of 4 cells of x, w and y: most examples are read with it. */
export const SMALL = 'h=2&kh=1';

/** A link with a field; the text of the value is encoded. */
export function linkWith({ example, beside }: Pick<Described, 'example' | 'beside'>): string {
  const [key, text = ''] = example.split(/=(.*)/s);
  return [...(beside === undefined ? [] : [beside]), `${key}=${encodeURIComponent(text)}`].join('&');
}

/** Texts that a field may refuse. */
const REFUSED = ['%3F', '', '?'.repeat(1001)];

/** What the field must be, as its refusal says; null if it accepts every text. */
export function refusalOf(key: string): string | null {
  const complaints = REFUSED.flatMap((text) => parseLink(`v=2&${key}=${text}`).complaints);
  return complaints.map((sentence) => /but must be (.*); it was ignored\.$/.exec(sentence)?.[1]).find(Boolean) ?? null;
}

/** "1 to 32", as the tables of sizes say. */
function limitsOf(key: string): string | null {
  const count = COUNTS.find((name) => name === key);
  const part = SIZE_PARTS.find((name) => {
    const { link }: { readonly link: Size['link'] } = PARTS[name];
    return link.key === key || link.read === key;
  });
  const limits = count ? SIZE_TABLE[count] : part && PARTS[part];
  return limits ? `${limits.lowest} to ${limits.most}` : null;
}

function valuesOf(key: string, { values }: Described): string {
  if (values !== undefined) return values;
  const limits = limitsOf(key);
  return `${refusalOf(key)}${limits === null ? '' : `; ${limits}`}`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** In a cell of a table. */
const cellOf = (text: string): string => text.replaceAll('|', '\\|');

const fieldTable = (fields: readonly Field[]): string =>
  table(
    ['field', 'meaning', 'value', 'default', 'example'],
    fields
      .filter((field) => !isPrefix(field))
      .map(({ key, also = [] }) => {
        const described = describedAs(key);
        return [
          [key, ...also].map(code).join(', '),
          described.meaning,
          cellOf(valuesOf(key, described)),
          described.initial === null ? (described.without ?? '') : code(described.initial),
          code([described.example, ...(described.beside ? [described.beside] : [])].join('&')),
        ];
      }),
  );

const sourceTable = (sources: typeof TENSOR_SOURCES | typeof LOSSES): string =>
  table(
    ['source', 'values', 'example'],
    Object.entries(sources).map(([, { meaning, examples }]) => {
      const words = new Set(examples.map((example) => example.split('=')[1]?.split(/[:~]/)[0] ?? ''));
      return [[...words].map(code).join(', '), meaning, examples.map(code).join(', ')];
    }),
  );

const settingsTable = (): string =>
  table(
    ['field', 'tab', 'value', 'default'],
    MODES.flatMap((mode) =>
      Object.entries(SETTINGS[mode]).map(([name, [values, initial]]) => [
        code(`${mode}.${name}`),
        VIEWS.find(({ id }) => id === mode)?.title ?? '',
        values,
        initial,
      ]),
    ),
  );

export const documentText = (): string => `\
# Links

The state of the page is the text after the "#" of its address: fields, each \`name=value\`, joined by "&". **Copy link**
writes it. Frames read the same fields ([embedding.md](embedding.md)). \`h=5&kh=3&stride=2&padding=1&mode=dx\` is a complete link.

- The order of fields has no effect. A missing field has its default, and defaults never change.
- \`v=2\` is the version. Without it, the link counts as typed by hand.
- Encode values as in every URL: "&", "%" and "#" in a value become \`%26\`, \`%25\` and \`%23\`.
- An unknown field, or a value that is not valid, is ignored, and the page says so. Sizes that do not fit together, more
  than ${LINK_LIMITS.characters.toLocaleString('en')} characters or ${LINK_LIMITS.parts} fields: the link is not opened.

This document is made from the tables of fields in \`web/src/link\`. A test compares the two, and opens every example.

## Sizes

A pair \`2x1\` is rows, then columns; one number sets both.

${fieldTable(SIZE_FIELDS)}

## Values

${fieldTable(INPUT_FIELDS)}

A source of \`x\`, \`weights\` or \`bias\`:

${sourceTable(TENSOR_SOURCES)}

A source of \`dy\`:

${sourceTable(LOSSES)}

### Your own values

Write a source, "~", a type, ".", and the values as base64url without "=": \`x=brought~f32.AACAPwAAAEAAAEBAAACAQA\` is 1, 2, 3, 4.

- Types: \`f32\` (32-bit floats), \`i16\` and \`i8\` (whole numbers), all little-endian.
- The number of values is that of the cells. Their order is row-major in the axes of \`layout\`:

| array | \`layout=nhwc\` | \`layout=nchw\` |
| --- | --- | --- |
| \`x\` | \`[n, h, w, c]\` | \`[n, c, h, w]\` |
| \`weights\` | \`[kh, kw, c / groups, k]\` | \`[k, c / groups, kh, kw]\` |
| \`bias\` | \`[k]\` | \`[k]\` |
| \`dy\` | \`[n, oh, ow, k]\` | \`[n, k, oh, ow]\` |

- Before values, a source other than \`file\` and \`brought\` counts as edited: a resize gives new cells its values, instead of 0.
- **Copy link** compresses values; their type then ends with "z", as in \`f32z\`. The page writes at most ${MOST_VALUES.toLocaleString('en')} values of an
  array without compression. \`~omitted\` marks values that were too many.

In Python:

\`\`\`python
import base64
import numpy as np

def link_values(array):
    data = np.ascontiguousarray(array, dtype="<f4").tobytes()
    return "f32." + base64.urlsafe_b64encode(data).decode().rstrip("=")

x = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
print("h=4&kh=3&x=brought~" + link_values(x))
\`\`\`

## Networks

A network has at most ${MOST_LAYERS} layers. \`layers\` is their number, and each one has a field \`layer.\` with its own. \`h\`, \`w\`, \`c\`
and \`x\` are those of the network's input, and \`dy\` is at its end:

\`${NETWORK_EXAMPLE}\`

| layer | its parts, separated by ";" |
| --- | --- |
| \`conv\` | the fields of a convolution above, as \`kh:3\` or \`weights:random:3\`, without those of its input |
| \`conv_transpose\` | \`k:2\`, the channels of y, by default 1; \`kernel:3\` or \`kernel:3x2\`; \`stride:2\` and \`dilation:2\`, by default 1; \`padding:1,1,1,1\` (top, bottom, left, right: cut off from y); \`output_padding:1\`, from 0 to stride - 1: which of the possible sizes y has; \`groups:2\`; \`weights\` and \`bias\` of a convolution |
| \`relu\` | none |
| \`leaky_relu\` | \`alpha:0.1\`: the slope below 0, from 0 to 1; by default 0.01 |
| \`max_pool\`, \`average_pool\` | \`kernel:2\` or \`kernel:2x3\`; \`stride:2\`, by default the kernel; \`padding:1,0,1,0\` (top, bottom, left, right) |
| \`average_pool\` | also \`count_include_pad:false\`: divides by the cells of the window that are in its input |

Without \`layers\`, the number that is missing is that of a convolution with the fields above, which is shown:
\`${SHORT_EXAMPLE}\`.

"%" in a layer becomes \`%25\`, in addition to the encoding of the whole value. \`hidden\` names
cells of a network as its view does: \`hidden=dy1.3,y2\`.

## What the page shows

${fieldTable(LOOK_FIELDS)}

Cells of \`cell\` and \`hidden\` are of \`x\`, \`w\`, \`b\`, \`y\`, \`dy\`, \`dx\`, \`dw\`, \`db\`, or of a matrix of a view, such as \`x_col\`.

\`hidden\` also names ${PART_NAMES.hidden}.

\`locked\` names ${PART_NAMES.locked}.

## Settings of the views

A view checks its own settings: a value that it does not know counts as the default. A text that looks like a number or
\`true\` has "~" in front.

${settingsTable()}
`;
