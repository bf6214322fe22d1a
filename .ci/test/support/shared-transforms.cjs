const { createHash, randomUUID } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const swcJest = require('@swc/jest');
const { version } = require('@swc/jest/package.json');
const { version: compiler } = require('@swc/core/package.json');

/**
 * Jest keeps what it has compiled for each project alone, and forgets it when any setting of the project changes, such as the
 * files of a tier. So on a new clone each of some sixty projects compiled the same sources and packages again, in each tier.
 * What SWC makes of a file depends on its text, its path and the options of SWC: by these it is kept for all.
 */
function createTransformer(options) {
  const swc = swcJest.createTransformer(options);
  const settings = JSON.stringify([version, compiler, options]);

  const keyOf = (source, file, { instrument, supportsStaticESM }) =>
    createHash('sha1')
      .update(JSON.stringify([settings, file, Boolean(instrument), Boolean(supportsStaticESM)]))
      .update(source)
      .digest('hex');

  return {
    ...swc,
    getCacheKey: keyOf,
    process(source, file, jest) {
      // Jest itself counts coverage, in what is made here.
      const key = keyOf(source, file, { ...jest, instrument: false });
      const kept = join(jest.config.cacheDirectory, 'toolwright-transforms', key.slice(0, 2), key);
      try {
        return { code: readFileSync(kept, 'utf8') };
      } catch {
        const { code } = swc.process(source, file, jest);
        keep(kept, code);
        return { code };
      }
    },
  };
}

/** Several workers may compile the same file at once, so none reads what another has half written. */
function keep(path, code) {
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${randomUUID()}`;
  writeFileSync(written, code);
  renameSync(written, path);
}

module.exports = { createTransformer };
