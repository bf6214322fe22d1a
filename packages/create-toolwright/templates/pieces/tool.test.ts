import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { PieceNameTool } from './piece-name-tool.js';

test('piece_name counts words', async () => {
  const server = await createMcpServer({ name: 'test', version: '0', services: [PieceNameTool] });
  try {
    const client = await connect(server);
    const { structuredContent } = await client.call('piece_name', { text: 'two words' });
    assert.deepEqual(structuredContent, { words: 2 });
  } finally {
    await server.close();
  }
});

test('piece_name refuses a call without a text, with a reason', async () => {
  const server = await createMcpServer({ name: 'test', version: '0', services: [PieceNameTool] });
  try {
    const client = await connect(server);
    const result = await client.call('piece_name', {});
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /text/);
  } finally {
    await server.close();
  }
});
