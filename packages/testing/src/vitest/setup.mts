import { expect } from 'vitest';
import { compilePackage } from '../jest/provide-manifests.js';
import { matchers } from '../matchers/matchers.js';

expect.extend(matchers as never);

// Core looks for both under these symbols.
const shared = globalThis as Record<symbol, unknown>;
shared[Symbol.for('toolwright.manifestProvider')] = compilePackage;
// Node.js cannot load a TypeScript file, and would load a second copy of others.
shared[Symbol.for('toolwright.moduleLoader')] = (path: string) => import(/* @vite-ignore */ path);
