import { MissingProgramError } from '@toolwright/app-fleet/dist/processes/missing-program-error.js';
import { readSettings, SettingsError } from './settings.js';
import { startAlone } from './start/start-alone.js';
import { startReplicas } from './start/start-replicas.js';

/** Starts the desk and its issuer, says where they are, and stops both on SIGTERM and Ctrl-C. */
async function main(): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(undefined));
  });
  const settings = readSettings(process.env);
  const start = settings.replicas === undefined ? startAlone : startReplicas;
  const { url, issuer, stop, broken } = await start(settings);
  console.log(`desk listening on ${url}\nissuer at ${issuer}`);
  const reason = await (broken ? Promise.race([stopped, broken]) : stopped);
  await stop();
  if (reason !== undefined) throw new Error(`The replicas have ended:\n${reason}`);
}

main().catch((error: unknown) => {
  const canBeMended = error instanceof SettingsError || error instanceof MissingProgramError;
  console.error(canBeMended ? `desk cannot start. ${error.message}` : error);
  process.exit(1);
});
