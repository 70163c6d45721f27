#include "chain/content.hpp"

namespace conv2d::reference {

template <class T>
void forward(const Chain& chain, const ChainTensors<T>& tensors) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const LayerInfo& layer = chain.layer(i);
    layers::entry_of(layer).reference<T>().forward(layer, layers::run_of(tensors, i));
  }
}

template <class T>
void backward(const Chain& chain, const ChainTensors<T>& tensors) {
  for (std::size_t i = chain.size(); i > 0; --i) {
    const LayerInfo& layer = chain.layer(i - 1);
    layers::entry_of(layer).reference<T>().backward(layer, layers::run_of(tensors, i - 1));
  }
}

template void forward(const Chain&, const ChainTensors<float>&);
template void forward(const Chain&, const ChainTensors<double>&);
template void backward(const Chain&, const ChainTensors<float>&);
template void backward(const Chain&, const ChainTensors<double>&);

}  // namespace conv2d::reference
