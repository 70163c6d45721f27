import type { BenchResult, Entry, Race } from '../result';
import { fastest, gigaflops, partiesOf } from './summary';

/** An unexpectedly slow entry: the benchmark itself may slow it down. */
export interface Suspect {
  readonly race: Race;
  readonly entry: Entry;
  /** GFLOP/s of the party's forward pass / GFLOP/s of the entry. */
  readonly slower: number;
}

/**
 * The fastest forms of the peers are up to eight times slower than forward, and more only without a fast form (dx with
 * strides in TensorFlow.js, dw of R7 in ONNX Runtime). LiteRT's dx of S1 with subnormal lanes was 150 times slower.
 */
const SUSPICIOUS = 10;

/** Checks the fastest form of each party. Excludes backward_bias, which is limited by memory and not by flops. */
export function suspects(result: BenchResult): Suspect[] {
  return result.races
    .filter(({ pass }) => pass !== 'forward' && pass !== 'backward_bias')
    .flatMap((race) => {
      const forward = result.races.find(({ shape, pass }) => shape === race.shape && pass === 'forward');
      return partiesOf(result).flatMap((party) => {
        const entry = bestOf(race, party);
        const reference = forward && bestOf(forward, party);
        if (!entry || !forward || !reference) return [];
        const slower = gigaflops(forward, reference) / gigaflops(race, entry);
        return slower > SUSPICIOUS ? [{ race, entry, slower }] : [];
      });
    });
}

const bestOf = ({ entries }: Race, party: string) => fastest(entries.filter((entry) => entry.party === party));
