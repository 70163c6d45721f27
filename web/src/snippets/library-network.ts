import { flat } from '../layers/code';
import { optionsOf } from '../layers/list';
import { largestText } from './check';
import { cppFunctions, cppLossChecks, inputMembers, vectorsOf, vectorText, windowMembers } from './library';
import { LAYER_BY_LAYER, type NetworkCheckSubject, type NetworkStep, networkSteps, sumsOf } from './network';
import { type CodeLine, fill, indented, type LayerSubject, linesOf } from './snippet';

/** All layers of a network with the chain of this library. */

const layerText = ({ layer }: NetworkStep): string => {
  const { geometry: g, kind, fields, hasWeights } = layer;
  // Without weights, k is the number of channels.
  const windows = windowMembers(hasWeights ? { ...g, k: layer.channels } : { ...g, k: 1, groups: 1 });
  const options = Object.entries(optionsOf(kind, fields)).map(([name, value]) => `{"${name}", ${value}}`);
  const members = flat([
    `.kind = "${kind}"`,
    windows.length > 0 && `.windows = {${windows.join(', ')}}`,
    options.length > 0 && `.options = {{${options.join(', ')}}}`,
  ]);
  return `{${members.join(', ')}}`;
};

const hasWinners = (layer: LayerSubject): boolean => layer.plain?.hasWinners === true;

const chainText = ({ layer }: NetworkStep, layers: string): string =>
  `{${[...inputMembers({ ...layer.geometry, ...layer.input }), `.layers = ${layers}`].join(', ')}}`;

const CODE = `\
#include <conv2d_teach/chain.hpp>
{include}#include <vector>

// Fields that are 1 or 0 are left out.
const std::vector<conv2d::LayerDesc> layers{
    {layers}
};
const auto chain = conv2d::plan_chain({chain}{options});
// Here: return if !chain.ok(); chain.status().message has the reason.

std::vector<float> dx(chain->layer(0).x_size);
{sized}
std::vector<float> workspace(chain->memory().workspace_floats);

const std::vector<conv2d::LayerTensors<float>> tensors{
    {tensors}
};
const conv2d::ChainTensors<float> all{.x = x, .dx = dx, .layers = tensors};
auto status = conv2d::forward(*chain, all, {.workspace = workspace});
{loss}
if (status.ok()) status = conv2d::backward(*chain, all, {.workspace = workspace});`;

const LOSS = `\
// {dy}: gradient of the loss between {y} and target
const auto channels = conv2d::LossChannels::of(chain->layers().back());
const auto loss = conv2d::loss_value<float>("{loss}", {y}, target, channels);
if (status.ok()) status = conv2d::loss_gradient<float>("{loss}", {y}, target, {dy}, channels);`;

/** x, the target of a loss or the dy of the last layer, and w and b of the convolutions are ranges of floats. */
export function libraryNetworkCode(layers: readonly LayerSubject[]): readonly CodeLine[] {
  const steps = networkSteps(layers);
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return [];
  const { loss } = last.layer;
  const tensors = steps.map(({ layer, names: { w, b, y, dy, dw, db } }) => {
    const members = flat([
      layer.hasWeights && [`.w = ${w}`, layer.bias && `.b = ${b}`],
      `.y = ${y}`,
      hasWinners(layer) && `.winners = winners${y.slice(1)}`,
      `.dy = ${dy}`,
      layer.hasWeights && [`.dw = ${dw}`, `.db = ${db}`],
    ]);
    return `{${members.join(', ')}},`;
  });
  const sized = steps.map(({ layer, names: { y, dy, dw, db } }, i) => {
    const vector = (name: string, size: string) => `std::vector<float> ${name}(chain->layer(${i}).${size});`;
    return [
      vector(y, 'y_size'),
      hasWinners(layer) && `std::vector<std::int32_t> winners${y.slice(1)}(chain->layer(${i}).winners_size);`,
      (dy !== last.names.dy || loss !== undefined) && vector(dy, 'y_size'),
      layer.hasWeights && [vector(dw, 'w_size'), vector(db, 'b_size')],
    ];
  });
  return linesOf(
    fill(CODE, {
      ...last.names,
      layers: steps.map((step) => `${layerText(step)},  // ${step.names.fn}: ${step.layer.title}`).join('\n'),
      chain: chainText(first, 'layers'),
      sized: flat(sized).join('\n'),
      tensors: tensors.join('\n'),
      include: loss ? '#include <conv2d_teach/losses.hpp>\n' : '',
      options: loss ? `, {.loss = "${loss}"}` : '',
      loss: fill(loss ? LOSS : '// Here: {dy} can follow from {y}, as the gradient of a loss.', {
        ...last.names,
        loss: loss ?? '',
      }),
    }),
  );
}

