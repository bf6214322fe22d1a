import { request } from 'node:http';

/** One request, with nothing added that the test did not ask for. */
export interface Ask {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What came back, without what differs from one answer to the next. */
export interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** Sends a request to a server on this machine and waits for the whole answer. */
export function exchange(port: number, { method, path, headers = {}, body = '' }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...length, ...headers },
      agent: false,
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { date: _date, ...rest } = response.headers;
        resolve({ status: response.statusCode, headers: rest, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(body);
  });
}

/** Sends the start of a request and hangs up. */
export function abort(port: number, { method, path, headers = {}, body = '' }: Ask): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body) + 100) },
      agent: false,
    });
    sent.once('error', () => resolve());
    sent.once('close', () => resolve());
    sent.write(body, () => sent.destroy());
  });
}
