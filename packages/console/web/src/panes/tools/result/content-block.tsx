import { Badge } from '../../../ui/badge.js';
import { JsonView } from '../../../ui/json-view.js';

/** A block of content, as far as it is shown. Everything in it comes from the server and is not trusted. */
export interface ContentBlock {
  readonly type: string;
  readonly role?: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
}

export function Block({ block }: { block: ContentBlock }) {
  return (
    <div className="card stack">
      <div className="row faint">
        <Badge>{block.type}</Badge>
        {block.role && <Badge tone="info">{block.role}</Badge>}
        {(block.mimeType ?? block.resource?.mimeType) && (
          <code>{block.mimeType ?? block.resource?.mimeType}</code>
        )}
      </div>
      <Body block={block} />
    </div>
  );
}

function Body({ block }: { block: ContentBlock }) {
  const { type, text, data, mimeType = '', name, title, uri, description, resource } = block;
  if (type === 'text') return <Text text={text ?? ''} />;
  if (type === 'image' || type === 'audio') return <Media type={mimeType} data={data ?? ''} />;
  if (type === 'resource_link')
    return (
      <p>
        <strong>{title ?? name}</strong> <code>{uri}</code>
        {description && <span className="faint"> {description}</span>}
      </p>
    );
  if (type === 'resource' && resource)
    return (
      <div className="stack">
        <code>{resource.uri}</code>
        {resource.text !== undefined && <Text text={resource.text} />}
        {resource.blob !== undefined && <Media type={resource.mimeType ?? ''} data={resource.blob} />}
      </div>
    );
  return <JsonView value={block} openTo={4} />;
}

/** JSON is shown as a tree, everything else as it is. */
function Text({ text }: { text: string }) {
  const parsed = /^\s*[[{]/.test(text) ? read(text) : undefined;
  return parsed === undefined ? (
    <pre>{text}</pre>
  ) : (
    <JsonView value={parsed} openTo={3} label="The text, as JSON" />
  );
}

function Media({ type, data }: { type: string; data: string }) {
  const url = `data:${type};base64,${data}`;
  if (type.startsWith('image/')) return <img src={url} alt="What the server sent" className="media" />;
  if (type.startsWith('audio/')) return <audio src={url} controls className="media" />;
  if (type.startsWith('video/')) return <video src={url} controls className="media" />;
  return <p className="faint">{Math.floor((data.length * 3) / 4).toLocaleString('en')} bytes</p>;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
