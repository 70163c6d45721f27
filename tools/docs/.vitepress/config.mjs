// The site of the documentation. `npm run docs` writes its pages into build/docs/pages.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { notices } from './notices.mjs';

const base = process.env.CONV2D_DOCS_BASE ?? '/docs/';
const pages = join(import.meta.dirname, '../../../build/docs/pages');

const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(join(pages, `${page}.md`), 'utf8'))?.[1] ?? page;
const entry = (page, text = titleOf(page)) => ({ text: text.replace(/`/g, ''), link: `/${page}` });
const group = (text, ...items) => ({ text, items });
const ifThere = (page, text) => (existsSync(join(pages, `${page}.md`)) ? [entry(page, text)] : []);

const ways = ['kernel', 'teach', 'embed', 'contribute'].map((name) => `guides/start/${name}`);
const library = {
  'guides/cpp': 'C++',
  'guides/c': 'C',
  'guides/python': 'Python',
  'guides/javascript': 'JavaScript',
  'guides/testing': 'Test your own kernel',
  'guides/promises': 'Guarantees',
};
const page = ['teaching', 'embedding', 'links', 'hosting'].map((name) => `guides/${name}`);
const others = readdirSync(join(pages, 'guides'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `guides/${name.replace('.md', '')}`)
  .filter((name) => !(name in library) && !page.includes(name));

const cppHeaders = readFileSync(join(pages, 'reference/cpp/index.md'), 'utf8').matchAll(
  /\[`([^`]+)`\]\(\/([^)]+)\.md\)/g,
);
const reference = [
  { ...entry('reference/cpp/', 'C++'), collapsed: true, items: [...cppHeaders].map(([, name, to]) => entry(to, name)) },
  entry('reference/c', 'C'),
  entry('reference/python', 'Python'),
  entry('reference/javascript', 'JavaScript'),
];

/** The site requests nothing from other sites; the browser refuses it, too. Its pages have scripts and styles in them. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

export default defineConfig({
  base,
  srcDir: '../../build/docs/pages',
  cacheDir: '../../build/docs/cache',
  title: 'conv2d',
  description: 'Guides and reference of the conv2d playground and its library',
  head: [['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Doubled braces are C++ here, not templates of Vue.
    config({ renderer: { rules } }) {
      const { code_inline: code, text } = rules;
      rules.code_inline = (tokens, at, ...rest) => {
        tokens[at].attrSet('v-pre', '');
        return code(tokens, at, ...rest);
      };
      rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guides', link: '/guides/cpp', activeMatch: '^/guides/(?!start)' },
      {
        text: 'Reference',
        items: reference.map(({ text, link }) => ({ text, link })),
        activeMatch: '^/reference/',
      },
    ],
    sidebar: [
      group('Start', ...ways.map((name) => entry(name))),
      group('The library', ...Object.entries(library).map(([name, text]) => entry(name, text))),
      group('The page', ...page.map((name) => entry(name))),
      group('Reference', ...reference),
      group(
        'The project',
        ...ifThere('contributing', 'Contributing'),
        ...others.map((name) => entry(name)),
        ...ifThere('examples/index', 'Examples'),
        ...ifThere('changelog', 'Changes'),
        ...ifThere('security', 'Security'),
        { text: 'Licenses of this site', link: `${base}notices.txt`, target: '_self' },
      ),
    ],
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: false, next: false },
  },
  vite: { plugins: [notices()], build: { chunkSizeWarningLimit: 2000 } },
});
