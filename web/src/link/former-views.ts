// The fields of views that are gone, in older links, embeds and problem files. They are translated to the fields of today's views
// before they are read; new links do not have them.

/** The names of the views that are gone. Their settings have keys such as "steps.t". */
export const FORMER_VIEWS = ['steps'] as const;

interface Successor {
  readonly mode: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The key of the number of steps done. */
  readonly steps: string;
}

const FORWARD: Successor = { mode: 'board', settings: {}, steps: 'board.t' };

/** Where the processes of "Step by step" are today. Another name was the forward pass, and no number was one step. */
const PROCESSES: Readonly<Record<string, Successor>> = {
  dx_scatter: { mode: 'dx', settings: { 'dx.way': 'scatter' }, steps: 'dx.t' },
  dx_gather: { mode: 'dx', settings: { 'dx.way': 'gather' }, steps: 'dx.t' },
  dx_col2im: { mode: 'lowering', settings: { 'lowering.part': 'fold' }, steps: 'lowering.folded' },
  dw_accumulate: { mode: 'dw', settings: { 'dw.way': 'direct' }, steps: 'dw.accumulated' },
  db_accumulate: { mode: 'dw', settings: { 'dw.way': 'sum' }, steps: 'dw.bias-t' },
};

/** The fields of the former view that `fields` open; empty if they open none. */
export function formerFieldsOf(fields: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  const view = FORMER_VIEWS.find((name) => name === fields.mode);
  const isOwn = (key: string) => key === 'mode' || key.startsWith(`${view}.`);
  const found = Object.entries(fields).flatMap(([key, text]) =>
    view && text !== null && isOwn(key) ? [[key, text] as const] : [],
  );
  return Object.fromEntries(found);
}

/** Replaces the fields of former views by those of today. */
export function translateFormerViews(texts: Map<string, string>): void {
  const isOpen = texts.get('mode') === 'steps';
  const steps = texts.get('steps.t') ?? '1';
  const process = texts.get('steps.process') ?? '';
  for (const key of [...texts.keys()]) if (key.startsWith('steps.')) texts.delete(key);
  if (!isOpen) return;
  const { mode, settings, steps: key } = PROCESSES[process] ?? FORWARD;
  texts.set('mode', mode);
  for (const [setting, value] of Object.entries(settings)) texts.set(setting, value);
  texts.set(key, steps);
}
