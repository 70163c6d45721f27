import { expect, test } from 'vitest';
import { DERIVATION, inNchw } from '../../../web/src/app/lesson/Derivation';
import { alignedLatex, formulaLatex } from '../../../web/src/snippets/latex';
import { spokenFormula } from '../../../web/src/ui/Maths';

const written = DERIVATION.flatMap((step) => step.formulas);
const formulas = [...written, ...written.map(inNchw)];

test('formulas of the derivation are spoken as words, without signs that screen readers skip', () => {
  const spoken = formulas.map(spokenFormula);
  for (const text of spoken) expect(text).toMatch(/^[\w[\](),=+\-/ ]+$/);
  expect(spoken).toContain('dw[p,q] = sum over i,j of dL by dy[i,j] times dy[i,j] by dw[p,q]');
  expect(spoken).toContain('y = C x and dx = C transposed dy');
  expect(spoken).toContain('i = (m-p)/s and j = (n-q)/s');
  expect(spoken).toContain('u = s times i + d times p - P');
});

test('formulas of the derivation are LaTeX with fractions and sums', () => {
  const latex = formulas.map(formulaLatex);
  for (const text of latex) {
    expect(text, text).toMatch(/^[\x20-\x7e]*$/);
    // A command ends before a letter only with a space.
    for (const [command] of text.matchAll(/\\[a-z]+/gi)) expect(KNOWN, `${command} in ${text}`).toContain(command);
  }
  expect(latex).toContain(
    '\\mathit{dw}_{p,q} = \\sum_{i,j} \\frac{\\partial L}{\\partial y_{i,j}} \\cdot \\frac{\\partial y_{i,j}}{\\partial w_{p,q}}',
  );
  expect(latex).toContain('i = \\frac{m-p}{s} \\quad\\text{and}\\quad j = \\frac{n-q}{s}');
  expect(alignedLatex(['a = b', '= c'])).toBe('\\begin{aligned}\na &= b \\\\\n &= c\n\\end{aligned}');
});

const KNOWN = ['\\mathit', '\\sum', '\\frac', '\\partial', '\\cdot', '\\quad', '\\text', '\\top', '\\operatorname'];

test('the full formulas can be spelled for NCHW', () => {
  expect(inNchw('y[n,i,j,k] = b[k] + Σ{c,p,q} x[n,u,v,g·C/G+c] · w[p,q,c,k]')).toBe(
    'y[n,k,i,j] = b[k] + Σ{c,p,q} x[n,g·C/G+c,u,v] · w[k,c,p,q]',
  );
  expect(inNchw('dx[n,u,v,c] = Σ{k,p,q} dy[n,i,j,k] · w[p,q,c,k]')).toBe(
    'dx[n,c,u,v] = Σ{k,p,q} dy[n,k,i,j] · w[k,c,p,q]',
  );
  expect(inNchw('y[i,j] = b + Σ{p,q} x[u,v] · w[p,q]')).toBe('y[i,j] = b + Σ{p,q} x[u,v] · w[p,q]');
});

test('s is the stride in each formula, and never an index', () => {
  const indices = formulas.flatMap((text) => [...text.matchAll(/[a-z]+\[([^\]]*)\]|Σ\{([^}]*)\}/g)]);
  for (const [piece, at = '', over = ''] of indices) expect(`${at},${over}`.split(/\W/), piece).not.toContain('s');
});

