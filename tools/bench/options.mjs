// Options of the two benchmark commands.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../setup/paths.mjs';
import { SetupError } from '../setup/report.mjs';

const PASSES = ['forward', 'backward_data', 'backward_weights', 'backward_bias'];
const SHORT_PASSES = { fwd: 'forward', dx: 'backward_data', dw: 'backward_weights', db: 'backward_bias' };
const VARIANTS = ['relaxed', 'simd'];
const TEXTS = ['shapes', 'passes', 'parties', 'variant', 'where', 'algorithms', 'json', 'table', 'plot'];

export const namedShapes = JSON.parse(readFileSync(join(projectRoot, 'tests/problems/named_shapes.json'), 'utf8'));

/** Reads the options of a command. `parties` and `where` are its choices, the first of which are the default. */
export function readOptions({ parties, where }) {
  const names = namedShapes.map(({ name }) => name);
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])),
      threads: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '15' },
      help: { type: 'boolean' },
    },
  });
  return {
    shapes: chosen('shapes', values.shapes, names),
    passes: chosen('passes', values.passes, PASSES, SHORT_PASSES),
    parties: chosen('parties', values.parties, parties),
    variants: chosen('variant', values.variant ?? 'relaxed', VARIANTS),
    where: chosen('where', values.where ?? where[0], where),
    algorithms: algorithms(values.algorithms),
    threads: values.threads.split(',').map((text) => count('threads', text)),
    rounds: count('rounds', values.rounds),
    files: { json: values.json, table: values.table, plot: values.plot },
    help: values.help === true,
  };
}

/** A comma-separated list of names; all if omitted. */
function chosen(option, text, known, short = {}) {
  if (text === undefined || text === 'all') return known;
  const names = text.split(',').map((name) => short[name] ?? name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new SetupError(`--${option}: there is no ${unknown.join(', ')}`, `choose from ${known.join(', ')}, or all`);
  return known.filter((name) => names.includes(name));
}

/** The planned algorithm always runs. */
function algorithms(text = 'all') {
  return text === 'all' ? text : text.split(',').filter((name) => name !== 'plan');
}

function count(option, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new SetupError(`--${option}: ${text} is not a positive integer`);
}
