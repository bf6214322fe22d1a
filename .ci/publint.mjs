// Looks for mistakes in the packages to be published, as the command `publint --strict` does in each of their folders. That
// would start three programs for each package. What is in an archive is a question of `.ci/test/publish-dry-run.test.ts`.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { publishedPackages } from './published.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

for (const { folder } of publishedPackages(root)) {
  const { messages, pkg } = await publint({
    pkgDir: join(root, 'packages', folder),
    strict: true,
    pack: false,
  });
  for (const message of messages)
    console.error(`${pkg.name}: ${message.type}: ${formatMessage(message, pkg)}`);
  if (messages.some(({ type }) => type === 'error')) process.exitCode = 1;
}
