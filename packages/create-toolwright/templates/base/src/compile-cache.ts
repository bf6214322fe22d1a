import module from 'node:module';

// Node.js 22.8 and later keep compiled code for the next start, so that it takes less time. Older ones have no such function.
// This file is imported first, because it only helps what is loaded after it.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
