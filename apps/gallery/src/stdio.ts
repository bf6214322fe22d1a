import { serveStdio } from '@toolwright/stdio';
import { createGalleryServer } from './gallery-server.js';
import { readSettings } from './settings.js';

void createGalleryServer(readSettings(process.env)).then((server) => serveStdio(server));
