/** The bits of floats: equal for NaN, different for zeros of different sign. */
export const bits = (value: unknown): unknown =>
  JSON.stringify(value, (_key, entry) => {
    if (entry instanceof Float32Array)
      return { bits: [...new Uint32Array(entry.buffer, entry.byteOffset, entry.length)] };
    return typeof entry === 'number' ? (Object.is(entry, -0) ? '-0' : String(entry)) : entry;
  });
