import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import type { EditedContent } from '../../../events/messages/message.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { AttachmentForClients } from '../../uploads/queries/attachments-for-clients.js';
import { detachedFiles } from '../../uploads/queries/detached-files.js';
import { decideEditMessage, EditMessage } from '../domain/edit-message.js';
import { messageToChange, placedIn } from '../queries/message-to-change.js';
import { ContentWriting } from '../services/content-writing.js';
import { decidedMessage, underItsOwnKey } from './message-stream.js';

interface Edited {
  /** The editor's own files that no message links to any more by this edit. */
  readonly detached: readonly AttachmentForClients[];
  /** null: the content is the same. */
  readonly contentRevision: number | null;
}

@CommandHandler(EditMessage)
export class EditMessageHandler implements ICommandHandler<EditMessage> {
  constructor(
    private readonly contents: ContentWriting,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns the editor's own files that no message links to any more by this edit */
  async execute(command: EditMessage): Promise<readonly AttachmentForClients[]> {
    return (await this.edit(command)).detached;
  }

  async edit(command: EditMessage): Promise<Edited> {
    const { events, position } = await this.runner.decide(await this.request(command));
    await this.readYourWrites.waitFor(position, events);
    const files = events.flatMap(({ data: { content } }) => changedLinks(content));
    const detached = await detachedFiles(files, command.editorId, this.contents.facts.readModels);
    return { detached, contentRevision: events.at(-1)?.data.contentRevision ?? null };
  }

  /** Refuses if the edit would be refused now. */
  async check(command: EditMessage): Promise<void> {
    await this.runner.check(await this.request(command));
  }

  private async request(command: EditMessage) {
    const text = command.edit.content ?? '';
    const colours = await this.contents.coloursOf(text);
    const { facts } = this.contents;
    const { directory } = facts;
    const editor = directory.existingUser(command.editorId);
    const asOf = facts.readModels.position(messages);
    const message = await messageToChange(command.messageId, editor, facts);
    const placed = placedIn(message, asOf);
    return {
      ...decidedMessage(command.messageId),
      decide: decideEditMessage,
      command,
      context: {
        now: Date.now(),
        ...placed,
        isEditingAllowed: directory.setting('allow_message_editing'),
        limitSeconds: directory.setting('message_content_edit_limit_seconds'),
        content: await this.contents.factsFor({ text, writer: editor, place: placed.place }, colours),
      },
      by: command.by,
      sealedWith: underItsOwnKey,
    };
  }
}

/** Files that the content linked to before the edit, or links to now: their documents may change. */
const changedLinks = (content: EditedContent | null): readonly number[] => [
  ...(content?.previousAttachmentIds ?? []),
  ...(content?.attachmentIds ?? []),
];
