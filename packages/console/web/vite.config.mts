import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // The console may stand below any path.
  base: './',
  // All texts of the page pass its own maker of elements, which shows what hides in them.
  plugins: [react({ jsxImportSource: join(import.meta.dirname, 'src/ui/shown') })],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Small files must stay files: the content security policy allows no data URLs for scripts and styles.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  html: { cspNonce: '__NONCE__' },
});
