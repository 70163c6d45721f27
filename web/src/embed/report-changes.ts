import { effect } from '@preact/signals';
import type { Page } from '../app/page/page';
import { cellName } from '../geometry/labels';
import type { Cell } from '../protocol/cell';
import type { TensorName } from '../protocol/problem';
import { stateOf } from './driver';
import type { HostChannel } from './host-channel';
import type { Selected } from './protocol';

/** Least time between two "change" events: a player changes the state many times a second. */
const PAUSE_MS = 100;

/** The last state that the host received, in an event or in an answer. */
export interface HostState {
  link: string;
}

/** Sends events to the host: the selected cell at once, the state when it differs from the one that the host knows. */
export function reportChanges(page: Page, { send: tell }: HostChannel, known: HostState): void {
  const { store, look, scene } = page;
  let selected = 'null';
  effect(() => {
    const cell = look.current.value;
    const { value: pinned } = look.pinned;
    const described = cell && describe(scene.value, cell, pinned !== null && isSame(cell, pinned));
    const text = JSON.stringify(described);
    if (text === selected) return;
    selected = text;
    tell({ event: 'select', cell: described });
  });
  let waits = true;
  const tellState = () => {
    waits = false;
    const state = stateOf(page);
    if (state.link === known.link && state.omitted.length === 0) return;
    known.link = state.link;
    tell({ event: 'change', state });
  };
  effect(() => {
    store.problem.value;
    look.written.value;
    if (waits) return;
    waits = true;
    setTimeout(tellState, PAUSE_MS);
  });
  waits = false;
}

const isSame = (a: Cell, b: Cell): boolean => a.tensor === b.tensor && a.index === b.index;

/** A hidden value is null here, too. */
function describe(content: Page['scene']['value'], { tensor, index }: Cell, kept: boolean): Selected | null {
  if (!content) return null;
  const value = content.tensors[tensor as TensorName]?.data[index];
  const isNumber = value !== undefined && !Number.isNaN(value);
  return { tensor, index, name: cellName(content.geometry, { tensor, index }), value: isNumber ? value : null, kept };
}
