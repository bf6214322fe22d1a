import { serveHttp } from '@toolwright/http';
import { createPagesServer } from './pages-server.js';
import { run } from './run.js';
import { readSettings, SettingsError } from './settings.js';

run(async () => {
  const settings = readSettings(process.env);
  const { server, database } = await createPagesServer(settings);
  try {
    await database.ready();
    const { url } = await serveHttp(server, { port: settings.port });
    console.log(`pages listening on ${url}`);
  } catch (error) {
    await server.close();
    throw explainPort(error, settings.port);
  }
});

function explainPort(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new SettingsError(`PORT: another program listens on port ${port}. Set PORT to a free one.`);
  if (code === 'EACCES')
    return new SettingsError(`PORT: port ${port} needs more rights than this process has.`);
  return error;
}
