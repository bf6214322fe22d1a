import type { CallRequest } from '../../api/call-api.js';

/** The request of the protocol that a call of the console sends. */
export function requestOf({ kind, key, arguments: args }: CallRequest): {
  method: string;
  params: Record<string, unknown>;
} {
  switch (kind) {
    case 'tool':
      return { method: 'tools/call', params: { name: key, arguments: args } };
    case 'prompt':
      return { method: 'prompts/get', params: { name: key, arguments: args } };
    case 'resource':
      return { method: 'resources/read', params: { uri: key } };
    case 'resourceTemplate':
      return { method: 'resources/read', params: { uri: expandTemplate(key, args) } };
  }
}

const EXPRESSION = /\{([+#./;?&]?)([^}]+)\}/g;

/** How an expression begins, the text between its values, and whether the values have names. */
const styles: Readonly<Record<string, { first: string; between: string; named: boolean }>> = {
  '': { first: '', between: ',', named: false },
  '+': { first: '', between: ',', named: false },
  '#': { first: '#', between: ',', named: false },
  '.': { first: '.', between: '.', named: false },
  '/': { first: '/', between: '/', named: false },
  ';': { first: ';', between: ';', named: true },
  '?': { first: '?', between: '&', named: true },
  '&': { first: '&', between: '&', named: true },
};

/** Puts values into a URI template (RFC 6570, without prefixes). Variables without a value are left out. */
function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(EXPRESSION, (_, operator: string, names: string) => {
    const { first, between, named } = styles[operator]!;
    const encode = operator === '+' || operator === '#' ? encodeURI : encodeURIComponent;
    const parts = names.split(',').flatMap((name) => {
      const key = name.replace(/[*:].*$/, '');
      const value = values[key];
      if (value === undefined || value === '') return [];
      const text = [value].flat().map((each) => encode(String(each)));
      return [named ? `${key}=${text.join(',')}` : text.join(name.endsWith('*') ? between : ',')];
    });
    return parts.length === 0 ? '' : first + parts.join(between);
  });
}
