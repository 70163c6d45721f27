/** The part of the protobuf wire format that ONNX models need. A message is the concatenation of its fields. */

export type Bytes = readonly Uint8Array[];

const encoder = new TextEncoder();

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

const lengthOf = (parts: Bytes): number => parts.reduce((sum, part) => sum + part.length, 0);

export const intField = (field: number, value: number): Bytes => [varint(field << 3), varint(value)];

export const messageField = (field: number, message: Bytes): Bytes => [
  varint((field << 3) | 2),
  varint(lengthOf(message)),
  ...message,
];

export const bytesField = (field: number, bytes: Uint8Array): Bytes => messageField(field, [bytes]);

export const textField = (field: number, text: string): Bytes => bytesField(field, encoder.encode(text));

export function concatenate(parts: Bytes): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
