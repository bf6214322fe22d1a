import { MissingProgramError } from '@toolwright/app-fleet/dist/processes/missing-program-error.js';
import { readSettings, SettingsError } from './settings.js';
import { startAlone } from './start/start-alone.js';
import { startReplicas } from './start/start-replicas.js';

/** Starts the desk and its issuer, says where they are, and stops both on SIGTERM and Ctrl-C. */
async function main(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const settings = readSettings(process.env);
  const { url, issuer, stop } = await (settings.replicas === undefined
    ? startAlone(settings)
    : startReplicas(settings));
  console.log(`desk listening on ${url}\nissuer at ${issuer}`);
  await stopped;
  await stop();
}

main().catch((error: unknown) => {
  const canBeMended = error instanceof SettingsError || error instanceof MissingProgramError;
  console.error(canBeMended ? `desk cannot start. ${error.message}` : error);
  process.exit(1);
});