/** Each layer as a chain of one, with the values of the page. */
export function libraryNetworkCheck({ steps, given, ofLoss }: NetworkCheckSubject): string {
  const checks = steps.flatMap((step) => {
    const { layer, names } = step;
    const weights = layer.hasWeights ? [names.w, layer.bias ? names.b : '{}'] : ['{}', '{}'];
    return [
      '',
      `{  // ${names.fn}: ${layer.title}`,
      `  const std::vector<conv2d::LayerDesc> layer{${layerText(step)}};`,
      `  const Results here = run(${chainText(step, 'layer')}, ${[names.x, ...weights, names.dy].join(', ')});`,
      '  if (!here.status.ok()) return failed(here.status);',
      ...sumsOf(step).map((sum) => {
        const name = names[sum.name];
        const most = largestText(sum, (tensor) => `largest(${tensor})`);
        return `  good &= check("${name}", ${name}, here.${sum.name}, ${sum.bound}, ${most});`;
      }),
      '}',
    ];
  });
  const last = steps.at(-1);
  const shape = given.find(({ name }) => name === last?.names.y)?.sizes ?? [];
  const channels = `conv2d::LossChannels::of(conv2d::Layout::${last?.layer.geometry.layout}, {${shape.join(', ')}})`;
  const end = ofLoss && last ? cppLossChecks(ofLoss, channels, last.names.y, last.names.dy) : [];
  return `\
// Compares the results of the conv2d playground with this library, layer by layer. Fails if they differ by more than rounding.
#include <algorithm>
#include <cmath>
#include <conv2d_teach/chain.hpp>
${ofLoss ? '#include <conv2d_teach/losses.hpp>\n' : ''}#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

// The exact float32 values of the page. y2 is the output of layer 2, and dy2 its gradient.
${[...given.map((numbers) => vectorText(numbers, numbers.name)), ...vectorsOf(ofLoss)].join('\n')}

struct Results {
  conv2d::Status status;
  std::vector<float> y, dx, dw, db;
};

/// A chain of one layer.
Results run(const conv2d::ChainDesc& desc, const std::vector<float>& x, const std::vector<float>& w,
            const std::vector<float>& b, std::vector<float> dy) {
  Results here;
  const auto chain = conv2d::plan_chain(desc);
  if (!chain.ok()) return {.status = chain.status(), .y = {}, .dx = {}, .dw = {}, .db = {}};
  const conv2d::LayerInfo& info = chain->layer(0);
  here.y.resize(info.y_size);
  here.dx.resize(info.x_size);
  here.dw.resize(info.w_size);
  here.db.resize(info.b_size);
  std::vector<std::int32_t> winners(info.winners_size);
  std::vector<float> workspace(chain->memory().workspace_floats);
  const std::vector<conv2d::LayerTensors<float>> layers{
      {.w = w, .b = b, .y = here.y, .winners = winners, .dy = dy, .dw = here.dw, .db = here.db}};
  const conv2d::ChainTensors<float> tensors{.x = x, .dx = here.dx, .layers = layers};
  here.status = conv2d::forward(*chain, tensors, {.workspace = workspace});
  if (here.status.ok()) here.status = conv2d::backward(*chain, tensors, {.workspace = workspace});
  return here;
}

${cppFunctions([...LAYER_BY_LAYER, 'Here, both results are float32: the tolerance is that of two.'])}
int main() {
  bool good = true;
${indented([...checks, ...end]).join('\n')}

  return good ? 0 : 1;
}
`;
}
