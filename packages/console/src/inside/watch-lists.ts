import type { McpClient, Subscription } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { connectUnseen } from './unseen-client.js';

/** A change of what a server lists, or of the page of an MCP App. */
export type SurfaceChange = { readonly type: 'surface' } | { readonly type: 'page'; readonly uri: string };

/**
 * Tells when what a server lists has changed, and when one of its pages has. Lists change in more ways than one; a client gets
 * a notification for each. Returns a function that ends it.
 */
export function watchLists(server: McpServer, changed: (change: SurfaceChange) => void): () => void {
  let client: McpClient | undefined;
  let isOver = false;
  void follow();
  return () => {
    isOver = true;
    void client?.close();
  };

  async function follow(): Promise<void> {
    try {
      client = await connectUnseen(server);
      while (!isOver) {
        const subscription = await client.listen({
          tools: true,
          prompts: true,
          resources: true,
          uris: pagesOf(server),
        });
        if (!(await hearUntilOtherPages(subscription))) return;
        await subscription.close();
      }
    } catch {
      // A server that lets nobody in whom it does not know: the page then asks again when it is shown.
    } finally {
      if (isOver) await client?.close();
    }
  }

  /** True when there are other pages to watch, false when the server has ended. */
  async function hearUntilOtherPages(subscription: Subscription): Promise<boolean> {
    const watched = pagesOf(server).join();
    for await (const { params } of subscription) {
      const { uri } = params;
      changed(typeof uri === 'string' ? { type: 'page', uri } : { type: 'surface' });
      if (pagesOf(server).join() !== watched) return !isOver;
    }
    return false;
  }
}

const pagesOf = (server: McpServer): string[] =>
  server.resources
    .list()
    .filter(({ ui }) => ui)
    .map(({ uri }) => uri);
