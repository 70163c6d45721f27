import { expect, it } from 'vitest';
import { embedCode, embeddedState, isLocalhost, parseOrigin } from '../../../web/src/app/export/EmbedEntry';
import { embedParametersOf } from '../../../web/src/embed/parameters';
import { parseLink } from '../../../web/src/link/parse-link';
import { writeLink } from '../../../web/src/link/write-link';

const SITE = 'https://conv2d.example/some/where/?any=1#h=5';
const FRAME = {
  file: 'embed.html',
  mode: 'dx',
  title: 'A "dx" <& more',
  width: '100%',
  height: '480',
  theme: 'dark',
  origin: '',
} as const;
const LINK =
  'h=7&kh=3&x=ramp&weights=countdown:9&mode=board&board.t=4&dx.way=gather&cell=y.3&side=lesson&lesson=padding.2';

/** The unescaped value of an attribute. */
const read = (code: string, name: string): string => {
  const [, text = ''] = new RegExp(`${name}="([^"]*)"`).exec(code) ?? [];
  return text.replace(/&(amp|quot|lt);/g, (_, sign) => ({ amp: '&', quot: '"', lt: '<' })[sign as 'amp'] ?? '');
};

it('embeds the state that a frame shows', () => {
  const { hash } = writeLink(embeddedState(parseLink(LINK), 'dx'));
  const code = embedCode(SITE, hash, { ...FRAME, origin: ' https://course.example/lecture/3?a ' });
  expect([read(code, 'title'), read(code, 'width'), read(code, 'height')]).toEqual([FRAME.title, '100%', '480']);
  const address = new URL(read(code, 'src'));
  expect(address.origin + address.pathname).toBe('https://conv2d.example/some/where/embed.html');
  expect(embedParametersOf(address.search, 'https://conv2d.example')).toEqual({
    mode: 'dx',
    theme: 'dark',
    origins: ['https://course.example'],
    complaints: [],
  });
  const { problem, look, complaints } = parseLink(address.hash);
  expect(complaints).toEqual([]);
  expect(problem).toEqual(parseLink(LINK).problem);
  expect([look.settings, look.pinned]).toEqual([{ dx: { way: 'gather' } }, { tensor: 'y', index: 3 }]);
  expect([look.side, look.lesson]).toEqual(['explain', null]);
  const whole = new URL(read(code, 'href'));
  expect(whole.origin + whole.pathname + whole.search).toBe('https://conv2d.example/some/where/');
  expect(parseLink(whole.hash).look).toEqual({ ...look, mode: 'dx' });
});

it('omits an origin that is not an http(s) address', () => {
  for (const text of ['', 'course', '*', 'null', 'file:///a.html', 'javascript:alert(1)']) {
    expect([text, parseOrigin(text)]).toEqual([text, null]);
    expect(embedCode(SITE, 'h=5', { ...FRAME, origin: text })).not.toContain('origin=');
  }
  expect(['http://localhost:4173/', 'http://127.0.0.1/', 'file:///a.html', SITE].map(isLocalhost)).toEqual([
    ...[true, true, true],
    false,
  ]);
});

it('frames the page in one file itself', () => {
  const code = embedCode('file:///home/me/conv2d.html?1#h=5', 'h=6', { ...FRAME, file: '' });
  expect(read(code, 'src')).toBe('file:///home/me/conv2d.html?embed=dx&theme=dark#h=6');
});
