import { jsonConfig } from '../config-text.js';
import { isRemote } from '../host-server.js';
import type { Host } from '../host.js';
import { firstVariable, present } from '../secret-values.js';

/** Where the file is: https://zed.dev/docs/configuring-zed. Its values have no variables. */
export const zed: Host = {
  id: 'zed',
  title: 'Zed',
  source: 'https://zed.dev/docs/ai/mcp',
  file: {
    darwin: '~/.config/zed/settings.json',
    win32: '%APPDATA%\\Zed\\settings.json',
    linux: '~/.config/zed/settings.json',
  },
  setUp(server) {
    const variable = firstVariable(isRemote(server) ? server.headers : server.env);
    if (variable !== undefined)
      return { refusal: `The settings of Zed have no place for the secret ${variable} but the file itself.` };
    const entry = isRemote(server)
      ? present({ url: server.url, headers: server.headers })
      : present({ command: server.command, args: server.args, env: server.env });
    return { config: jsonConfig(['context_servers', server.name], entry) };
  },
};
