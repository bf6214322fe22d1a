const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

/** A new PGlite makes a cluster, which takes most of its start. Here it begins with a copy of one that was made before. */
const root = join(__dirname, '../../..');
const main = require.resolve('@electric-sql/pglite', { paths: [join(root, 'packages/postgres')] });
const { version } = JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8'));
const cluster = join(root, 'node_modules/.cache/toolwright-pglite', `${version}.tar`);

/** Run as a program, it makes the cluster. */
async function makeCluster() {
  const { PGlite } = require(main);
  const pglite = new PGlite();
  await pglite.waitReady;
  const dump = await pglite.dumpDataDir('none');
  mkdirSync(dirname(cluster), { recursive: true });
  const written = `${cluster}.${process.pid}`;
  writeFileSync(written, Buffer.from(await dump.arrayBuffer()));
  // Several workers may be at it, so none reads what another has half written.
  renameSync(written, cluster);
  await pglite.close();
}

function prepare() {
  if (!existsSync(cluster)) execFileSync(process.execPath, [__filename]);
  return { loadDataDir: new Blob([readFileSync(cluster)]) };
}

if (require.main === module) void makeCluster();
else exports.options = prepare();
