import { malformedBytes } from './malformed-bytes.js';

test('A number always stands for the same request', () => {
  expect(malformedBytes(77)).toBe(malformedBytes(77));
});

test('Requests differ, and each is whole as HTTP sees it', () => {
  const requests = Array.from({ length: 1_000 }, (_, index) => malformedBytes(index));
  expect(new Set(requests).size).toBeGreaterThan(800);
  for (const bytes of requests) {
    const [head, body] = bytes.split(/\r\n\r\n(.*)/s) as [string, string];
    expect(Number(/Content-Length: (\d+)/.exec(head)![1])).toBe(Buffer.byteLength(body));
  }
});
