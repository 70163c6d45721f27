// Examples that the check must reject and accept: bodies of a view `(tensor: Tensor, other: Tensor, row: CompareRow,
// sum: Products, g: Geometry)`.

export const rejectedExamples = [
  'return tensor.data[0]! * other.data[0]!;',
  'let sum = 0; for (let i = 0; i < g.h; i += 1) sum += tensor.data[i] ?? 0; return sum;',
  'let sum = 0; for (const value of tensor.data) sum += value; return sum;',
  'return tensor.data.reduce((sum, value) => sum + value, 0);',
  'return other.data.map((value) => value / 9);',
  'const value = tensor.data[g.h] ?? 0; const same = value; return same - 1;',
  'const [first = 0] = tensor.data; return -first;',
  'return Math.abs(tensor.data.at(-1) ?? 0);',
  'return tensor.stats.max_abs * 2;',
  'const { max_abs } = tensor.stats; return max_abs / 2;',
  'const { max_abs_difference: difference } = row; return (difference ?? 0) * 1e6;',
  'const { data } = tensor; data[0] *= 2; return data;',
  'return Math.max(tensor.stats.max_abs, other.stats.max_abs);',
  'return sum.sum * 2;',
  'return Math.abs(sum.products[0] ?? 0);',
];

export const acceptedExamples = [
  'return tensor.data[g.h * g.w + 1] ?? 0;',
  'return tensor.stats.max_abs > other.stats.max_abs ? tensor.stats : other.stats;',
  'return tensor.data.every((value) => value === 0);',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the example has the template
  'return `${tensor.data[0]} of ${tensor.data.length - 1}`;',
  "return 'about ' + tensor.stats.max;",
  'return tensor.shape[0] * tensor.shape[1] + Math.floor(g.h / 2);',
  'const next = tensor.data.slice(); next[g.h + 1] = 1; return next;',
  'return row.milliseconds / 1000;',
  'return sum.products.length + 1;',
];
