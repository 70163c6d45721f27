import { describe, expect, it } from 'vitest';
import { fileSets } from '../../../web/package/cli/file-sets';
import { readCommandLine } from '../../../web/package/cli/options';

describe('the command line', () => {
  it('has files and options in any order', () => {
    const args = ['a.npz', '--json', 'b.npz', '--learning-rate=0.05', '--page', 'https://example.org'];
    expect(readCommandLine(args)).toEqual({
      ...{ files: ['a.npz', 'b.npz'], json: true, learningRate: 0.05, page: 'https://example.org' },
    });
    expect(readCommandLine(['a.npz'])).toEqual({ files: ['a.npz'], json: false, learningRate: 0, page: '' });
    expect(readCommandLine(['--', '--json'])).toMatchObject({ files: ['--json'], json: false });
  });

  it.each([
    [['--fast', 'a.npz'], "Unknown option '--fast'"],
    [['-x', 'a.npz'], "Unknown option '-x'"],
    [['--json=yes', 'a.npz'], '--json'],
    [['a.npz', '--page'], '--page'],
    [['--json'], 'no file is given'],
    [['a.npz', '--learning-rate', '0'], '--learning-rate is "0", but must be a number above 0'],
    [['a.npz', '--learning-rate', ''], '--learning-rate is "", but must be a number above 0'],
    [['a.npz', '--learning-rate', 'Infinity'], '"Infinity"'],
  ])('refuses %j', (args, named) => {
    const found = readCommandLine(args);
    expect(found).toHaveProperty('fault', expect.stringContaining(named));
    // Without advice about arguments that begin with a dash.
    expect(found).not.toHaveProperty('fault', expect.stringContaining('\n'));
    expect(found).not.toHaveProperty('fault', expect.stringContaining('To specify'));
  });

  it('asks for help also beside other options', () => {
    expect(readCommandLine(['-h'])).toEqual({ help: true });
    expect(readCommandLine(['a.npz', '--json', '--help'])).toEqual({ help: true });
  });
});

describe('files', () => {
  it('are sets of their own, except .npy files', () => {
    expect(fileSets(['a.npz', 'x.npy', 'b.json', 'out/w.NPY'])).toEqual([
      { name: 'a.npz', paths: ['a.npz'] },
      { name: 'x.npy out/w.NPY', paths: ['x.npy', 'out/w.NPY'] },
      { name: 'b.json', paths: ['b.json'] },
    ]);
  });

  it('with the same name are sets by their folders', () => {
    expect(fileSets(['1/x.npy', '1/y.npy', '2/x.npy', '2/y.npy', 'a.npz', 'a.npz']).map(({ paths }) => paths)).toEqual([
      ['1/x.npy', '1/y.npy'],
      ['2/x.npy', '2/y.npy'],
      ['a.npz'],
      ['a.npz'],
    ]);
  });
});
