import type { Answer } from './site';

/** What a server may send instead of a file. */
export const FAULTS = {
  missing: () => ({ status: 404, body: Buffer.from('not here') }),
  truncated: (body: Buffer) => ({ body: body.subarray(0, body.length / 2) }),
  // As servers do that answer every address with their first page.
  'another page': () => ({ type: 'text/html', body: Buffer.from('<!doctype html><title>Welcome</title>') }),
} as const satisfies Record<string, (body: Buffer) => Answer>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** A person reads it: nothing of it is for programmers. */
export const FOR_PROGRAMMERS = /ASSERTIONS|Aborted|Error\b|https?:|no reason given|undefined|\[object/;
