// The last script of the page in one file (web/site/single-file.ts): unpacks the files of the site, gives each an address, and
// starts the page.

import { unpack } from './unpack';

interface PackedFile {
  /** As in `conv2dFiles`. */
  readonly name: string;
  /** Its type; that of a style sheet or of the page's script is also how it starts. */
  readonly type: string;
  readonly size: number;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScript(code: string): string }): { createScript(code: string): string };
}

/** In the order of `#packed`: the page's script is the last, and workers come after what they load. */
declare const FILES: readonly PackedFile[];
/** What is before and after the code of a worker that runs in the page: a function of its `self` and `fetch`. */
declare const IN_PAGE: readonly [string, string];

/** The addresses of files by name. The built scripts read it wherever a site has a relative address. */
const conv2dFiles: Record<string, string> = {};

/** A worker has no addresses but those at its head: of the files that its code names. */
function headOf(type: string, file: Uint8Array<ArrayBuffer>): string {
  if (type !== 'text/javascript') return '';
  const code = new TextDecoder().decode(file);
  const named = Object.entries(conv2dFiles).filter(([name]) => code.includes(name));
  return `self.conv2dFiles=${JSON.stringify(Object.fromEntries(named))};`;
}

/** The bytes themselves: the workers of a document without an origin, as of a file, may not read its blobs. */
function dataAddress(type: string, file: Uint8Array<ArrayBuffer>): string {
  const parts: string[] = [];
  // A call has no more than 65,535 arguments in some browsers.
  for (let from = 0; from < file.length; from += 0x8000)
    parts.push(String.fromCharCode(...file.subarray(from, from + 0x8000)));
  return `data:${type};base64,${btoa(parts.join(''))}`;
}

const addressOf = (type: string, file: Uint8Array<ArrayBuffer>): string =>
  type === 'application/wasm'
    ? dataAddress(type, file)
    : URL.createObjectURL(new Blob([headOf(type, file), file], { type }));

function insertStyle(text: string): void {
  const style = document.createElement('style');
  style.textContent = text;
  document.head.append(style);
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('conv2d-page', { createScript: (code) => code });

/** The policy of the page allows this text by its hash, and no other. */
function insertScript(text: string, type: 'module' | ''): void {
  const script = document.createElement('script');
  script.type = type;
  script.textContent = policy?.createScript(text) ?? text;
  document.head.append(script);
}

const INSERT: Readonly<Record<string, (text: string) => void>> = {
  'text/css': insertStyle,
  module: (text) => insertScript(text, 'module'),
};

/** The code of workers by their addresses. */
const codes = new Map<string, string>();

/** A policy that forbids workers of blobs may forbid to read data addresses, too. */
const readData: typeof fetch = async (input) => {
  const [head = '', data = ''] = String(input).split(';base64,');
  const body = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Response(body, { headers: { 'Content-Type': head.replace('data:', '') } });
};

/** Runs the code of a worker in the page. */
function conv2dRun(address: string, self: object): void {
  Object.assign(globalThis, { conv2dSelf: { self, readData } });
  insertScript(IN_PAGE.join(codes.get(address) ?? ''), '');
}

const packed = document.getElementById('packed');
const bytes = unpack(
  packed?.textContent ?? '',
  FILES.reduce((sum, { size }) => sum + size, 0),
);
packed?.remove();
Object.assign(globalThis, { conv2dFiles, conv2dRun });
let at = 0;
for (const { name, type, size } of FILES) {
  const file = bytes.subarray(at, at + size);
  at += size;
  const insert = INSERT[type];
  if (insert) {
    insert(new TextDecoder().decode(file));
    continue;
  }
  const address = addressOf(type, file);
  conv2dFiles[name] = address;
  if (type === 'text/javascript') codes.set(address, new TextDecoder().decode(file));
}
