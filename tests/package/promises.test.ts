// What the README shows is what the tests compile; one version stands everywhere.

import { describe, expect, it } from 'vitest';
import { textOf } from './build';

/** The blocks of code in a section of the README, by language. */
function blocks(section: string, language: string): string[] {
  const [, text] = textOf('README.md').split(`\n## ${section}\n`);
  const [own] = (text ?? '').split('\n## ');
  return [...(own ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , code]) => code ?? '');
}

describe('the README', () => {
  it.each([
    ['Use it from C++', 'cpp', 'cpp/layer.cpp'],
    ['Use it from C++', 'cmake', 'cpp/CMakeLists.txt'],
    ['Use it from JavaScript', 'js', 'javascript/layer.mjs'],
  ])('has in "%s" the %s that is run', (section, language, file) => {
    expect(blocks(section, language)).toEqual([textOf(`tests/package/${file}`)]);
  });
});

describe('the version', () => {
  const header = textOf('cpp/include/conv2d/version.hpp');
  const version = ['MAJOR', 'MINOR', 'PATCH']
    .map((name) => new RegExp(`^#define CONV2D_VERSION_${name} (\\d+)$`, 'm').exec(header)?.[1])
    .join('.');

  it('of the header is that of package.json', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(JSON.parse(textOf('package.json'))).toMatchObject({ version });
  });

  it('is what the changelog begins with', () => {
    expect(/^## (\S+)/m.exec(textOf('CHANGELOG.md'))?.[1]).toBe(version);
  });
});

describe('the workflow', () => {
  it('checks by .ci/run alone', () => {
    const runs = [...textOf('.github/workflows/check.yml').matchAll(/^ *- run: (.*)$/gm)].map(([, command]) => command);
    expect(runs.filter((command) => !/^(?:apt-get|git) /.test(command ?? ''))).toEqual(['.ci/run']);
  });
});
