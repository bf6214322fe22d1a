import { createServer } from 'node:http';
import { listen } from '../contestants/listen.js';
import { constantArrivals } from './constant-arrivals.js';

const requests = [{ path: '/mcp', headers: {}, body: '{}' }];

test('as many requests are sent as are due, and refusals count as failures', async () => {
  let seen = 0;
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(++seen % 10 === 0 ? 503 : 200).end('ok');
  });
  const port = await listen(server);
  try {
    const result = await constantArrivals({ port, requests, connections: 4, seconds: 0.2, perSecond: 500 });
    expect(seen).toBe(100);
    expect(result).toMatchObject({ answers: 100, failures: 10, bytes: 200 });
  } finally {
    server.close();
  }
});

test('a connection that breaks is a failure, not an answer', async () => {
  const server = createServer((req) => req.socket.destroy());
  const port = await listen(server);
  try {
    const result = await constantArrivals({ port, requests, connections: 1, seconds: 0.05, perSecond: 100 });
    expect(result).toMatchObject({ answers: 0, failures: 5 });
  } finally {
    server.close();
  }
});
