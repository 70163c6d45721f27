/** The prices of cpp/src/cost/constants.hpp, in their order: the struct in which each stands, and its name. */
export interface Price {
  readonly group: string;
  readonly name: string;
}

/** Reads cost/constants.hpp: one `double name = 0;` a line in structs, which the last one lists as its members. */
export function readPrices(header: string): Price[] {
  const structs = new Map<string, string[]>();
  let members: string[] = [];
  let groups: Price[] = [];
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

/** The file of a family's table, as clang-format leaves it. `comment` says where it was measured. */
export function writeTable(
  family: string,
  comment: string,
  prices: readonly Price[],
  values: readonly number[],
): string {
  const groups = [...new Set(prices.map(({ group }) => group))].map((group) => {
    const lines = prices.flatMap((price, i) =>
      price.group === group ? [`            .${price.name} = ${rounded(values[i] ?? Number.NaN)},\n`] : [],
    );
    return `    .${group} =\n        {\n${lines.join('')}        },\n`;
  });
  return (
    `#include "cost/complete.hpp"\n#include "cost/tables.hpp"\n\nnamespace conv2d::cost {\n\n/// ${comment}\n` +
    `extern constexpr Constants ${family} = {\n${groups.join('')}};\nstatic_assert(complete(${family}));\n\n}  // namespace conv2d::cost\n`
  );
}

/** What is measured has three digits. */
export const rounded = (value: number): number => Number(value.toPrecision(3));
