import { Fleet } from './fleet.js';
import { MissingProgramError } from './processes/missing-program-error.js';
import { readNumber, SettingsError } from './settings.js';

/** Starts the fleet, tells what runs where, and stops everything on SIGTERM and Ctrl-C. */
async function main(): Promise<void> {
  // A terminal sends Ctrl-C to all processes of the group. The replicas drain by themselves then; here they are awaited.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const fleet = await Fleet.start({
    replicas: readNumber('FLEET_REPLICAS', process.env.FLEET_REPLICAS, { least: 1, most: 16, otherwise: 3 }),
    port: readNumber('PORT', process.env.PORT, { least: 0, most: 65_535, otherwise: 3000 }),
    workers: readNumber('FLEET_WORKERS', process.env.FLEET_WORKERS, { least: 0, most: 16, otherwise: 2 }),
    supervise: true,
    onStart: ({ name, address, pid }) =>
      console.log(address === undefined ? `${name} pid ${pid}` : `${name} at ${address} pid ${pid}`),
  });
  console.log(`fleet listening on ${fleet.url}`);
  await stopped;
  await fleet.stop();
}

main().catch((error: unknown) => {
  const canBeMended = error instanceof SettingsError || error instanceof MissingProgramError;
  console.error(canBeMended ? `fleet cannot start. ${error.message}` : error);
  process.exitCode = 1;
});
