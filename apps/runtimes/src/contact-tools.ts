import { McpService, McpTool, ToolContext, type integer } from '@toolwright/core';
import { IsEmail, Length } from 'class-validator';
import { ContactStore, type Contact } from './contact-store.js';

export class NewContact {
  @Length(1, 50)
  name!: string;

  @IsEmail()
  email!: string;

  since!: Date;
}

/** Tools with something of everything that a runtime may do in its own way. */
@McpService()
export class ContactTools {
  static cancelled = 0;

  constructor(private readonly store: ContactStore) {}

  /** Add a contact. */
  @McpTool({ annotations: { readOnlyHint: false } })
  addContact(contact: NewContact): Contact {
    return this.store.add({ name: contact.name, email: contact.email, since: contact.since });
  }

  /**
   * Find contacts by name.
   * @param words words of the name
   * @param limit how many at most
   */
  @McpTool({ annotations: { readOnlyHint: true } })
  findContacts(
    /** @minLength 2 */ words: string,
    /** @minimum 1 @maximum 100 */ limit: integer = 10,
  ): { contacts: Contact[] } {
    return { contacts: this.store.find(words, limit) };
  }

  /** Count up, and report each step. */
  @McpTool({ annotations: { readOnlyHint: true } })
  countTo(/** @maximum 10 */ last: integer, context: ToolContext): string {
    for (let step = 1; step <= last; step++) context.progress(step, last, `step ${step}`);
    return `counted to ${last}`;
  }

  /** Wait until the caller goes away. */
  @McpTool({ annotations: { readOnlyHint: true } })
  async wait(context: ToolContext): Promise<void> {
    context.progress(1, 2, 'waiting');
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => {
        ContactTools.cancelled++;
        resolve();
      });
    });
  }

  /** Count the callers that went away. */
  @McpTool({ annotations: { readOnlyHint: true } })
  countGone(): { gone: integer } {
    return { gone: ContactTools.cancelled };
  }

  /** Ask for a name and greet. */
  @McpTool({ annotations: { readOnlyHint: true } })
  async greet(context: ToolContext): Promise<string> {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const answer = await context.elicit<{ name: string }>('who', { message: 'Who are you?', schema });
    return `Hello, ${answer.content?.name ?? 'stranger'}!`;
  }

  /** Tell who calls, and from where. */
  @McpTool({ annotations: { readOnlyHint: true } })
  whoAmI(context: ToolContext): { subject: string } {
    return { subject: context.principal?.subject ?? 'nobody' };
  }
}
