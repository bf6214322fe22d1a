import { wrongOption } from '@toolwright/core/options';

/** What pg-boss 12 needs. */
const NEEDED = [22, 12] as const;

/** @throws {ConfigurationError} when this Node.js is too old for the engine */
export function checkNodeVersion(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw wrongOption(
    `postgresTasks needs Node.js ${NEEDED.join('.')} or later, because its engine pg-boss does. This is Node.js ${version}.`,
    'Run the server on a newer Node.js. Without a queue, tasks run within the process on this one, too.',
  );
}
