// What a style sheet may contain: colors, text sizes, corners and shadows only as tokens (web/src/styles/tokens.css), and
// spacing in steps of 4 px.

/** Named colors that style sheets are likely to contain; the others have no name that is a word of the page. */
const NAMED =
  'black|white|gray|grey|silver|red|maroon|orange|yellow|olive|green|lime|teal|aqua|cyan|blue|navy|purple|fuchsia|magenta|violet|pink|brown|gold|indigo|beige|ivory|crimson|coral|salmon|tomato|orchid|plum|tan|khaki|lavender|turquoise|\\w+(?:gray|grey|blue|green|red|white|pink|violet|yellow|orange|brown|salmon|cyan|goldenrod)';
const COLOR = new RegExp(
  `#[\\da-f]{3,8}\\b|\\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\\([^)]*\\)|(?<![\\w-])(?:${NAMED})(?![\\w-])`,
  'i',
);
/** Of a script: hexadecimal digits as a whole string, or a color function with numbers. */
const SCRIPT_COLOR = /(['"`])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\1|\b(?:rgba?|hsla?|oklab|oklch)\(\s*[\d.]/i;
const SPACING =
  /^(?:(?:padding|margin)(?:-(?:top|right|bottom|left|inline|block)(?:-(?:start|end))?)?|(?:row-|column-)?gap)$/;
/** Steps of the spacing in px. 1 and 2 are room for a border, an outline or a hairline. */
const isStep = (px) => px % 4 === 0 || px === 1 || px === 2;

const tokens = (name) => new RegExp(`^(?:var\\(--${name}\\)|0)$`);
const RADIUS = tokens('(?:radius(?:-mark)?|round)');
const SHADOW = tokens('(?:shadow|ring|halo-ring|hairline|cell-edge)');
const TEXT_SIZE = /^(?:var\(--text-[a-z]+\)|calc\([\d.]+ \* var\(--text-[a-z]+\)\)|inherit)$/;

/** [what is refused, what to write] of a declaration, or null. */
function refusalOf(property, value) {
  const color = COLOR.exec(value.replace(/var\(--[\w-]+|url\([^)]*\)/g, ''));
  if (color && !/^(?:font|font-family|content|animation|transition|grid-area|grid-template-areas)$/.test(property))
    return [color[0], 'a color token'];
  if (property === 'font-size' && !TEXT_SIZE.test(value)) return [value, 'a text token, --text-m'];
  const size = property === 'font' && /(?:^|\s)(\S*\d(?:px|em|rem|pt|%)\S*)/.exec(value.replace(/\/\s*\S+/, ''));
  if (size) return [size[1], 'a text token, --text-m'];
  if (SPACING.test(property)) {
    const odd = [...value.matchAll(/-?([\d.]+)(px|r?em|pt)\b/g)].find(([, n, unit]) =>
      unit === 'px' ? !isStep(Number(n)) : unit !== 'em',
    );
    if (odd) return [odd[0], 'a multiple of 4px'];
  }
  const parts = value.split(/\s*[\s,/]\s*/);
  if (/^border(?:-\w+){0,2}-radius$/.test(property) && !parts.every((part) => RADIUS.test(part)))
    return [value, 'a token, --radius'];
  if (property === 'box-shadow' && value !== 'none' && !parts.every((part) => SHADOW.test(part)))
    return [value, 'a token, --shadow'];
  return null;
}

const blank = (text) => text.replace(/[^\n]/g, ' ');

/** { path, line, found, instead } for each refused declaration of a style sheet, or color of a script. */
export function stylesIn(path, text) {
  const lines = text.split('\n');
  const isExcused = (line) => [line - 1, line - 2].some((i) => /css-ok: [a-z]+ [a-z]+/i.test(lines[i] ?? ''));
  return (path.endsWith('.css') ? declarationsIn(text) : colorsIn(text))
    .filter(({ line }) => !isExcused(line))
    .map((each) => ({ path, ...each }));
}

function declarationsIn(text) {
  const css = text.replace(/\/\*[\s\S]*?\*\//g, blank);
  return [...css.matchAll(/(?<=^|[;{}\s])([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])/gi)].flatMap((match) => {
    const refusal = refusalOf(match[1], match[2].trim().replace(/\s+/g, ' '));
    return refusal
      ? [{ line: lineAt(css, match.index), found: `${match[1]}: ${refusal[0]}`, instead: refusal[1] }]
      : [];
  });
}

function colorsIn(text) {
  return text.split('\n').flatMap((line, i) => {
    const color = SCRIPT_COLOR.exec(line);
    return color ? [{ line: i + 1, found: color[0], instead: 'a color of ui/color-scale.ts' }] : [];
  });
}

const lineAt = (text, index) => text.slice(0, index).split('\n').length;
