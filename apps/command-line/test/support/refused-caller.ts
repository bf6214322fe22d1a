import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** A web page that points its own host name at this machine: so often that the server logs a warning. */
export async function beRefused({ hostname, port, pathname }: URL): Promise<void> {
  for (let times = 0; times < 11; times++) {
    const asked = get({ hostname, port, path: pathname, headers: { host: 'rebound.example' } });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(403);
  }
}
