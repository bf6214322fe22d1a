/**
 * Makes all test files of a worker share a module, and the code that V8 has optimised for it. The TypeScript compiler needs
 * half a second to load, and is twice as fast when it is warm.
 */
module.exports = {
  process: (_source, file) => ({
    code: `module.exports = globalThis[Symbol.for('toolwright.shared')](${JSON.stringify(file)});`,
  }),
  getCacheKey: (_source, file) => `shared ${file}`,
};
