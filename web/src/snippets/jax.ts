import type { Pass } from '../protocol/problem';
import { differentiated, GRADIENTS, makes, sumOfDy } from './python';
import { type Line, linesOf, type Subject } from './snippet';

/** The passes with jax.lax.conv_general_dilated, which supports every convolution of the page, and jax.vjp. */
export function jaxCode({ geometry: g, bias }: Subject, wanted: readonly Pass[]): readonly Line[] {
  const { padding: pad } = g;
  const nhwc = g.layout === 'nhwc';
  const numbers = nhwc ? '("NHWC", "HWIO", "NHWC")' : '("NCHW", "OIHW", "NCHW")';
  const inputs = bias ? ['x', 'w', 'b'] : ['x', 'w'];
  const added = bias ? (nhwc ? ' + b' : ' + b[:, None, None]') : '';
  const settings = [
    `window_strides=(${g.stride_h}, ${g.stride_w}),`,
    `padding=((${pad.top}, ${pad.bottom}), (${pad.left}, ${pad.right})),`,
    ...(g.dilation_h * g.dilation_w > 1 ? [`rhs_dilation=(${g.dilation_h}, ${g.dilation_w}),`] : []),
    `dimension_numbers=${numbers},`,
    ...(g.groups > 1 ? [`feature_group_count=${g.groups},`] : []),
  ];
  const wrt = differentiated(wanted, bias);
  const made = inputs.map((tensor) => (wrt.some((asked) => asked === tensor) ? `d${tensor}` : '_')).join(', ');
  const needed = wanted.includes('forward') || wrt.length > 0;
  const lines = [
    ...(needed
      ? [
          `def conv(${inputs.join(', ')}):`,
          '    y = lax.conv_general_dilated(',
          '        x,',
          '        w,',
          ...settings.map((setting) => `        ${setting}`),
          '    )',
          `    return y${added}`,
          '',
          wrt.length > 0 ? `y, vjp = jax.vjp(conv, ${inputs.join(', ')})` : `y = conv(${inputs.join(', ')})`,
        ]
      : []),
    ...(wrt.length > 0 ? [`${made} = vjp(dy)`] : []),
    ...(wanted.includes('backward_bias') && !bias ? [sumOfDy(g, 'dy.sum(axis')] : []),
  ];
  return linesOf(['import jax\nfrom jax import lax\n', ...lines].join('\n'), {
    'y = conv(': makes('y'),
    'y, vjp': makes('y'),
    [`${made} =`]: makes(...wrt.map((tensor) => `d${tensor}` as const), 'dy'),
    ...GRADIENTS,
  });
}
