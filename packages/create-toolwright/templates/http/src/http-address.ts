/**
 * Where the server listens, and the names it answers to.
 *
 * - `PORT`: 3000 unless set.
 * - `HOST`: 127.0.0.1 unless set, so that nobody but this machine reaches it. A container needs 0.0.0.0.
 * - `ALLOWED_HOSTS`: the names that clients call it by, such as `mcp.example.com`, separated by commas.
 */
export function httpAddress({ PORT, HOST, ALLOWED_HOSTS = '' }: NodeJS.ProcessEnv) {
  const names = ALLOWED_HOSTS.split(',').map((name) => name.trim());
  return {
    port: Number(PORT || 3000),
    host: HOST || '127.0.0.1',
    // Any web page can point a name of its own at this server, but cannot choose the Host that a browser then sends.
    allowedHosts: ['localhost', '127.0.0.1', '[::1]', ...names.filter(Boolean)],
  };
}
