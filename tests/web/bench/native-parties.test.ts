import { describe, expect, it } from 'vitest';
import { nativeParties } from '../../../tools/bench/native.mjs';

describe('the parties of the native race', () => {
  it('are this library and the peers that the benchmark was linked with', () => {
    expect(nativeParties({ onednn: '2.6.3', xnnpack: 'libXNNPACK.so.0' }, [1, 2], true)).toEqual({
      ours: 'this tree',
      'ours-2-threads': 'this tree',
      onednn: '2.6.3',
      xnnpack: 'libXNNPACK.so.0',
    });
  });

  it('are only this library without peers', () => {
    expect(nativeParties({ onednn: '2.6.3' }, [1], false)).toEqual({ ours: 'this tree' });
  });

  it('must include a peer if peers are requested', () => {
    expect(() => nativeParties({}, [1], true)).toThrow('neither oneDNN 2 nor OpenBLAS');
  });
});
