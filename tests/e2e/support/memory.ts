import type { CDPSession, Page } from 'playwright-core';

export interface MemoryUse {
  readonly bytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** The memory of a page after garbage collection. */
export async function measure(session: CDPSession): Promise<MemoryUse> {
  for (let i = 0; i < 3; i += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { bytes: usedSize, nodes, listeners: jsEventListeners };
}

export async function openProfiler(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  return session;
}

export const formatChange = (before: MemoryUse, after: MemoryUse): string =>
  `heap ${(before.bytes / 1e6).toFixed(2)} and ${(after.bytes / 1e6).toFixed(2)} MB, elements ${before.nodes} and ${after.nodes}, ` +
  `listeners ${before.listeners} and ${after.listeners}`;
