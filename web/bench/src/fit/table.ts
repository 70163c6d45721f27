/** A coefficient of cpp/src/cost/constants.hpp, with its value in the base table. */
export interface Coefficient {
  /** The member of Constants. */
  readonly group: string;
  readonly name: string;
  readonly value: number;
}

/** The files of cpp/src/cost: constants.hpp with the base table, and tables.cpp with what other families change. */
export interface CostSources {
  readonly header: string;
  readonly overrides: string;
}

/** The family of the base table. */
const BASE = 'kZen3';

const COEFFICIENT = /^( {2}double (\w+) = )([\d.e]+);/;

/** Reads cost/constants.hpp: structs with one `double name = value;` per line, and a last struct with these as members. */
export function readCoefficients(header: string): Coefficient[] {
  const structs = new Map<string, Omit<Coefficient, 'group'>[]>();
  let members: Omit<Coefficient, 'group'>[] = [];
  let groups: Coefficient[] = [];
  for (const line of header.split('\n')) {
    const [, struct] = /^struct (\w+) \{/.exec(line) ?? [];
    const [, , name, value] = COEFFICIENT.exec(line) ?? [];
    const [, type, group] = /^ {2}([A-Z]\w*) (\w+);/.exec(line) ?? [];
    if (struct) {
      members = [];
      structs.set(struct, members);
    } else if (name) {
      members.push({ name, value: Number(value) });
    } else if (type && group) {
      groups = [...groups, ...(structs.get(type) ?? []).map((each) => ({ group, ...each }))];
    }
  }
  return groups;
}

/** The comment of a family's table, its first lines, its changes of the base table, and its last line. */
const OVERRIDES =
  /((?:\/\/\/ .*\n)+)(extern constexpr Constants (\w+) = \[\] \{\n {2}Constants c;\n)((?: {2}c\..*\n)*)( {2}return c;\n)/g;

/** The sources with other values of one family; the other families keep theirs. `comment` tells where they come from. */
export function writeTable(
  { header, overrides }: CostSources,
  family: string,
  comment: string,
  values: readonly number[],
): CostSources {
  const before = readCoefficients(header);
  const base = before.map(({ value }, i) => (family === BASE ? rounded(values[i] ?? Number.NaN) : value));
  const valuesIn = (changes: string) =>
    before.map(({ group, name, value }) =>
      Number(new RegExp(`c\\.${group}\\.${name} = ([\\d.e]+);`).exec(changes)?.[1] ?? value),
    );
  const changesTo = (wanted: readonly number[]) =>
    before
      .flatMap(({ group, name }, i) => (wanted[i] === base[i] ? [] : [`  c.${group}.${name} = ${wanted[i]};\n`]))
      .join('');
  return {
    header: family === BASE ? writeBase(header, comment, before, base) : header,
    overrides: overrides.replace(
      OVERRIDES,
      (_, told: string, head: string, name: string, changes: string, end: string) =>
        name === family
          ? `/// ${comment}\n${head}${changesTo(values.map(rounded))}${end}`
          : `${told}${head}${changesTo(valuesIn(changes))}${end}`,
    ),
  };
}

/** The header with other values. Its coefficients are written group by group, in the order of their structs. */
function writeBase(header: string, comment: string, before: readonly Coefficient[], values: readonly number[]): string {
  const types = new Map([...header.matchAll(/^ {2}([A-Z]\w*) (\w+);/gm)].map(([, type, group]) => [type, group]));
  let group: string | undefined;
  return header
    .split('\n')
    .map((line) => {
      const [, struct] = /^struct (\w+) \{/.exec(line) ?? [];
      if (struct) group = types.get(struct);
      if (line.startsWith('/// Base table: ')) return `/// Base table: ${comment}`;
      return line.replace(COEFFICIENT, (_, start: string, name: string) => {
        const value = values[before.findIndex((each) => each.group === group && each.name === name)];
        return `${start}${value};`;
      });
    })
    .join('\n');
}

/** Rounds to three significant digits, the accuracy of the measurements. */
export const rounded = (value: number): number => Number(value.toPrecision(3));
