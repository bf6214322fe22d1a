import { createMcpServer } from '@toolwright/core';
import { NoteStore } from './note-store.js';
import { NoteTools } from './note-tools.js';

/** @param folder the folder that keeps the notes; without it they stay in memory */
export const createServer = (folder?: string) =>
  createMcpServer({
    name: 'my-server',
    version: '0.1.0',
    services: [NoteTools],
    providers: [{ provide: NoteStore, useFactory: () => NoteStore.open(folder) }],
  });