/** The value of each formula with the loops of a convolution in place of the sums, for one random problem. */
test('the full formulas are those of a convolution with stride, dilation, padding and groups', () => {
  const [N, C, K, G, H, W, kh, kw, s, d, P] = [2, 4, 6, 2, 6, 5, 3, 2, 2, 1, 1] as const;
  const [oh, ow] = [H, W].map((size, i) => Math.floor((size + 2 * P - d * ((i ? kw : kh) - 1) - 1) / s) + 1) as [
    number,
    number,
  ];
  const values = (seed: number) => (at: readonly number[]) =>
    at.reduce((sum, index) => (sum * 7 + index + seed) % 11, seed) - 5;
  const inside = (u: number, v: number) => u >= 0 && u < H && v >= 0 && v < W;
  const tensors = { x: values(1), w: values(2), dy: values(3), b: values(4) };
  const ranges: Record<string, number> = { n: N, c: C / G, k: K, p: kh, q: kw, i: oh, j: ow };
  /** Evaluates the right side of a formula of the last step for the given indices. */
  const evaluate = (text: string, fixed: Record<string, number>): number => {
    const [, names = ''] = /Σ\{([^}]*)\}/.exec(text) ?? [];
    const loops = names.split(',').filter(Boolean);
    const sum = (rest: readonly string[], at: Record<string, number>): number => {
      const [name, ...others] = rest;
      if (name === undefined) return term(text, at);
      return Array.from({ length: ranges[name] ?? 0 }, (_, i) => sum(others, { ...at, [name]: i })).reduce(
        (a, b) => a + b,
        0,
      );
    };
    return sum(loops, fixed);
  };
  const term = (text: string, at: Record<string, number>): number => {
    const g = Math.floor(((at['k'] ?? 0) * G) / K);
    const all: Record<string, number> = { g, C, G, K, ...at };
    if (all['g'] !== (at['wanted'] ?? g)) return 0;
    if (text.includes('dy[') && !('i' in all)) {
      Object.assign(all, {
        i: ((all['u'] ?? 0) + P - d * (all['p'] ?? 0)) / s,
        j: ((all['v'] ?? 0) + P - d * (all['q'] ?? 0)) / s,
      });
      const isThere = (value = -1, size = 0) => Number.isInteger(value) && value >= 0 && value < size;
      if (!isThere(all['i'], oh) || !isThere(all['j'], ow)) return 0;
    }
    if (!('u' in all))
      Object.assign(all, {
        u: s * (all['i'] ?? 0) + d * (all['p'] ?? 0) - P,
        v: s * (all['j'] ?? 0) + d * (all['q'] ?? 0) - P,
      });
    const [, factors = ''] = text.split('} ');
    return factors.split(' · ').reduce((product, factor) => {
      const [, name = '', list = ''] = /([a-z]+)\[([^\]]*)\]/.exec(factor) ?? [];
      const index = (part: string) =>
        part === 'g·C/G+c' ? ((all['g'] ?? 0) * C) / G + (all['c'] ?? 0) : (all[part] ?? Number.NaN);
      const place = list.split(',').map(index);
      if (name === 'x' && !inside(all['u'] ?? -1, all['v'] ?? -1)) return 0;
      return product * tensors[name as keyof typeof tensors](place);
    }, 1);
  };
  const [, y = '', dx = '', dw = ''] = DERIVATION.at(-1)?.formulas ?? [];
  const db = DERIVATION.at(-2)?.formulas.find((text) => text.startsWith('db')) ?? '';
  // The seven loops of the definition.
  const expected = {
    y: new Map<string, number>(),
    dx: new Map<string, number>(),
    dw: new Map<string, number>(),
    db: new Map<string, number>(),
  };
  const add = (map: Map<string, number>, key: string, value: number) => map.set(key, (map.get(key) ?? 0) + value);
  for (let n = 0; n < N; n += 1)
    for (let i = 0; i < oh; i += 1)
      for (let j = 0; j < ow; j += 1)
        for (let k = 0; k < K; k += 1) {
          const out = tensors.dy([n, i, j, k]);
          add(expected.db, `${k}`, out);
          for (let p = 0; p < kh; p += 1)
            for (let q = 0; q < kw; q += 1)
              for (let c = 0; c < C / G; c += 1) {
                const [u, v] = [s * i + d * p - P, s * j + d * q - P];
                if (!inside(u, v)) continue;
                const channel = (Math.floor(k / (K / G)) * C) / G + c;
                const [x, w] = [tensors.x([n, u, v, channel]), tensors.w([p, q, c, k])];
                add(expected.y, `${n},${i},${j},${k}`, x * w);
                add(expected.dx, `${n},${u},${v},${channel}`, out * w);
                add(expected.dw, `${p},${q},${c},${k}`, out * x);
              }
        }
  for (const [key, value] of expected.y) {
    const [n = 0, i = 0, j = 0, k = 0] = key.split(',').map(Number);
    expect(evaluate(y, { n, i, j, k }), `y[${key}]`).toBe(value);
  }
  for (const [key, value] of expected.dx) {
    const [n = 0, u = 0, v = 0, channel = 0] = key.split(',').map(Number);
    const wanted = Math.floor(channel / (C / G));
    expect(evaluate(dx, { n, u, v, c: channel % (C / G), wanted }), `dx[${key}]`).toBe(value);
  }
  for (const [key, value] of expected.dw) {
    const [p = 0, q = 0, c = 0, k = 0] = key.split(',').map(Number);
    expect(evaluate(dw, { p, q, c, k }), `dw[${key}]`).toBe(value);
  }
  for (const [key, value] of expected.db) expect(evaluate(db, { k: Number(key) }), `db[${key}]`).toBe(value);
});
