// The documents agree with the project: code blocks, links, file names, commands and the version.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, textOf } from './build';

/** The code blocks of a document in one language. */
const blocks = (document: string, language: string): string[] =>
  [...textOf(document).matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , code]) => code ?? '');

const GIT = { cwd: ROOT, encoding: 'utf8' } as const;
const lines = (text: string): string[] => text.trim().split('\n');

const DOCUMENTS = lines(execFileSync('git', ['ls-files', '*.md'], GIT));

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (document: string): string[] =>
  [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  it.each([
    ['README.md', 'cpp', ['cpp/first.cpp']],
    ['README.md', 'js', ['javascript/first.mjs']],
    ['docs/cpp.md', 'cpp', ['cpp/layer.cpp', 'cpp/transposed.cpp']],
    ['docs/cpp.md', 'cmake', ['cpp/CMakeLists.txt']],
    ['docs/c.md', 'c', ['c/layer.c', 'c/verdict.c']],
    ['docs/c.md', 'cmake', ['c/CMakeLists.txt']],
    ['docs/python.md', 'python', ['python/layer.py', 'python/notebook.py', 'python/test_layer.py', 'python/arrays.py']],
    ['docs/javascript.md', 'js', ['javascript/layer.mjs', 'javascript/prepared.mjs', 'javascript/check.mjs']],
  ])('show in %s the %s that the tests run', (document, language, files) => {
    expect(blocks(document, language)).toEqual(files.map((file) => textOf(`tests/package/${file}`)));
  });

  it.each(DOCUMENTS)('link in %s only to files and headings that exist', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
    const broken = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? document : join(dirname(document), path);
      return !existsSync(join(ROOT, target)) || (anchor !== '' && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(['CONTRIBUTING.md', 'docs/decisions.md', 'docs/promises.md'])(
    'name in %s only files that exist',
    (document) => {
      const named = [...textOf(document).matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
      expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    },
  );

  it('name in docs/teaching.md every lesson and exercise set by its title', () => {
    const lessons = lines(execFileSync('git', ['ls-files', 'web/content/lessons'], GIT));
    const entries: readonly { readonly title: string }[] = [
      ...lessons.map((file) => parse(textOf(file))),
      ...parse(textOf('web/content/exercises.yaml')),
    ];
    const titles = entries.map(({ title }) => title);
    expect(titles).toHaveLength(34);
    expect(titles.filter((title) => !textOf('docs/teaching.md').replace(/\s+/g, ' ').includes(`*${title}*`))).toEqual(
      [],
    );
  });

  it('list every command in the README', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: object };
    const commands = Object.keys(scripts).map((name) => (/^(?:start|test)$/.test(name) ? name : `run ${name}`));
    expect(commands.filter((command) => !textOf('README.md').includes(`\`npm ${command}`))).toEqual([]);
  });
});

describe('the version', () => {
  const header = textOf('cpp/include/conv2d/version.hpp');
  const version = ['MAJOR', 'MINOR', 'PATCH']
    .map((name) => new RegExp(`^#define CONV2D_VERSION_${name} (\\d+)$`, 'm').exec(header)?.[1])
    .join('.');

  it('of the header stands in every file that repeats it', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const lock = JSON.parse(textOf('package-lock.json'));
    const repeated = {
      'package.json': JSON.parse(textOf('package.json')).version,
      'package-lock.json': lock.version,
      'package-lock.json, its root': lock.packages[''].version,
      'CHANGELOG.md': /^## (\S+)/m.exec(textOf('CHANGELOG.md'))?.[1],
      'README.md': /\bconv2d-(\S+)\.tgz\b/.exec(textOf('README.md'))?.[1],
      'vcpkg.json': JSON.parse(textOf('packaging/vcpkg/conv2d/vcpkg.json')).version,
    };
    expect(repeated).toEqual(Object.fromEntries(Object.keys(repeated).map((file) => [file, version])));
  });
});

describe('the workflow', () => {
  it('runs .ci/run, then makes the documentation beside the page', () => {
    const runs = [...textOf('.github/workflows/check.yml').matchAll(/^ *- run: (.*)$/gm)].map(([, command]) => command);
    expect(runs.filter((command) => !/^(?:apt-get|git) /.test(command ?? ''))).toEqual([
      '.ci/run',
      expect.stringMatching(/^npm run --silent docs -- --to web\/dist\/docs --base "[^"]+\/docs\/"$/),
    ]);
  });
});
