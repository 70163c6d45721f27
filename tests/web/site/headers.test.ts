// cspell:ignore ndex
import { describe, expect, test } from 'vitest';
import { headersOf } from '../../../web/site/headers.ts';

const policyOf = (path: string) => headersOf(path)['Content-Security-Policy'];

describe('other sites can frame', () => {
  test.each(['/embed.html', '/embed'])('%s', (path) => expect(policyOf(path)).toBeUndefined());
});

describe('other sites cannot frame', () => {
  // A server may answer each of them with the page.
  test.each([
    '/',
    '/index.html',
    '/index',
    '/INDEX.HTML',
    '/%69ndex.html',
    '/index.html/',
    '/nothing',
    '/a/b',
    '/embed/',
  ])('%s', (path) => expect(policyOf(path)).toBe("frame-ancestors 'self'"));
});

test('a worker has its own policy', () => {
  expect(policyOf('/assets/worker-1.js')).toMatch(/^default-src 'none'/);
});
