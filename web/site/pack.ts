import { spawnSync } from 'node:child_process';

/** LZMA without a header, for web/src/boot/unpack.ts. Node has no encoder; Emscripten needs Python, which has one. */
const SCRIPT = `
import lzma, sys
filters = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0, "dict_size": 1 << 23}]
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), format=lzma.FORMAT_RAW, filters=filters))
`;

export function pack(bytes: Uint8Array): Buffer {
  const { status, stdout, stderr, error } = spawnSync('python3', ['-c', SCRIPT], { input: bytes, maxBuffer: 2 ** 26 });
  if (status !== 0)
    throw new Error(`the files were not packed: ${error?.message ?? stderr}. It needs Python 3 with lzma`);
  return stdout;
}
