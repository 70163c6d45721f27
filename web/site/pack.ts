import { spawnSync } from 'node:child_process';

/** LZMA without a header, for web/src/boot/unpack.ts. Node has no encoder; Emscripten needs Python, which has one. */
const SCRIPT = `
import lzma, sys
filters = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0, "dict_size": 1 << 23}]
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), format=lzma.FORMAT_RAW, filters=filters))
`;

export function pack(bytes: Uint8Array): string {
  const { status, stdout, stderr, error } = spawnSync('python3', ['-c', SCRIPT], { input: bytes, maxBuffer: 2 ** 26 });
  if (status !== 0)
    throw new Error(`the files were not packed: ${error?.message ?? stderr}. It needs Python 3 with lzma`);
  return textOf(stdout);
}

/**
 * Five characters for four bytes, big-endian in base 85: 6 % shorter than base64. The digits are the characters from "(" on without
 * "<", so that the text can stand in a script and in an attribute. Zeros fill the last four bytes.
 */
function textOf(bytes: Buffer): string {
  const parts: string[] = [];
  const whole = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  for (let at = 0; at < whole.length; at += 4) {
    const value = whole.readUInt32BE(at);
    for (let power = 85 ** 4; power >= 1; power /= 85) {
      const digit = Math.floor(value / power) % 85;
      parts.push(String.fromCharCode(digit < 20 ? digit + 40 : digit + 41));
    }
  }
  return parts.join('');
}
