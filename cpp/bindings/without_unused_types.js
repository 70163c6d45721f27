// Removes what Embind registers and no function of the modules uses: wide strings and 64-bit integers (0.7 kB), overloaded
// functions and the search for types without a binding (0.4 kB), and the names of C++ types, which only the message about a
// type without a binding contains: it shows a number instead (1.5 kB with -fno-rtti: the module needs neither type information
// nor printf). https://emscripten.org/docs/porting/connecting_cpp_and_javascript/Interacting-with-code.html
addToLibrary({
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: (_rawType, _charSize, _name) => {},
  _embind_register_bigint__deps: [],
  _embind_register_bigint: (_rawType, _name, _size, _least, _most) => {},
  $getTypeName__deps: [],
  $getTypeName: (type) => type,
  $throwUnboundTypeError__deps: [],
  $throwUnboundTypeError: (message, types) => {
    throw new Error(`${message}: ${types}`);
  },
  $exposePublicSymbol__deps: [],
  $exposePublicSymbol: (name, value) => {
    Module[name] = value;
  },
  $replacePublicSymbol__deps: [],
  $replacePublicSymbol: (name, value) => {
    Module[name] = value;
  },
});
