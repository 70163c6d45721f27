// Selects the suites of a command line: `npm test`, `npm test -- --only native,web`, `npm test -- --thorough`.

import { parseArgs } from 'node:util';
import { SetupError } from '../setup/report.mjs';
import { Suites } from './suites.mjs';

const names = Suites.map(({ name }) => name);
const groups = [...new Set(Suites.flatMap((suite) => suite.groups))];

/** Returns { suites, others, thorough }; `others` are left for --thorough. Names and groups can be mixed, separated by commas or spaces. */
export function choose(args) {
  const { values, positionals } = parseCommandLine(args);
  const wanted = [...(values.only ?? []), ...positionals].flatMap((text) => text.split(',')).filter(Boolean);
  const unknown = wanted.filter((word) => !names.includes(word) && !groups.includes(word));
  if (unknown.length > 0) throw new SetupError(`no suite ${unknown.join(', ')}`, usage());
  const isWanted = ({ name, groups: of }) => wanted.includes(name) || of.some((group) => wanted.includes(group));
  const thorough = values.thorough ?? process.env.CI === 'true';
  const isDue = ({ when }) => when !== 'thorough' || thorough;
  const suites = Suites.filter(wanted.length === 0 ? isDue : isWanted);
  const others = wanted.length === 0 ? Suites.filter((suite) => !isDue(suite)).map(({ name }) => name) : [];
  return { suites, others, thorough };
}

function parseCommandLine(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { only: { type: 'string', multiple: true }, thorough: { type: 'boolean' } },
    });
  } catch (error) {
    throw new SetupError(error.message, usage());
  }
}

function usage() {
  return `npm test -- [--thorough] [--only NAME,...]\nsuites: ${names.join(', ')}\ngroups: ${groups.join(', ')}`;
}
