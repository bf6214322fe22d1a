/**
 * Where the server listens, and which host names it accepts.
 *
 * - `PORT`: 3000 unless set.
 * - `HOST`: 127.0.0.1 unless set, which only this machine can reach. A container needs 0.0.0.0.
 * - `ALLOWED_HOSTS`: the host names that clients use, such as `mcp.example.com`, separated by commas.
 */
export function httpAddress({ PORT, HOST, ALLOWED_HOSTS = '' }: NodeJS.ProcessEnv) {
  const names = ALLOWED_HOSTS.split(',').map((name) => name.trim());
  return {
    port: Number(PORT || 3000),
    host: HOST || '127.0.0.1',
    // A web page can point its own host name at this server. But the browser then sends this name as Host.
    allowedHosts: ['localhost', '127.0.0.1', '[::1]', ...names.filter(Boolean)],
  };
}
