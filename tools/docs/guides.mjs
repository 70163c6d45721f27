// The guides of the site: the documents of the project, with links between them as links between pages.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { projectRoot } from '../setup/paths.mjs';

/** The page of each document outside of docs. */
const OTHERS = {
  'docs/README.md': 'index.md',
  'README.md': 'readme.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'examples/README.md': 'examples/index.md',
};

/** The page of the reference that is made of a source. */
const REFERENCE = {
  'cpp/include/conv2d': 'cpp/index.md',
  'cpp/include/conv2d.h': 'c.md',
  'cpp/bindings/python/conv2d': 'python.md',
  'web/package/api.ts': 'javascript.md',
};

const LANGUAGES = { '.hpp': 'cpp', '.cpp': 'cpp', '.h': 'c', '.c': 'c', '.mjs': 'js', '.js': 'js', '.py': 'python' };

/** Writes the documents into `pages`. `page` is the address of the page, `https://SITE/` in the documents. */
export function writeGuides(pages, page) {
  const documents = new Map(Object.entries(OTHERS).filter(([path]) => existsSync(join(projectRoot, path))));
  for (const path of readdirSync(join(projectRoot, 'docs'), { recursive: true }).map((name) => `docs/${name}`))
    if (path.endsWith('.md') && !documents.has(path)) documents.set(path, path.replace('docs/', 'guides/'));
  const listings = new Map();

  /** The address of a link of a document on the site. */
  const addressOf = (from, link) => {
    if (/^([a-z]+:|#)/.test(link)) return link;
    const [target, hash] = link.split('#');
    const path = posix.join(posix.dirname(from), target).replace(/\/$/, '');
    const after = hash ? `#${hash}` : '';
    if (documents.has(path)) return `/${documents.get(path)}${after}`;
    if (REFERENCE[path]) return `/reference/${REFERENCE[path]}`;
    if (!existsSync(join(projectRoot, path))) throw new Error(`${from} has a link to ${link}, which does not exist`);
    if (/\.(png|svg)$/.test(path)) {
      copy(path, join(pages, 'public', path));
      return `/${path}`;
    }
    if (path.endsWith('.md')) {
      // The loop below also reads it.
      documents.set(path, path.replace(/README\.md$/, 'index.md'));
      return `/${documents.get(path)}${after}`;
    }
    if (path.endsWith('.ipynb')) return `/${documents.get('examples/README.md')}#notebooks`;
    // VitePress makes no page in a folder such as .github.
    listings.set(path, `source/${path.replace(/(^|\/)\./g, '$1')}.md`);
    return `/${listings.get(path)}${after}`;
  };

  for (const [path, target] of documents) {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    write(join(pages, target), rewritten(text, path, addressOf, page));
  }
  for (const [path, target] of listings) write(join(pages, target), listing(path));
}

/** Text with links of the site. Blocks of code stay as they are. */
function rewritten(text, path, addressOf, page) {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, at) => (at % 2 === 1 ? part : linked(part, path, addressOf, page)))
    .join('');
}

const linked = (text, path, addressOf, page) =>
  text
    .replace(
      /\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, words, link) => `[${named(words, path, link)}](${addressOf(path, link)})`,
    )
    .replace(/<img src="([^"]+)"/g, (_, link) => `<img src="${addressOf(path, link)}"`)
    .replace(/`https:\/\/SITE\/`/g, (_, at, all) =>
      pageLink(page, '', /(^|\n)$/.test(all.slice(0, at)) ? 'The playground' : 'the playground'),
    )
    .replace(/`https:\/\/SITE\/([^`]+)`/g, (_, state) => pageLink(page, state, `<code v-pre>${escaped(state)}</code>`));

/** The title of a document in place of the name of its file. */
function named(words, from, link) {
  if (!/^[\w./-]+\.md$/.test(words)) return words;
  const text = readFileSync(join(projectRoot, posix.dirname(from), link.split('#')[0]), 'utf8');
  return /^# (.+)$/m.exec(text)?.[1] ?? words;
}

/** Not a link of the router of the site, which would look for its own page there. */
const pageLink = (page, state, text) => `<a href="${escaped(page + state)}" target="_self">${text}</a>`;

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** A page with the text of a file, or of the files of a folder. */
function listing(path) {
  const full = join(projectRoot, path);
  const files = statSync(full).isDirectory() ? readdirSync(full).map((name) => join(path, name)) : [path];
  const parts = files.map((file) => {
    const language = LANGUAGES[extname(file)] ?? extname(file).slice(1);
    return `## ${posix.basename(file)}\n\n\`\`\`\`${language}\n${readFileSync(join(projectRoot, file), 'utf8')}\`\`\`\`\n`;
  });
  return `# ${path}\n\n${parts.join('\n')}`;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(path, target) {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(projectRoot, path), target);
}
