import { describeTransport } from '@toolwright/testing';
import { memoryChannel } from '../src/connect.js';
import type { Channel, WireMessage } from '../src/index.js';

const principal = { subject: 'ada', scopes: [] };

describeTransport('memoryChannel', (server) => {
  const channels: Channel[] = [];
  return {
    peer: { principal, ip: undefined, transport: 'memory' },
    takesObjects: true,
    async connect(receive) {
      const open = memoryChannel(server.protocol, principal);
      const channel = await open((message) => receive(JSON.stringify(message)));
      channels.push(channel);
      return {
        send: (text) => void channel.send(JSON.parse(text) as WireMessage),
        leave: () => channel.close(),
      };
    },
    async close() {
      await server.drain();
      for (const channel of channels) await channel.close();
    },
  };
});
