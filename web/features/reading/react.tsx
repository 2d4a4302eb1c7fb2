import { EmojiButton } from '../../platform/emoji-button.js';
import type { Emoji } from './reactions.js';

interface ReactProps {
  readonly onReact: (emoji: Emoji) => void;
}

/** Reacts with any emoji, by its name. */
export const React = ({ onReact }: ReactProps) => (
  <EmojiButton onTake={({ name, code, type }) => onReact({ emoji_name: name, emoji_code: code, reaction_type: type })}>
    React
  </EmojiButton>
);
