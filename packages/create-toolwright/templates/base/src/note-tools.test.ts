import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '@toolwright/testing';
import { createServer } from './create-server.js';

test('a note that was added is found', async () => {
  const server = await createServer();
  try {
    const client = await connect(server);
    await client.call('add_note', { text: 'Buy milk.' });
    const { structuredContent } = await client.call('find_notes', { query: 'milk' });
    assert.deepEqual(structuredContent, { notes: [{ id: 1, text: 'Buy milk.' }] });
  } finally {
    await server.close();
  }
});

test('a query that is too short is refused with a reason', async () => {
  const server = await createServer();
  try {
    const client = await connect(server);
    const result = await client.call('find_notes', { query: 'm' });
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /query/);
  } finally {
    await server.close();
  }
});
