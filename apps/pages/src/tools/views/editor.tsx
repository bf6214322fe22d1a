import type { ViewOf } from '@toolwright/views';
import { CallStatus, useCall } from '@toolwright/views/preact';
import { useState } from 'preact/hooks';
import './editor.css';

type Props = ViewOf<'get_page', Draft>;

/** What a person has changed and not saved yet. It is there again when the page is loaded anew. */
interface Draft {
  readonly pageId: string;
  readonly title: string;
  readonly content: string;
}

export const displayModes = ['inline', 'fullscreen'];

/** A page of the workspace. Where the host lets pages call tools, a person changes it here and goes to the pages below. */
export default function Editor({ result, view }: Props) {
  const saved = useCall(view, 'update_page');
  const opened = useCall(view, 'get_page');
  const [draft, setDraft] = useState(view.state);
  const page = newest(saved.result, opened.result, result);
  const isEdited = draft?.pageId === page.id;
  const edit = (next: Draft | undefined) => {
    setDraft(next);
    view.setState(next as Draft);
  };
  const save = async ({ pageId, title, content }: Draft) => {
    await saved.call.start({ pageId, title, content });
    if (saved.call.snapshot.phase !== 'done') return;
    edit(undefined);
    await view.tellModel(`The person has changed the page "${title}" (${pageId}).`);
  };
  const canCall = view.host.capabilities['serverTools'] !== undefined;

  return (
    <article>
      {isEdited ? (
        <Form draft={draft} change={edit} save={save} cancel={() => edit(undefined)} />
      ) : (
        <>
          <h1>{page.title}</h1>
          <pre>{page.content}</pre>
          {canCall && (
            <button onClick={() => edit({ pageId: page.id, title: page.title, content: page.content })}>
              Edit
            </button>
          )}
        </>
      )}
      {page.children.length > 0 && (
        <ul aria-label="Pages below">
          {page.children.map(({ id, title }) => (
            <li key={id}>
              {canCall ? (
                <button class="link" onClick={() => void opened.call.start({ pageId: id })}>
                  {title}
                </button>
              ) : (
                title
              )}
            </li>
          ))}
        </ul>
      )}
      <CallStatus call={saved.call} />
      <CallStatus call={opened.call} />
    </article>
  );
}

type Page = Props['result'];

/** The page as it was last read or saved here. A page that was opened later wins over one that was saved before. */
function newest(saved: Page | undefined, opened: Page | undefined, given: Page): Page {
  const current = opened ?? given;
  return saved?.id === current.id && saved.updatedAt > current.updatedAt ? saved : current;
}

interface FormProps {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly save: (draft: Draft) => Promise<void>;
  readonly cancel: () => void;
}

function Form({ draft, change, save, cancel }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft);
      }}
    >
      <label for="title">Title</label>
      <input
        id="title"
        required
        maxLength={200}
        value={draft.title}
        onInput={({ currentTarget }) => change({ ...draft, title: currentTarget.value })}
      />
      <label for="content">Text, in Markdown</label>
      <textarea
        id="content"
        rows={12}
        value={draft.content}
        onInput={({ currentTarget }) => change({ ...draft, content: currentTarget.value })}
      />
      <button type="submit">Save</button>{' '}
      <button type="button" onClick={cancel}>
        Discard
      </button>
    </form>
  );
}
