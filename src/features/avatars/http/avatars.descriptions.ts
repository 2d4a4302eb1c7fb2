import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { text } from '../../../platform/http/openapi/schema.js';

const answer = { avatar_url: { ...text, description: 'The URL of the picture that others see now' } };
const ALLOWED = 'Refused while `avatar_changes_disabled` is on, administrators aside.';

const CHANGE: Description = {
  id: 'change-avatar',
  tag: 'users',
  summary: 'Change your own picture.',
  text: `For people and bots. The picture is shown as squares of 100 and 500 pixels. ${ALLOWED}`,
  file: 'The picture, at most 5 MiB',
  answer,
};

const REMOVE: Description = {
  id: 'remove-avatar',
  tag: 'users',
  summary: 'Remove your own picture, so that others see one that follows from your account.',
  text: ALLOWED,
  answer,
};

export const descriptions: Descriptions = { 'POST /users/me/avatar': CHANGE, 'DELETE /users/me/avatar': REMOVE };
