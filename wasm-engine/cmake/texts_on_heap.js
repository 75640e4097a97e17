// Replaces Emscripten's `ccall`, which passes texts on the stack. A long text, such as a lab program
// or the branch of a run, fits only on the heap.
/* global _free, Module, stringToNewUTF8, UTF8ToString */
addToLibrary({
  $ccall__deps: ['$stringToNewUTF8', '$UTF8ToString', 'free'],
  $ccall: (name, returns, types = [], values = []) => {
    const texts = [];
    const given = values.map((value, i) => {
      if (types[i] !== 'string') return value;
      const text = stringToNewUTF8(value);
      if (text === 0) throw new Error('The engine has no memory for a text.');
      texts.push(text);
      return text;
    });
    const returned = Module[`_${name}`](...given);
    texts.forEach((text) => _free(text));
    return returns === 'string' ? UTF8ToString(returned) : returned;
  },
});
