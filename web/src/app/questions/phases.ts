const PHASES: Readonly<Record<string, string>> = {
  forward: 'Computing y',
  backward_data: 'Computing dx',
  backward_weights: 'Computing dw',
  backward_bias: 'Computing db',
};

/** Label of a phase of the worker. */
export function phaseText(phase: string): string {
  return PHASES[phase] ?? (phase === '' ? 'Computing' : phase.charAt(0).toUpperCase() + phase.slice(1));
}
