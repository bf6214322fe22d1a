import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { PieceNameResource } from './piece-name-resource.js';

test('app://piece-name is read', async () => {
  const server = await createMcpServer({ name: 'test', version: '0', services: [PieceNameResource] });
  try {
    const client = await connect(server);
    const { contents } = await client.read('app://piece-name');
    assert.deepEqual(contents, [{ uri: 'app://piece-name', mimeType: 'text/plain', text: 'All is well.' }]);
  } finally {
    await server.close();
  }
});
