/**
 * Writes a WebM file with one video track from encoded chunks: the needed parts of RFC 8794 (EBML) and RFC 9559
 * (Matroska). Times in ms.
 */

export interface WebmChunk {
  readonly data: Uint8Array;
  readonly time: number;
  readonly key: boolean;
}

export interface WebmTrack {
  readonly codec: 'V_VP8' | 'V_VP9';
  readonly width: number;
  readonly height: number;
  readonly duration: number;
}

type Bytes = readonly number[] | Uint8Array;

/** The identifiers of the format, as in the file. */
const ID = {
  ebml: [0x1a, 0x45, 0xdf, 0xa3],
  version: [0x42, 0x86],
  readVersion: [0x42, 0xf7],
  maxIdLength: [0x42, 0xf2],
  maxSizeLength: [0x42, 0xf3],
  docType: [0x42, 0x82],
  docTypeVersion: [0x42, 0x87],
  docTypeReadVersion: [0x42, 0x85],
  segment: [0x18, 0x53, 0x80, 0x67],
  info: [0x15, 0x49, 0xa9, 0x66],
  timestampScale: [0x2a, 0xd7, 0xb1],
  duration: [0x44, 0x89],
  muxingApp: [0x4d, 0x80],
  writingApp: [0x57, 0x41],
  tracks: [0x16, 0x54, 0xae, 0x6b],
  trackEntry: [0xae],
  trackNumber: [0xd7],
  trackUid: [0x73, 0xc5],
  trackType: [0x83],
  codecId: [0x86],
  video: [0xe0],
  pixelWidth: [0xb0],
  pixelHeight: [0xba],
  cluster: [0x1f, 0x43, 0xb6, 0x75],
  timestamp: [0xe7],
  simpleBlock: [0xa3],
} as const;

const APP = 'conv2d playground';
/** The time of a block is relative to its cluster, in signed 16 bits. */
const CLUSTER = 30_000;

export function writeWebm(chunks: readonly WebmChunk[], { codec, width, height, duration }: WebmTrack): ArrayBuffer {
  const header = element(ID.ebml, [
    whole(ID.version, 1),
    whole(ID.readVersion, 1),
    whole(ID.maxIdLength, 4),
    whole(ID.maxSizeLength, 8),
    text(ID.docType, 'webm'),
    whole(ID.docTypeVersion, 2),
    whole(ID.docTypeReadVersion, 2),
  ]);
  const info = element(ID.info, [
    // Time unit in ns: 1 ms.
    whole(ID.timestampScale, 1_000_000),
    float(ID.duration, duration),
    text(ID.muxingApp, APP),
    text(ID.writingApp, APP),
  ]);
  const track = element(ID.trackEntry, [
    whole(ID.trackNumber, 1),
    whole(ID.trackUid, 1),
    whole(ID.trackType, 1),
    text(ID.codecId, codec),
    element(ID.video, [whole(ID.pixelWidth, width), whole(ID.pixelHeight, height)]),
  ]);
  const segment = element(ID.segment, [info, element(ID.tracks, [track]), ...clustersOf(chunks)]);
  return joined([header, segment]).buffer;
}

function clustersOf(chunks: readonly WebmChunk[]): readonly Uint8Array[] {
  const clusters: { readonly start: number; readonly blocks: Uint8Array[] }[] = [];
  for (const { data, time, key } of chunks) {
    let cluster = clusters.at(-1);
    if (!cluster || time - cluster.start >= CLUSTER) {
      cluster = { start: Math.round(time), blocks: [] };
      clusters.push(cluster);
    }
    const since = Math.round(time) - cluster.start;
    // Track 1, its time, and the key frame flag.
    const head = [0x81, since >> 8, since & 255, key ? 0x80 : 0];
    cluster.blocks.push(element(ID.simpleBlock, [head, data]));
  }
  return clusters.map(({ start, blocks }) => element(ID.cluster, [whole(ID.timestamp, start), ...blocks]));
}

function element(id: Bytes, content: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return joined([id, sizeOf(size), ...content]);
}

/** Eight bytes; the first one marks a length of eight. */
function sizeOf(size: number): Bytes {
  const bytes = bigEndian(size, 8);
  bytes[0] = 1;
  return bytes;
}

function whole(id: Bytes, value: number): Uint8Array {
  return element(id, [bigEndian(value, value < 256 ? 1 : 4)]);
}

function float(id: Bytes, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, [bytes]);
}

const text = (id: Bytes, value: string): Uint8Array => element(id, [new TextEncoder().encode(value)]);

function bigEndian(value: number, length: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; bytes.length < length; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
