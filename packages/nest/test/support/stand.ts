import type { Type } from '@nestjs/common';
import { connect } from '@toolwright/testing';
import { handMadeManifest } from '../../../core/test/packages/hand-made-manifest.js';
import { McpServerHost, type McpModuleOptions } from '../../src/index.js';
import { mcp, platforms, serve } from './apps.js';

/** The manifest of a class `Stand` with a tool `sell(what)`. */
export const manifest = handMadeManifest({
  file: 'src/stand.ts',
  name: 'Stand',
  methods: { sell: ['what'] },
});

export interface StandOptions extends Partial<McpModuleOptions> {
  providers?: NonNullable<Parameters<typeof serve>[1]['providers']>;
}

/** Serves the class `Stand`. */
export async function serveStand(stand: Type, { providers = [], ...options }: StandOptions = {}, index = 0) {
  const served = await serve(platforms[index]!, {
    imports: [mcp({ manifest, ...options })],
    providers: [stand, ...providers],
  });
  const client = await connect(served.app.get(McpServerHost).server);
  return { ...served, client, sell: (what = 'tea') => client.callText('sell', { what }) };
}
