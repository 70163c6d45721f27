import type { Pass } from '../../../src/protocol/problem';
import type { BenchResult, ChoiceSummary, Entry, Race } from '../result';
import { choiceIn, withChoices } from './choices';
import { markdownTable, milliseconds, percent, ratio } from './format';
import {
  ceilingOf,
  compareWithPeers,
  families,
  fastestOf,
  gigaflops,
  hasStrict,
  isOurs,
  isWinograd,
  meanSpeedUp,
  meanSpeedUpOver,
  type PeerComparison,
  PLAN,
  partiesOf,
  passes,
  racesOf,
  type TimeKind,
  threadsOf,
  withAccuracy,
  workspaceShare,
  workspaceTooLarge,
} from './summary';
import { networkSection, trainingSection } from './training';

/** A result as Markdown: a comparison with the peers if there are any, otherwise of the algorithms. */
export function markdownOf(all: BenchResult): string {
  const hasPeers = partiesOf(all).some((party) => !isOurs({ party }));
  const result = withAccuracy(all, 'fast');
  const tables = (part: BenchResult, title = '') =>
    passes(part).flatMap((pass) => (hasPeers ? peersSection(part, pass, title) : algorithmsSection(part, pass)));
  const training = [...(hasPeers ? trainingSection(result) : []), ...networkSection(result)];
  const strict = hasStrict(all) ? tables(withAccuracy(all, 'strict'), ', strict') : [];
  const remarks = [...notesSection(result), ...suspectsSection(result), ...failuresSection(result)];
  const threads = [...threadsSection(result), ...choicesSection(result)];
  return [
    ...heading(result),
    ...shapesSection(result),
    ...tables(result),
    ...training,
    ...strict,
    ...threads,
    ...remarks,
  ]
    .join('\n\n')
    .concat('\n');
}

/** What the names of the shapes mean. */
function shapesSection({ shapes = [] }: BenchResult): string[] {
  if (shapes.length === 0) return [];
  const rows = shapes.map(({ name, size, note }) => [name, size, note]);
  return ['## Shapes', 'Images x rows x columns x channels -> filters, kernel.', markdownTable(['', 'size', ''], rows)];
}

function heading({ where, date, machine, engine, threads, rounds, parties, ceilings }: BenchResult): string[] {
  const versions = Object.entries(parties).map(([name, version]) => `${name} (${version})`);
  const ceilingTexts = Object.entries(ceilings).map(
    ([kind, { median, best }]) => `${kind} ${median.toFixed(1)} (best ${best.toFixed(1)})`,
  );
  const clock = where === 'native' && threads === 1 ? ' of CPU time' : '';
  return [
    `# ${where === 'native' ? 'Native' : engine}, ${date.slice(0, 10)}`,
    `${machine}; ${threads} thread${threads > 1 ? 's' : ''}; medians of ${rounds} interleaved rounds, milliseconds${clock}.`,
    `Parties: ${versions.join(', ')}.`,
    `Ceiling (multiply-adds on registers alone, one thread, GFLOP/s): ${ceilingTexts.join(', ')}. ` +
      'Shares count the flops of the direct convolution, padding taps included. Errors are the largest difference to the ' +
      'reference, relative to its largest value; algorithms named winograd compute by Winograd.',
  ];
}

/** `title` says what the entries have in common. */
function peersSection(result: BenchResult, pass: Pass, title: string): string[] {
  const comparisons = racesOf(result, pass).map(compareWithPeers);
  const kernel = [
    `## ${pass}${title}, kernel only`,
    kernelTable(result, comparisons),
    means(result, comparisons, 'kernel'),
  ];
  if (!comparisons.some(({ ours }) => ours?.endToEnd)) return kernel;
  return [
    ...kernel,
    `## ${pass}${title}, end to end`,
    endToEndTable(result, comparisons),
    means(result, comparisons, 'endToEnd'),
  ];
}

