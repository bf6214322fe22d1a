const { existsSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { join } = require('node:path');

const packages = join(__dirname, '../../../packages');

/**
 * Sources import `./name.js`, and what is there is `name.ts`. A pattern of `moduleNameMapper` can say that, too, but Jest
 * then looks for each import of each module anew for each test file, three times. It remembers what a resolver finds.
 */
module.exports = (request, options) => {
  if (isBuiltin(request)) return request;
  // Core imports what it stands on by the path of each file.
  const [, owner, path] = /^@toolwright\/(ground|wire)\/(.+)$/.exec(request) ?? [];
  if (path !== undefined) return options.defaultResolver(join(packages, `${owner}/src/${path}.ts`), options);
  const [, stem] = /^(\.{1,2}\/.*)\.js$/.exec(request) ?? [];
  const isSource = stem !== undefined && existsSync(`${join(options.basedir, stem)}.ts`);
  return options.defaultResolver(isSource ? `${stem}.ts` : request, options);
};
