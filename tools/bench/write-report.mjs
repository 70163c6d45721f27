// Writes results as JSON, a Markdown table and a plot to the files that the user named. The report code is TypeScript
// (web/bench/src/report).

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { say } from '../setup/report.mjs';
import { namedShapes } from './options.mjs';
import { benchFolder } from './page-server.mjs';

/** What the names of a result's shapes mean (ShapeNote in web/bench/src/result.ts). */
const shapesOf = ({ races }) =>
  namedShapes
    .filter(({ name }) => races.some(({ shape }) => shape === name))
    .map(({ name, note, desc }) => ({ name, note, size: sizeOf(desc) }));

function sizeOf({ n = 1, h, w, c, k, kh, kw, groups = 1, padding, ...steps }) {
  const axis = (word, value) => (value > 1 ? [`${word} ${value}`] : []);
  return [
    `${[n, h, w, c].join(' x ')} -> ${k}, ${kh} x ${kw}`,
    ...axis('stride', steps.stride_h),
    ...axis('dilation', steps.dilation_h),
    ...(padding ? [`padding ${padding.top}`] : []),
    ...axis('groups', groups),
  ].join(', ');
}

/** `results` are BenchResults. Prints the table unless it goes to a file. */
export async function writeReport(results, { json, table, plot }) {
  const { runnerImport } = await import('vite');
  const { module: report } = await runnerImport(join(benchFolder, 'src/report/index.ts'), { configFile: false });
  const described = results.map((result) => ({ ...result, shapes: shapesOf(result) }));
  const markdown = described.map(report.markdownOf).join('\n');
  if (json) write(json, `${JSON.stringify(described.map(report.withChoices), null, 1)}\n`);
  if (table) write(table, markdown);
  else say(`\n${markdown}`);
  if (plot) write(plot, report.svgOf(results));
}

function write(file, text) {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, text);
  say(`wrote ${file}`);
}
