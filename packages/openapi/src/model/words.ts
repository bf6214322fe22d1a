import { wordsOf } from '@toolwright/json';

/** The name of a schema in a pointer. Of `io.k8s.api.core.v1.Pod` only `Pod` says something. */
export function typeNameOf(pointer: string): string {
  const last = decodeURIComponent(
    pointer
      .split('/')
      .at(-1)!
      .replaceAll('~1', ' ')
      .replace(/%(?![\da-f]{2})/gi, ''),
  );
  const [name, ...before] = last.split('.').reverse();
  return before.length > 1 && wordsOf(name!).length > 0 ? name! : last;
}
