// Sends one request, and prints the HTTP status and how long the answer was: node ask-once.mjs <url> <message>
const [, , url, body] = process.argv;
const { method, params } = JSON.parse(body);
const response = await fetch(url, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
  },
  body,
});
const text = await response.text();
console.log(
  text.length > 1_000
    ? `HTTP ${response.status}, ${text.length} characters`
    : `HTTP ${response.status} ${text}`,
);
