import type { Answer } from './site';

/** Responses that a server may send instead of a file. */
export const FAULTS = {
  missing: () => ({ status: 404, body: Buffer.from('not here') }),
  truncated: (body: Buffer) => ({ body: body.subarray(0, body.length / 2) }),
  // Like servers that answer every address with their index page.
  'another page': () => ({ type: 'text/html', body: Buffer.from('<!doctype html><title>Welcome</title>') }),
} as const satisfies Record<string, (body: Buffer) => Answer>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** A message for users, without technical terms. */
export const TECHNICAL_TERMS = /ASSERTIONS|Aborted|Error\b|https?:|no reason given|undefined|\[object/;
