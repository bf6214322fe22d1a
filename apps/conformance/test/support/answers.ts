/** What a test's client heard beside answers. */
export interface Heard {
  logs: unknown[];
  toolChanges: number;
}

/** What a test's client says when it is asked. */
export const answers = {
  elicit(message: string) {
    // A question of a call in a program says first which tool asks.
    if (message.includes('What is your name?'))
      return { action: 'accept' as const, content: { name: 'Ada' } };
    if (message.startsWith('Step 1')) return { action: 'accept' as const, content: { name: 'Ada' } };
    if (message.startsWith('Step 2')) return { action: 'accept' as const, content: { color: 'green' } };
    return { action: 'decline' as const };
  },
  sample() {
    const content = { type: 'text' as const, text: 'Paris' };
    return { role: 'assistant' as const, content, model: 'a model' };
  },
  roots() {
    return { roots: [{ uri: 'file:///home/ada' }] };
  },
};
