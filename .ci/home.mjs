// Writes where the project lives into packages that are about to be published:
//   node .ci/home.mjs [folder]    homepage, repository and bugs of each package, and absolute links in its README
//
// The address stands in no file of the repository: a fork would publish with ours. `GITHUB_REPOSITORY` (owner/name, set by
// GitHub Actions) says it. `SITE_URL` names the documentation site, where one is published.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from './published.mjs';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..');
const { GITHUB_REPOSITORY: repository, SITE_URL: site } = process.env;
if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '')) {
  console.error('Set GITHUB_REPOSITORY to the repository on GitHub, such as owner/name.');
  process.exit(1);
}
const address = `https://github.com/${repository}`;

for (const { folder, manifest } of publishedPackages(root)) {
  const directory = `packages/${folder}`;
  const file = join(root, directory, 'package.json');
  Object.assign(manifest, {
    homepage: site || `${address}/tree/HEAD/${directory}#readme`,
    repository: { type: 'git', url: `git+${address}.git`, directory },
    bugs: { url: `${address}/issues` },
  });
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = join(root, directory, 'README.md');
  if (existsSync(readme)) writeFileSync(readme, withAbsoluteLinks(directory, readFileSync(readme, 'utf8')));
}

/** npm shows a README without the repository around it. */
function withAbsoluteLinks(directory, text) {
  return text.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_link, to) => {
    const [path, anchor] = to.split('#');
    return `](${address}/blob/HEAD/${normalize(join(directory, path))}${anchor ? `#${anchor}` : ''})`;
  });
}
