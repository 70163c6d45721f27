import { batch, effect, type ReadonlySignal } from '@preact/signals';
import type { Page } from '../app/page/page';
import { cellName } from '../geometry/labels';
import { packLink } from '../link/compress';
import type { Field, KnownInputs, ParsedLink } from '../link/field';
import { FIELDS } from '../link/fields';
import { LOOK_FIELDS } from '../link/look-fields';
import { parseLink } from '../link/parse-link';
import { readLink } from '../link/read-link';
import { writeLink } from '../link/write-link';
import type { Look } from '../look/look';
import type { Content } from '../protocol/messages';
import type { Cell, Tensor, TensorName } from '../protocol/problem';
import { arrayOf } from '../sources/loss';
import { inputOf, type Problem } from '../state/problem';
import { lazy } from '../ui/lazy';
import {
  type ArraysRequest,
  type EmbedAnswer,
  type EmbedFault,
  type EmbedRequest,
  type EmbedState,
  fieldsOf,
  type GivenFields,
  type HostChannel,
  linkFromFields,
  type Selected,
} from './protocol';

export interface DriverContext extends Pick<Page, 'store' | 'look' | 'address'> {
  readonly currentContent: ReadonlySignal<Pick<Content, 'geometry' | 'loss' | 'tensors'> | null>;
}

const OVERTAKEN = 'The frame changed while this was read. The newer change is kept.';

const arrayReader = lazy('The reader of arrays', () => import('./arrays'));

/** The current state, synchronously: values that need compression are left out. */
function embedState({ store, look }: Pick<DriverContext, 'store' | 'look'>): EmbedState {
  const { hash, omitted } = writeLink({ problem: store.problem.peek(), look: look.written.peek() });
  return { link: hash, fields: fieldsOf(hash), omitted };
}

/** Answers the requests of the host. Each state is read as a link is, with the same checks. */
export function createDriver(parts: DriverContext): (request: EmbedRequest) => Promise<EmbedAnswer> {
  const { store, look, address, currentContent } = parts;

  const now = async (complaints: readonly string[] = []): Promise<EmbedAnswer> => {
    const { hash, omitted } = await packLink(address.seen());
    return { ok: true, state: { link: hash, fields: fieldsOf(hash), omitted }, complaints };
  };

  /** The state with tensors of its problem. */
  const withTensors = async (names: readonly TensorName[]): Promise<EmbedAnswer> => {
    const content = store.shown.peek()?.problem === store.problem.peek() ? currentContent.peek() : null;
    if (!content) return failed('failed', 'The problem was not computed.');
    const tensors = Object.fromEntries(names.map((name) => [name, sent(content.tensors[name])]));
    const answer = await now();
    return answer.ok ? { ...answer, tensors } : answer;
  };

  /** Opens a link as one edit that can be undone. Changes made in the meantime win. */
  const open = async (link: string, knownInputs: KnownInputs = {}): Promise<EmbedAnswer> => {
    const later = store.begin();
    const parsed = await readLink(link, false, knownInputs);
    if (later()) return failed('overtaken', OVERTAKEN);
    if (parsed.fault === 'costly') {
      // Asks the user for confirmation.
      void address.open(link, 'link', false, knownInputs);
      return failed('costly', 'The problem is large: the user must confirm it in the frame.');
    }
    if (parsed.fault) return { ok: false, fault: parsed.fault, complaints: parsed.complaints };
    address.dismiss();
    batch(() => {
      store.open(parsed.problem, 'everything');
      look.open(parsed.look);
    });
    return outcomeOf(parsed.problem, parsed);
  };

  const outcomeOf = async (problem: Problem, { complaints }: Pick<ParsedLink, 'complaints'>): Promise<EmbedAnswer> => {
    await settled(store);
    const draft = store.draft.peek();
    if (draft?.refused === problem)
      return failed('refused', `The library rejected the problem: ${draft.error.message}.`);
    const progress = store.progress.peek();
    if (progress.status === 'failed')
      return failed('failed', `The problem was not computed: ${progress.error.message}.`);
    return now(complaints);
  };

  /** A newer request does not wait for the reader of arrays, and wins. */
  const openArrays = async ({ do: task, fields: stated, arrays }: ArraysRequest): Promise<EmbedAnswer> => {
    const later = store.begin();
    const reader = await arrayReader.wait().catch(() => null);
    if (!reader) return failed('unread', 'The arrays were not read: a part of the page failed to load. Try again.');
    if (later()) return failed('overtaken', OVERTAKEN);
    const present = Object.entries(task === 'change' ? embedState(parts).fields : {});
    const kept = present.filter(([key]) => !isReplaced(key, Object.keys(stated)));
    const read = reader.fieldsOfArrays(arrays, stated, Object.fromEntries(kept));
    if (typeof read === 'string') return failed('refused', read);
    const fields = { ...stated, ...read };
    return task === 'change' ? change(fields) : open(linkFromFields(fields));
  };

  const change = async (given: GivenFields): Promise<EmbedAnswer> => {
    const { fields } = embedState(parts);
    const keys = Object.keys(given);
    const isLook = keys.every((key) => LOOK_FIELDS.some((field) => isKeyOf(field, key)));
    const kept = Object.entries(fields).filter(([key]) => !isReplaced(key, keys));
    if (!isLook) {
      return open(linkFromFields({ ...Object.fromEntries(kept), ...given }), carriedOf(store.problem.peek()));
    }
    // Only the look changes: the problem stays the same object, and nothing is computed.
    const ofLook = kept.filter(([key]) => LOOK_FIELDS.some((field) => isKeyOf(field, key)));
    const parsed = parseLink(linkFromFields({ v: fields.v ?? '', ...Object.fromEntries(ofLook), ...given }));
    if (parsed.fault) return { ok: false, fault: parsed.fault, complaints: parsed.complaints };
    applyLook(parsed.look);
    return outcomeOf(store.problem.peek(), parsed);
  };

  /** Applies a look to the result on the page. No new result follows: the look gets the geometry of its cells here. */
  const applyLook = (next: Look) =>
    batch(() => {
      const hovered = next.mode === look.mode.peek() ? look.hovered.peek() : null;
      look.open(next);
      const content = store.shown.peek()?.problem === store.problem.peek() ? currentContent.peek() : null;
      if (!content) return;
      look.setGeometry(content.geometry, content.loss !== null);
      // The pointer is still over that cell.
      look.hover(hovered);
    });

  return async (request) => {
    if ('arrays' in request) return openArrays(request);
    switch (request.do) {
      case 'hello':
        await settled(store);
        return now();
      case 'get':
        await settled(store);
        return request.tensors ? withTensors(request.tensors) : now();
      case 'set':
        return open(request.link);
      case 'change':
        return change(request.fields);
    }
  };
}

