import { JsonView } from '../../../ui/json-view.js';
import type { BridgeMessage } from './recorded-transport.js';

/** What the host and the page say to each other, the newest last. */
export function BridgeMessages({ messages }: { messages: readonly BridgeMessage[] }) {
  const start = messages[0]?.at ?? 0;
  return (
    <details className="bridge-messages">
      <summary>{messages.length} messages of the bridge</summary>
      <ol aria-label="Messages of the bridge">
        {messages.map(({ at, from, message }, index) => (
          <li key={index}>
            <span className="faint">+{Math.round(at - start)} ms</span>{' '}
            {from === 'host' ? 'host → page' : 'page → host'} <code>{nameOf(message)}</code>
            <JsonView
              value={message['params'] ?? message['result'] ?? message['error']}
              label={nameOf(message)}
            />
          </li>
        ))}
      </ol>
    </details>
  );
}

function nameOf({ method, id, error }: BridgeMessage['message']): string {
  if (typeof method === 'string') return method;
  return `${error === undefined ? 'answer' : 'error'} to ${String(id)}`;
}
