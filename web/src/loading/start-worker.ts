import { scriptAddress } from './script-address';

/** Starts a worker of this site. The page in one file has ./file-worker.ts in its place. */
export const startWorker = (address: string, name: string): Worker =>
  new Worker(scriptAddress(address), { type: 'module', name });
