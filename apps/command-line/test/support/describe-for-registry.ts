import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { InstalledPackage } from './dependency-closure.js';

const MAX_TARBALL = 300 * 2 ** 20;

/** What a client sends to publish a package: its manifest, and its files as a tarball. */
export function describeForRegistry({ directory, manifest }: InstalledPackage, registry: string): object {
  const { name, version } = manifest;
  const tarball = pack(directory);
  const file = `${basename(name)}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    shasum: createHash('sha1').update(tarball).digest('hex'),
    tarball: `${registry}${name}/-/${file}`,
  };
  return {
    _id: name,
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
    _attachments: {
      [file]: {
        content_type: 'application/octet-stream',
        data: tarball.toString('base64'),
        length: tarball.length,
      },
    },
  };
}

/** Clients drop the first folder of each path, whatever it is called. Nothing is sent far, so it is compressed little. */
function pack(directory: string): Buffer {
  // Files that are the same are one on this disk. A client skips links.
  const words = [
    '-c',
    '--hard-dereference',
    '--exclude',
    'node_modules',
    '-C',
    dirname(directory),
    basename(directory),
  ];
  const { status, stdout, stderr } = spawnSync('tar', words, { maxBuffer: MAX_TARBALL });
  if (status !== 0) throw new Error(`${directory} was not packed: ${stderr.toString()}`);
  return gzipSync(stdout, { level: 1 });
}
