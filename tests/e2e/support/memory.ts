import type { CDPSession, Page } from 'playwright-core';

export interface MemoryUse {
  readonly bytes: number;
  readonly nodes: number;
  /** Of the nodes, those in the document. */
  readonly shown: number;
  readonly listeners: number;
}

const COUNT_SHOWN = `(() => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  let count = 1;
  while (walker.nextNode()) count += 1;
  return count;
})()`;

/** The memory of a page after garbage collection. */
export async function measure(session: CDPSession): Promise<MemoryUse> {
  for (let i = 0; i < 3; i += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const { result } = await session.send('Runtime.evaluate', { expression: COUNT_SHOWN });
  return { bytes: usedSize, nodes, shown: result.value, listeners: jsEventListeners };
}

export async function openProfiler(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  return session;
}

export const formatChange = (before: MemoryUse, after: MemoryUse): string =>
  `heap ${(before.bytes / 1e6).toFixed(2)} and ${(after.bytes / 1e6).toFixed(2)} MB, elements ${before.nodes} and ${after.nodes}, ` +
  `shown ${before.shown} and ${after.shown}, ` +
  `listeners ${before.listeners} and ${after.listeners}`;
