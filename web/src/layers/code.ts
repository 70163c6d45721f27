import { type Geometry, SIDES } from '../protocol/problem';

/** Lines of generated code that several kinds of layers share. */

/** Texts in lists; false or undefined in place of what the code does not need. */
export type Texts = string | false | undefined | readonly Texts[];

/** The lines of the texts. */
export function flat(texts: Texts): readonly string[] {
  if (typeof texts === 'string') return texts.split('\n');
  return texts ? texts.flatMap(flat) : [];
}

export const isPadded = ({ padding }: Geometry): boolean => SIDES.some((side) => padding[side] > 0);

/** In PyTorch: "2", or "(2, 3)". */
export const pairOf = (rows: number, cols: number): string => (rows === cols ? String(rows) : `(${rows}, ${cols})`);

/** NumPy: the windows of x, which has its channels last. `value`: of the padding. */
export const numpyWindows = (x: string, value = ''): Texts => [
  `x_padded = np.pad(${x}, ((0, 0), (TOP, BOTTOM), (LEFT, RIGHT), (0, 0))${value})`,
  'rows = SH * np.arange(OH)[:, None] + DH * np.arange(KH)  # [OH, KH], of x_padded',
  'cols = SW * np.arange(OW)[:, None] + DW * np.arange(KW)  # [OW, KW]',
  'windows = x_padded[:, rows[:, None, :, None], cols[None, :, None, :]]  # [N, OH, OW, KH, KW, C]',
];

/** NumPy: dx without the padding. */
export const numpyCropped = (back: string): string =>
  `dx = dx_padded[:, TOP : TOP + H, LEFT : LEFT + W]${back}  # without the padding`;

export const NUMPY_COL2IM = `\
# col2im: adds each tap of all windows to dx; overlapping windows add up
dx_padded = np.zeros((N, TOP + H + BOTTOM, LEFT + W + RIGHT, C))
for p in range(KH):
    for q in range(KW):
        to_rows = slice(p * DH, p * DH + (OH - 1) * SH + 1, SH)
        to_cols = slice(q * DW, q * DW + (OW - 1) * SW + 1, SW)
        dx_padded[:, to_rows, to_cols] += windows_dx[:, :, :, p, q]`;

export const numpySizes = ({ padding: pad, ...g }: Geometry): Texts => [
  `N, H, W, C = ${g.n}, ${g.h}, ${g.w}, ${g.c}  # x`,
  `KH, KW, K = ${g.kh}, ${g.kw}, ${g.k}  # w, K filters`,
  `OH, OW = ${g.oh}, ${g.ow}  # y`,
  `SH, SW, DH, DW = ${g.stride_h}, ${g.stride_w}, ${g.dilation_h}, ${g.dilation_w}  # stride, dilation`,
  `TOP, BOTTOM, LEFT, RIGHT = ${pad.top}, ${pad.bottom}, ${pad.left}, ${pad.right}  # padding`,
  g.groups > 1 && `G, GC, GK = ${g.groups}, ${g.group_c}, ${g.group_k}  # groups; channels, filters of each`,
  '',
];
