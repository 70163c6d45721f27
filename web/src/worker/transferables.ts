/** The buffers of every typed array in a result. All are copies, so they can be transferred. */
export function buffersOf(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && !found.includes(value.buffer)) found.push(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) buffersOf(member, found);
  }
  return found;
}
