import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { PieceNamePrompt } from './piece-name-prompt.js';

test('piece_name asks for what was given', async () => {
  const server = await createMcpServer({ name: 'test', version: '0', services: [PieceNamePrompt] });
  try {
    const client = await connect(server);
    const { messages } = await client.get('piece_name', { topic: 'rain' });
    assert.deepEqual(messages[0]?.content, { type: 'text', text: 'Explain rain in three sentences.' });
  } finally {
    await server.close();
  }
});
