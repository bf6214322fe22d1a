import type { Principal } from '@toolwright/core';
import type { Protocol } from '@toolwright/core/transport';
import type { OpenChannel, WireMessage } from './channel.js';

/**
 * A channel within this process. Messages travel as text in both directions, so that it passes only what a
 * real connection could carry.
 */
export function memoryChannel(protocol: Protocol, principal: Principal | undefined): OpenChannel {
  return (receive) => {
    let isOpen = true;
    const connection = protocol.connect({ principal, ip: undefined, transport: 'memory' }, (text) => {
      queueMicrotask(() => isOpen && receive(JSON.parse(text) as WireMessage));
    });
    return {
      send: (message) => connection.receiveText(JSON.stringify(message)),
      close() {
        isOpen = false;
        connection.close();
      },
    };
  };
}
