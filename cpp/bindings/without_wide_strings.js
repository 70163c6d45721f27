// Embind registers wide strings in every module, in 0.6 kB of a download that is counted; no function of this one takes or
// gives one. https://emscripten.org/docs/porting/connecting_cpp_and_javascript/Interacting-with-code.html
addToLibrary({
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: (_rawType, _charSize, _name) => {},
});
