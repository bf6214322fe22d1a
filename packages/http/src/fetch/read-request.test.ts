import { discardBody, readRequest } from './read-request.js';

/** A body that says it is short, and goes on until nobody reads it any more. */
function endless(headers: Record<string, string>) {
  let given = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1_024;
      controller.enqueue(new Uint8Array(1_024).fill(32));
    },
    cancel: () => void (isCancelled = true),
  });
  const init = { method: 'POST', body: body as never, headers, duplex: 'half' };
  const request = new Request('http://localhost/mcp', init as RequestInit);
  return { request, given: () => given, isCancelled: () => isCancelled };
}

test('a body is counted even where its length is given', async () => {
  const { request, given, isCancelled } = endless({ 'content-length': '2' });
  const failure = await new Promise((resolve) => readRequest(request, 10_000, resolve));
  expect(failure).toMatchObject({ status: 413 });
  expect([given() < 40_000, isCancelled()]).toEqual([true, true]);
});

test('so is a body that is thrown away', async () => {
  const { request, given, isCancelled } = endless({ 'content-length': '2' });
  discardBody(request);
  while (!isCancelled()) await new Promise((resolve) => setImmediate(resolve));
  expect(given()).toBeLessThan(200_000);
});
