import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

export interface JsonEditorProps {
  readonly value: string;
  readonly change?: (text: string) => void;
  readonly label: string;
}

const colours = HighlightStyle.define([
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.propertyName, color: 'var(--accent)' },
]);

const look = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: '0.92em' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'transparent', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-ground) !important',
  },
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--surface)', borderColor: 'var(--line)' },
});

export default function CodeMirror({ value, change, label }: JsonEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const hear = useRef(change);
  hear.current = change;
  const isReadOnly = change === undefined;

  useEffect(() => {
    const editor = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.lineWrapping,
          lineNumbers(),
          history(),
          bracketMatching(),
          json(),
          syntaxHighlighting(colours),
          look,
          // Tab leaves the editor: whoever has no mouse must be able to go on.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          isReadOnly ? EditorState.readOnly.of(true) : linter(jsonParseLinter()),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) hear.current?.(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // The text changes below; a new editor would lose the cursor.
  }, [label, isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={box} className="editor" />;
}

/** The nonce of this page, for the styles that libraries write at run time. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
