// Removes Embind's registration of wide strings and 64-bit integers, which no function of the modules uses: saves 0.7 kB. https://emscripten.org/docs/porting/connecting_cpp_and_javascript/Interacting-with-code.html
addToLibrary({
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: (_rawType, _charSize, _name) => {},
  _embind_register_bigint__deps: [],
  _embind_register_bigint: (_rawType, _name, _size, _least, _most) => {},
});
