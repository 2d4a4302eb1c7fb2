import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import { renderMessage } from '../../markdown/render-markdown.js';
import { storedText } from '../domain/message-content.js';
import { coloursIn } from './content-colours.js';
import { contentFacts } from './content-facts.js';

/** Renders a text to the HTML that a message sent now would have. @throws DomainError MESSAGE_HAS_NULL_BYTES */
export class RenderMessage extends Query<{ writer: UserRecord; text: string }, string> {}

export const renderMessageHandler = answersFrom(
  RenderMessage,
  [Facts, CodeColouring, SITE],
  async ({ writer, text: written }, facts, colouring, site: () => string) => {
    const text = storedText(written);
    const colours = await coloursIn(text, facts, colouring);
    const { names } = await contentFacts(text, writer, null, facts, site());
    return renderMessage(text, names, colours).rendered;
  },
);
