/** The standard library, and the types of Node.js. No compiler reads their doc comments, and no test changes them. */
const KEPT = /[\\/](?:typescript[\\/]lib[\\/]lib\.|@types[\\/]node[\\/]).*\.d\.[cm]?ts$/;

/**
 * A compiler that parses these files once for all test files of a worker. They are most of what a small project is made
 * of. TypeScript shares parsed files between programs by itself, where it is asked to: in its `DocumentRegistry`.
 */
exports.keepDeclarations = (ts) => {
  const kept = new Map();
  const createSourceFile = (name, text, options, ...more) => {
    const create = () => ts.createSourceFile(name, text, options, ...more);
    if (!KEPT.test(name)) return create();
    // `options` may have a function, which tells modules from scripts. For declarations it says the same always.
    const key = JSON.stringify([name, options, ...more]);
    const found = kept.get(key);
    if (found?.text === text) return found;
    const file = create();
    kept.set(key, file);
    return file;
  };
  const members = Object.getOwnPropertyDescriptors(ts);
  const own = { value: createSourceFile, enumerable: true };
  return Object.defineProperties({}, { ...members, createSourceFile: own });
};
