import { describe, expect, it } from 'vitest';
import { nativeParties } from '../../../tools/bench/native.mjs';

describe('the parties of the native race', () => {
  it('are this library and the peers, with the versions that the benchmark was linked with', () => {
    const versions = { onednn: '3.7.2', openblas: 'OpenBLAS 0.3.29', xnnpack: '20241108' };
    expect(nativeParties({ ...versions, library_build_type: 'release' }, [1, 2], true)).toEqual({
      ours: 'this tree',
      'ours-2-threads': 'this tree',
      ...versions,
    });
  });

  it('are only this library without peers', () => {
    expect(nativeParties({ onednn: '3.7.2' }, [1], false)).toEqual({ ours: 'this tree' });
  });
});
