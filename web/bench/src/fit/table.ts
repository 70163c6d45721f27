/** A coefficient of cpp/src/cost/constants.hpp. */
export interface Coefficient {
  /** The member of Constants. */
  readonly group: string;
  readonly name: string;
}

/** Reads cost/constants.hpp: structs with one `double name = 0;` per line, and a last struct with these as members. */
export function readCoefficients(header: string): Coefficient[] {
  const structs = new Map<string, string[]>();
  let members: string[] = [];
  let groups: Coefficient[] = [];
  for (const line of header.split('\n')) {
    const [, struct] = /^struct (\w+) \{/.exec(line) ?? [];
    const [, name] = /^ {2}double (\w+) = 0;/.exec(line) ?? [];
    const [, type, group] = /^ {2}([A-Z]\w*) (\w+);/.exec(line) ?? [];
    if (struct) {
      members = [];
      structs.set(struct, members);
    } else if (name) {
      members.push(name);
    } else if (type && group) {
      groups = [...groups, ...(structs.get(type) ?? []).map((each) => ({ group, name: each }))];
    }
  }
  return groups;
}

/** The source of a family's table, formatted as by clang-format. */
export function writeTable(
  family: string,
  comment: string,
  coefficients: readonly Coefficient[],
  values: readonly number[],
): string {
  const groups = [...new Set(coefficients.map(({ group }) => group))].map((group) => {
    const lines = coefficients.flatMap((coefficient, i) =>
      coefficient.group === group ? [`            .${coefficient.name} = ${rounded(values[i] ?? Number.NaN)},\n`] : [],
    );
    return `    .${group} =\n        {\n${lines.join('')}        },\n`;
  });
  return (
    `#include "cost/complete.hpp"\n#include "cost/tables.hpp"\n\nnamespace conv2d::cost {\n\n/// ${comment}\n` +
    `extern constexpr Constants ${family} = {\n${groups.join('')}};\nstatic_assert(complete(${family}));\n\n}  // namespace conv2d::cost\n`
  );
}

/** Rounds to three significant digits, the accuracy of the measurements. */
export const rounded = (value: number): number => Number(value.toPrecision(3));
