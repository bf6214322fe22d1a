const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { threadId } = require('node:worker_threads');

/**
 * Processes of tests load this first. Node.js 20 compiles TypeScript anew in each of them. Here they keep what V8 has
 * compiled, as `toolwright` itself does from Node.js 22.8 on. Everything else is loaded as users load it.
 */
const folder = join(__dirname, '../../../../node_modules/.cache/toolwright-compiled');
const load = Module._extensions['.js'];

Module._extensions['.js'] = (module, file) =>
  /[\\/]typescript[\\/]lib[\\/]typescript\.js$/.test(file) ? loadKept(module, file) : load(module, file);

function loadKept(module, file) {
  const { mtimeMs, size } = statSync(file);
  const key = [file, mtimeMs, size, process.version, process.arch, ...process.execArgv].join('\0');
  const kept = join(folder, createHash('sha1').update(key).digest('hex'));
  const cachedData = read(kept);
  const script = new Script(Module.wrap(readFileSync(file, 'utf8')), { filename: file, cachedData });
  // What has run until then is compiled, and kept with it.
  if (cachedData === undefined) process.once('exit', () => keep(kept, script.createCachedData()));
  const require = Module.createRequire(file);
  script.runInThisContext().call(module.exports, module.exports, require, module, file, dirname(file));
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Several processes may be at it, so none reads what another has half written. */
function keep(file, data) {
  const written = `${file}.${process.pid}.${threadId}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(written, data);
  renameSync(written, file);
}