function means(result: BenchResult, comparisons: readonly PeerComparison[], kind: TimeKind): string {
  const groups = [...families(comparisons)].map(([letter, group]) => `${letter} ${ratio(meanSpeedUp(group, kind))}`);
  const peers = partiesOf(result)
    .filter((party) => !isOurs({ party }))
    .map((peer) => `${peer} ${ratio(meanSpeedUpOver(comparisons, peer, kind))}`);
  return (
    `Geometric means of the speed-ups over the best peer: **${ratio(meanSpeedUp(comparisons, kind))}** ` +
    `(${groups.join(', ')}); over each: ${peers.join(', ')}.`
  );
}

function kernelTable(result: BenchResult, comparisons: readonly PeerComparison[]): string {
  const parties = partiesOf(result);
  const head = [
    'shape',
    ...parties.map((party) => `${party}, ms`),
    ...['speed-up', 'GFLOP/s', 'ceiling', 'algorithm', 'error', 'workspace'],
  ];
  const rows = comparisons.map(({ race, ours, speedUp }) => [
    race.shape,
    ...parties.map((party) => bestCell(race, party, 'kernel')),
    ratio(speedUp.kernel),
    ours ? ratio(gigaflops(race, ours)) : '-',
    ours ? percent(gigaflops(race, ours) / ceilingOf(result, ours)) : '-',
    ours?.algorithm ?? '-',
    ours?.error?.toExponential(1) ?? '-',
    ours ? workspaceCell(race, ours) : '-',
  ]);
  return markdownTable(head, rows);
}

function endToEndTable(result: BenchResult, comparisons: readonly PeerComparison[]): string {
  const parties = partiesOf(result);
  const rows = comparisons.map(({ race, speedUp }) => [
    race.shape,
    ...parties.map((party) => bestCell(race, party, 'endToEnd')),
    ratio(speedUp.endToEnd),
  ]);
  return markdownTable(['shape', ...parties, 'speed-up'], rows);
}

/** The time of the fastest form of a party, with the name of the form unless it is the plan. */
function bestCell(race: Race, party: string, kind: TimeKind): string {
  const best = fastestOf(race, party, kind);
  if (!best) return '-';
  const winograd = isWinograd(best) && !isOurs(best) ? ` (error ${best.error?.toExponential(1) ?? '?'})` : '';
  return `${milliseconds(best[kind]?.median)}${best.form === PLAN ? '' : ` ${best.form}`}${winograd}`;
}

function workspaceCell(race: Race, entry: Entry): string {
  const share = workspaceShare(race, entry);
  if (share === undefined) return '-';
  return `${share.toFixed(2)}${workspaceTooLarge(race, entry) ? ' too large' : ''}`;
}

function algorithmsSection(result: BenchResult, pass: Pass): string[] {
  const head = ['shape', 'party', 'algorithm', 'ms', 'GFLOP/s', 'ceiling', 'workspace', 'plan / best'];
  const rows = racesOf(result, pass).flatMap((race) =>
    race.entries
      .toSorted((a, b) => a.kernel.median - b.kernel.median)
      .map((entry) => [
        race.shape,
        entry.party,
        entry.form === PLAN ? `**plan: ${entry.algorithm ?? '?'}**` : entry.form,
        milliseconds(entry.kernel.median),
        ratio(gigaflops(race, entry)),
        percent(gigaflops(race, entry) / ceilingOf(result, entry)),
        workspaceCell(race, entry),
        entry.form === PLAN ? ratio(choiceIn(race, entry.party)?.ratio) : '',
      ]),
  );
  return [`## ${pass}`, markdownTable(head, rows)];
}

/** The plan's choices with one and with several threads; nothing unless both were timed. */
function threadsSection({ races }: BenchResult): string[] {
  const head = ['shape', 'pass', 'threads', 'one thread', 'several', 'speed-up', 'algorithm'];
  const rows = races.flatMap(({ shape, pass, entries }) => {
    const plans = entries.filter((entry) => isOurs(entry) && entry.form === PLAN);
    const one = plans.find(({ party }) => threadsOf(party) === 1)?.kernel.median;
    if (one === undefined) return [];
    return plans
      .filter(({ party }) => threadsOf(party) > 1)
      .map(({ party, kernel: { median }, algorithm = '-' }) => [
        ...[shape, pass, String(threadsOf(party)), milliseconds(one), milliseconds(median)],
        ...[ratio(one / median), algorithm],
      ]);
  });
  return rows.length === 0 ? [] : ['## Threads', markdownTable(head, rows)];
}

