import { request, type IncomingHttpHeaders } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the answer after its headers: for streams. */
  readonly onlyHeaders?: boolean;
}

/** Sends a request with exactly these headers, also those that `fetch` keeps for browsers. */
export function rawRequest(url: string | URL, asked: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, body, onlyHeaders } = asked;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const { statusCode: status = 0, headers: received } = answer;
      if (onlyHeaders) {
        answer.destroy();
        return resolve({ status, headers: received, body: '' });
      }
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('end', () => resolve({ status, headers: received, body: text }));
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
