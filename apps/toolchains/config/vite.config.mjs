import { defineConfig } from 'vite';

export default defineConfig({
  build: { ssr: 'src/main.ts', outDir: 'out/vite', target: 'node20' },
  logLevel: 'warn',
});
