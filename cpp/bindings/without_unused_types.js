// Embind registers wide strings and 64-bit integers in every module, in 0.7 kB of a download that is counted; no function of
// this one takes or gives any. https://emscripten.org/docs/porting/connecting_cpp_and_javascript/Interacting-with-code.html
addToLibrary({
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: (_rawType, _charSize, _name) => {},
  _embind_register_bigint__deps: [],
  _embind_register_bigint: (_rawType, _name, _size, _least, _most) => {},
});