/** A copy without hidden values. */
const sent = (tensor: Tensor | undefined) =>
  tensor
    ? { shape: tensor.shape, values: Array.from(tensor.data, (value) => (Number.isNaN(value) ? null : value)) }
    : null;

const failed = (fault: EmbedFault, sentence: string): EmbedAnswer => ({ ok: false, fault, complaints: [sentence] });

const settled = ({ progress }: Page['store']): Promise<void> =>
  new Promise((resolve) => {
    const stop = effect(() => {
      if (progress.value.status === 'computing') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });

const isKeyOf = ({ key, also }: Field, typed: string): boolean =>
  key.endsWith('.') ? typed.startsWith(key) : typed === key || also?.includes(typed) === true;

/** True if one of `keys` sets the same field as `present`, by any of its names; "kernel" sets both kh and kw. */
function isReplaced(present: string, keys: readonly string[]): boolean {
  const field = FIELDS.find((candidate) => isKeyOf(candidate, present));
  return keys.some((key) => {
    if (key === 'kernel') return present === 'kh' || present === 'kw';
    return key === present || (field !== undefined && !field.key.endsWith('.') && isKeyOf(field, key));
  });
}

/** Values that a link leaves out. */
function carriedOf(problem: Problem): KnownInputs {
  const { loss, layers } = problem;
  const values = arrayOf(loss);
  const names = ['x', ...['', ...layers.map((_, i) => i + 1)].flatMap((number) => [`w${number}`, `b${number}`])];
  const inputs = names.map((name) => [name, inputOf(problem, name)] as const).filter(([, input]) => input);
  return { ...Object.fromEntries(inputs), ...(values && { dy: { data: values, edited: true } }) };
}

/** Least time between two "change" events: a player changes the state many times a second. */
const PAUSE_MS = 100;

/** The last state that the host received, in an event or in an answer. */
interface HostState {
  link: string;
}

/** Sends events to the host: the selected cell at once, the state when it differs from the one that the host knows. */
export function reportChanges(page: Page, { send: tell }: HostChannel, known: HostState): void {
  const { store, look, currentContent } = page;
  let selected = 'null';
  effect(() => {
    const cell = look.current.value;
    const pinned = look.pinned.value;
    const kept = cell?.tensor === pinned?.tensor && cell?.index === pinned?.index;
    const described = cell && describe(currentContent.value, cell, kept);
    const text = JSON.stringify(described);
    if (text === selected) return;
    selected = text;
    tell({ event: 'select', cell: described });
  });
  let waits = true;
  const tellState = () => {
    waits = false;
    const state = embedState(page);
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

/** A hidden value is null here, too. */
function describe(content: Page['currentContent']['value'], { tensor, index }: Cell, kept: boolean): Selected | null {
  if (!content) return null;
  const value = content.tensors[tensor as TensorName]?.data[index];
  const isNumber = value !== undefined && !Number.isNaN(value);
  return { tensor, index, name: cellName(content.geometry, { tensor, index }), value: isNumber ? value : null, kept };
}

/** A window with an address of its own: the host page gets no history, a reload shows the state that the host set. */
export function withPrivateAddress(page: Window): Window {
  let { hash } = page.location;
  page.addEventListener('hashchange', () => {
    hash = page.location.hash;
  });
  const put = (_state: unknown, _title: string, address?: string | URL | null) => {
    if (address != null) hash = new URL(address, page.location.href).hash;
  };
  const own: Readonly<Record<PropertyKey, unknown>> = {
    history: { state: null, pushState: put, replaceState: put },
    location: {
      href: page.location.href,
      get hash() {
        return hash;
      },
    },
  };
  return new Proxy(page, {
    get(target, name) {
      if (name in own) return own[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
