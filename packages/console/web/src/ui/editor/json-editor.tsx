import { lazy, Suspense } from 'react';
import type { JsonEditorProps } from './code-mirror.js';

const Editor = lazy(() => import('./code-mirror.js'));

/** An editor for JSON. It is loaded when the first one is shown. Without `change`, the text can only be read. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<pre className="editor">{props.value}</pre>}>
      <Editor {...props} />
    </Suspense>
  );
}
