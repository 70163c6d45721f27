/** The buffers of every typed array in a result. Each is a copy that nobody else holds, so all may be transferred. */
export function buffersOf(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && !found.includes(value.buffer)) found.push(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) buffersOf(member, found);
  }
  return found;
}