/** The plan's choices compared with the fastest algorithms: a row per race and a line per party. */
function choicesSection(result: BenchResult): string[] {
  const { choices = [], choiceSummaries = [] } = withChoices(result);
  if (choices.length === 0) return [];
  const head = ['shape', 'pass', 'party', 'chosen', 'ms', 'best', 'ms', 'chosen / best'];
  const rows = choices.map(({ shape, pass, party, chosen, time, best, bestTime, ratio: cost }) => [
    ...[shape, pass, party, chosen, milliseconds(time)],
    ...[best === chosen ? '=' : best, milliseconds(bestTime), ratio(cost)],
  ]);
  return ['## Choices', markdownTable(head, rows), choiceSummaries.map(summaryLine).join('\n')];
}

function summaryLine({ party, races, best, close, mean, meanByPass, worst }: ChoiceSummary): string {
  const means = Object.entries(meanByPass).map(([pass, value]) => `${pass} ${value.toFixed(3)}`);
  const worstRace = `${worst.shape} ${worst.pass}, ${worst.chosen} instead of ${worst.best}`;
  return (
    `- ${party}: chosen / best, geometric mean **${mean.toFixed(3)}** (${means.join(', ')}); ` +
    `the best in ${best} of ${races} races, within 2 % of it in ${close}` +
    `${worst.ratio > 1 ? `; worst ${ratio(worst.ratio)}: ${worstRace}` : ''}.`
  );
}

/** Handicaps of parties that were removed before timing. */
function notesSection({ races }: BenchResult): string[] {
  const lines = races.flatMap(({ shape, pass, entries }) =>
    entries.flatMap(({ party, form, note }) => (note ? `- ${shape} ${pass}, ${party}/${form}: ${note}` : [])),
  );
  return lines.length > 0 ? ['## Notes', lines.join('\n')] : [];
}

/**
 * The fastest forms of the peers are up to eight times slower than forward, and more only without a fast form (dx with
 * strides in TensorFlow.js, dw of R7 in ONNX Runtime). LiteRT's dx of S1 with subnormal lanes was 150 times slower.
 */
const SUSPICIOUS = 10;

/**
 * The fastest form of a party is unexpectedly slow: the benchmark itself may slow it down, so check it before quoting its ratio. Without
 * backward_bias, which is limited by memory and not by flops.
 */
function suspectsSection(result: BenchResult): string[] {
  const lines = result.races
    .filter(({ pass }) => pass !== 'forward' && pass !== 'backward_bias')
    .flatMap((race) => {
      const forward = racesOf(result, 'forward').find(({ shape }) => shape === race.shape);
      return partiesOf(result).flatMap((party) => {
        const [entry, reference] = [fastestOf(race, party), forward && fastestOf(forward, party)];
        if (!entry || !forward || !reference) return [];
        const slower = gigaflops(forward, reference) / gigaflops(race, entry);
        if (!(slower > SUSPICIOUS)) return [];
        const times = `${slower.toFixed(0)} times slower than its forward pass`;
        return `- ${race.shape} ${race.pass}, ${party}: its best form (${entry.form}) is ${times}`;
      });
    });
  return lines.length > 0 ? ['## Suspiciously slow', lines.join('\n')] : [];
}

/** Forms that failed or computed a wrong result, and parties that failed to load. */
function failuresSection({ races, networks = [], absent = {} }: BenchResult): string[] {
  const lines = [
    ...Object.entries(absent).map(([party, what]) => `- ${party}: ${what}`),
    ...races.flatMap(({ shape, pass, failures: list }) =>
      list.map(({ party, form, what }) => `- ${shape} ${pass}, ${party}/${form}: ${what}`),
    ),
    ...networks.flatMap(({ network, failures: list }) =>
      list.map(({ party, form, what }) => `- ${network}, ${party}/${form}: ${what}`),
    ),
  ];
  return lines.length > 0 ? ['## Failed, not timed', lines.join('\n')] : [];
}
