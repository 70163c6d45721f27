import { beforeEach } from 'vitest';
import { ComputeClient } from '../../../web/src/compute/client';
import type { ComputeRequest } from '../../../web/src/protocol/messages';
import { makeRequest, type RequestChange } from '../contract/requests';
import { Spawner } from './fake-worker';

export const image = new Float32Array(16);
export const filter = new Float32Array(9);
export const request = (change: RequestChange = {}) => makeRequest(undefined, { x: image, w: filter, ...change });
export const products = (revision: number) =>
  ({ type: 'question', revision, question: { kind: 'partial', process: 'forward', steps: 1 } }) as const;

export const imageRequest = (channels: 1 | 3) =>
  ({ type: 'image', pixels: { data: new Uint8ClampedArray(4), width: 1, height: 1 }, channels }) as const;

/** Those of the current test. */
export let spawner: Spawner;
export let client: ComputeClient;

/** A client with fake workers before each test. */
export const startClients = (): void =>
  beforeEach(() => {
    spawner = new Spawner();
    client = new ComputeClient(spawner.spawn);
  });

/** Computes once and answers; resolves to the revision. */
export async function computed(given: ComputeRequest | RequestChange = {}): Promise<number> {
  const outcome = client.compute('type' in given ? given : request(given));
  spawner.current.answer();
  const ended = await outcome;
  if (ended.status !== 'done') throw new Error(`the compute ended as ${ended.status}`);
  return ended.result.revision;
}
