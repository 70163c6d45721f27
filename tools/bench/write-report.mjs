// Writes results as JSON, a Markdown table and a plot to the files that the user named. The report code is TypeScript
// (web/bench/src/report).

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { say } from '../setup/report.mjs';
import { benchFolder } from './page-server.mjs';

/** `results` are BenchResults. Prints the table unless it goes to a file. */
export async function writeReport(results, { json, table, plot }) {
  const { runnerImport } = await import('vite');
  const { module: report } = await runnerImport(join(benchFolder, 'src/report/index.ts'), { configFile: false });
  const markdown = results.map(report.markdownOf).join('\n');
  if (json) write(json, `${JSON.stringify(results.map(report.withChoices), null, 1)}\n`);
  if (table) write(table, markdown);
  else say(`\n${markdown}`);
  if (plot) write(plot, report.svgOf(results));
}

function write(file, text) {
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, text);
  say(`wrote ${file}`);
}
