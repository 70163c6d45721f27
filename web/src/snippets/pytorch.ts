import type { Geometry, Pass } from '../protocol/problem';
import { differentiated, GRADIENTS, makes, sumOfDy, takes } from './python';
import { type Line, linesOf, type Subject } from './snippet';

/**
 * The passes with torch.nn.functional.conv2d and autograd. conv2d pads both sides of an axis equally: otherwise x is
 * padded first, and autograd crops the gradient of the padding. PyTorch's layout is nchw, with w as oihw. PyTorch 1.13
 * has no gradient of a w in double precision that is not contiguous in that order.
 */
export function pytorchCode({ geometry: g, bias }: Subject, wanted: readonly Pass[]): readonly Line[] {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const even = pad.top === pad.bottom && pad.left === pad.right;
  const backwards = gradients(g, bias, wanted);
  const settings = [
    `stride=(${g.stride_h}, ${g.stride_w})`,
    ...(even && pad.top + pad.left > 0 ? [`padding=(${pad.top}, ${pad.left})`] : []),
    ...(g.dilation_h * g.dilation_w > 1 ? [`dilation=(${g.dilation_h}, ${g.dilation_w})`] : []),
    ...(g.groups > 1 ? [`groups=${g.groups}`] : []),
  ];
  const forward = `${backwards.wrt.length > 0 ? `${backwards.wrt.map((tensor) => `${tensor}.requires_grad_()`).join('\n')}\n\n` : ''}\
# x[n, row, col, c] to x[n, c, row, col], w[row, col, c, k] to w[k, c, row, col]
x_nchw = x.permute(0, 3, 1, 2)
w_oihw = w.permute(3, 2, 0, 1).contiguous()
# conv2d pads both sides equally, so other padding is added first
x_padded = F.pad(${nhwc ? 'x_nchw' : 'x'}, (${pad.left}, ${pad.right}, ${pad.top}, ${pad.bottom}))  # left, right, top, bottom
y = F.conv2d(${even ? (nhwc ? 'x_nchw' : 'x') : 'x_padded'}, ${nhwc ? 'w_oihw' : 'w'}, ${bias ? 'b' : 'None'}, ${settings.join(', ')})
y = y.permute(0, 2, 3, 1)  # to NHWC`;
  const kept = forward
    .split('\n')
    .filter((line) => nhwc || !/_nchw =|_oihw =|^# x\[n|permute/.test(line))
    .filter((line) => !even || !/F\.pad|pads both/.test(line));
  const needsForward = wanted.includes('forward') || backwards.wrt.length > 0;
  return linesOf(
    ['import torch\nimport torch.nn.functional as F\n', ...(needsForward ? kept : []), ...backwards.lines].join('\n'),
    {
      [nhwc ? 'y = y.permute' : 'y =']: makes('y'),
      'x_padded =': takes('x'),
      'x_nchw =': takes('x'),
      'w_oihw =': takes('w'),
      ...GRADIENTS,
    },
  );
}

/** The call of autograd. */
function gradients(g: Geometry, bias: boolean, wanted: readonly Pass[]) {
  const wrt = differentiated(wanted, bias);
  const made = wrt.map((tensor) => `d${tensor}`).join(', ');
  const lines = [
    '',
    ...(wrt.length === 1 ? [`(${made},) = torch.autograd.grad(y, ${wrt[0]}, grad_outputs=dy)`] : []),
    ...(wrt.length > 1 ? [`${made} = torch.autograd.grad(y, (${wrt.join(', ')}), grad_outputs=dy)`] : []),
    ...(wanted.includes('backward_bias') && !bias ? [sumOfDy(g, 'dy.sum(dim')] : []),
  ];
  return { wrt, lines: lines.length > 1 ? lines : [] };
}
