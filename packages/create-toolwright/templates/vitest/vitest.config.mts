import { toolwright } from '@toolwright/testing/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // It compiles the manifest when a test needs it.
  plugins: [toolwright()],
  test: { include: ['src/**/*.test.ts'] },
});
