import { lazy, Suspense } from 'react';

const Editor = lazy(() => import('./code-mirror.js'));

export interface JsonEditorProps {
  readonly value: string;
  readonly change?: (text: string) => void;
  readonly label: string;
}

/** An editor for JSON. It is loaded when the first one is shown. Without `change`, the text can only be read. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<pre className="editor">{props.value}</pre>}>
      <Editor {...props} />
    </Suspense>
  );
}
