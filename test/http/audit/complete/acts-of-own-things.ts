import { flatPng } from '../../../support/pictures.js';
import { fileOf } from '../../../support/requests/uploads.js';
import { type Actor, type AuditedActs, everybody, SEALED } from './audited-act.js';
import type { Scene } from './scene.js';

const EMOJI = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };

export const actsOfOwnThings: AuditedActs = {
  'POST /drafts': [
    everybody(async (_scene, by) => ({
      params: { drafts: [draft('As made')] },
      becomes: { kind: 'DraftCreated', data: { userId: by.id, words: SEALED } },
    })),
  ],
  'PATCH /drafts/{draft_id}': [
    everybody(async (scene, by) => {
      const draftId = await drafted(scene, by);
      return {
        path: `/drafts/${draftId}`,
        params: { draft: draft('Other') },
        was: { kind: 'DraftCreated', data: { draftId, words: SEALED } },
        becomes: { kind: 'DraftEdited', data: { userId: by.id, draftId, words: SEALED } },
      };
    }),
  ],
  'DELETE /drafts/{draft_id}': [
    everybody(async (scene, by) => {
      const draftId = await drafted(scene, by);
      return {
        path: `/drafts/${draftId}`,
        was: { kind: 'DraftCreated', data: { draftId } },
        becomes: { kind: 'DraftDeleted', data: { userId: by.id, draftId } },
      };
    }),
  ],
  'POST /saved_snippets': [
    everybody(async (_scene, by) => ({
      params: { title: 'Title', content: 'As made' },
      becomes: { kind: 'SavedSnippetCreated', data: { userId: by.id, text: SEALED } },
    })),
  ],
  'PATCH /saved_snippets/{saved_snippet_id}': [
    everybody(async (scene, by) => {
      const snippetId = await snippet(scene, by);
      return {
        path: `/saved_snippets/${snippetId}`,
        params: { title: 'Other' },
        was: { kind: 'SavedSnippetCreated', data: { snippetId, text: SEALED } },
        becomes: { kind: 'SavedSnippetEdited', data: { userId: by.id, snippetId, text: SEALED } },
      };
    }),
  ],
  'DELETE /saved_snippets/{saved_snippet_id}': [
    everybody(async (scene, by) => {
      const snippetId = await snippet(scene, by);
      return {
        path: `/saved_snippets/${snippetId}`,
        was: { kind: 'SavedSnippetCreated', data: { snippetId } },
        becomes: { kind: 'SavedSnippetDeleted', data: { userId: by.id, snippetId } },
      };
    }),
  ],
  'POST /navigation_views': [
    everybody(async (scene, by) => {
      const [fragment, name] = [scene.name(), scene.name()];
      return {
        params: { fragment, is_pinned: true, name },
        becomes: { kind: 'NavigationViewAdded', data: { userId: by.id, fragment, name, isPinned: true } },
      };
    }),
  ],
  'PATCH /navigation_views/{path}': [
    everybody(async (scene, by) => {
      const { fragment, name } = await view(scene, by);
      const to = scene.name();
      return {
        path: `/navigation_views/${fragment}`,
        params: { name: to },
        becomes: {
          kind: 'NavigationViewEdited',
          data: { userId: by.id, fragment, from: { name }, to: { name: to } },
        },
      };
    }),
  ],
  'DELETE /navigation_views/{path}': [
    everybody(async (scene, by) => {
      const { fragment, name } = await view(scene, by);
      return {
        path: `/navigation_views/${fragment}`,
        was: { kind: 'NavigationViewAdded', data: { userId: by.id, fragment, name } },
        becomes: { kind: 'NavigationViewRemoved', data: { userId: by.id, fragment } },
      };
    }),
  ],
  'PUT /bot_storage': [
    everybody(async (_scene, by) => ({
      params: { storage: { [`key of ${by.id}`]: 'value' } },
      becomes: { kind: 'BotStorageEntryAdded', data: { userId: by.id, entry: SEALED } },
    })),
  ],
  'DELETE /bot_storage': [
    everybody(async (scene, by) => {
      await scene.done(by, 'PUT', '/bot_storage', { storage: { [scene.name()]: 'value' } });
      return {
        was: { kind: 'BotStorageEntryAdded', data: { userId: by.id } },
        becomes: { kind: 'BotStorageEntryRemoved', data: { userId: by.id } },
      };
    }),
  ],
  'POST /users/me/status': [
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      await scene.done(by, 'POST', '/users/me/status', { status_text: 'Here' });
      return {
        by,
        params: { status_text: 'Away' },
        was: { kind: 'UserStatusTextSet', data: { userId: by.id } },
        becomes: { kind: 'UserStatusTextReplaced', data: { userId: by.id, words: { text: 'Away' } } },
      };
    }),
    everybody(async (scene, { role }) => {
      const by = await scene.user(role);
      return {
        by,
        params: EMOJI,
        becomes: {
          kind: 'UserStatusEmojiChanged',
          data: { userId: by.id, from: null, to: { emojiName: 'tada' } },
        },
      };
    }),
  ],
  'POST /users/{user_id}/status': [
    {
      may: [100, 200],
      ask: async (scene) => {
        const { id } = await scene.user();
        return {
          path: `/users/${id}/status`,
          params: { status_text: 'Away' },
          becomes: { kind: 'UserStatusTextSet', data: { userId: id, words: { text: 'Away' } } },
        };
      },
    },
  ],
  'POST /users/me/alert_words': [
    everybody(async (scene, by) => {
      const word = scene.name();
      return {
        params: { alert_words: [word] },
        becomes: { kind: 'AlertWordsAdded', data: { userId: by.id, words: [word] } },
      };
    }),
  ],
  'DELETE /users/me/alert_words': [
    everybody(async (scene, by) => {
      const word = scene.name();
      await scene.done(by, 'POST', '/users/me/alert_words', { alert_words: [word] });
      return {
        params: { alert_words: [word] },
        becomes: { kind: 'AlertWordsRemoved', data: { userId: by.id, words: [word] } },
      };
    }),
  ],
  'POST /users/me/muted_users/{muted_user_id}': [
    everybody(async (scene, by) => {
      const { id } = await scene.user();
      return {
        path: `/users/me/muted_users/${id}`,
        becomes: { kind: 'UserMuted', data: { userId: by.id, mutedUserId: id } },
      };
    }),
  ],
  'DELETE /users/me/muted_users/{muted_user_id}': [
    everybody(async (scene, by) => {
      const { id } = await scene.user();
      await scene.done(by, 'POST', `/users/me/muted_users/${id}`);
      return {
        path: `/users/me/muted_users/${id}`,
        was: { kind: 'UserMuted', data: { userId: by.id, mutedUserId: id } },
        becomes: { kind: 'UserUnmuted', data: { userId: by.id, mutedUserId: id } },
      };
    }),
  ],
  'POST /users/me/avatar': [
    everybody(async (_scene, by) => ({
      file: await picture(),
      becomes: { kind: 'AvatarChanged', data: { userId: by.id, previousFileId: null } },
    })),
  ],
  'DELETE /users/me/avatar': [
    everybody(async (scene, by) => {
      await scene.sends('/users/me/avatar', await picture(), by);
      return {
        was: { kind: 'AvatarChanged', data: { userId: by.id } },
        becomes: { kind: 'AvatarRemoved', data: { userId: by.id } },
      };
    }),
  ],
  'POST /user_uploads': [
    everybody(async (_scene, by) => ({
      file: fileOf('words', 'notes.txt', 'text/plain'),
      becomes: { kind: 'FileUploaded', data: { ownerId: by.id, size: 5, content: SEALED } },
    })),
  ],
  'DELETE /attachments/{attachment_id}': [
    everybody(async (scene, by) => {
      await scene.sends('/user_uploads', fileOf('words', 'notes.txt', 'text/plain'), by);
      const { attachments } = (await by.api.get('/attachments')).body;
      const attachmentId = Math.max(...attachments.map(({ id }: { id: number }) => id));
      return {
        path: `/attachments/${attachmentId}`,
        was: { kind: 'FileUploaded', data: { ownerId: by.id, size: 5 } },
        becomes: { kind: 'FileDeleted', data: { attachmentId, ownerId: by.id, size: 5 } },
      };
    }),
  ],
};

const draft = (content: string) => ({ type: '', to: [], topic: '', content });

const picture = async () => fileOf(await flatPng(30, 30), 'picture.png', 'image/png');

async function drafted(scene: Scene, by: Actor): Promise<number> {
  return (await scene.done(by, 'POST', '/drafts', { drafts: [draft('As made')] })).ids[0];
}

async function snippet(scene: Scene, by: Actor): Promise<number> {
  const text = { title: 'Title', content: 'As made' };
  return (await scene.done(by, 'POST', '/saved_snippets', text)).saved_snippet_id;
}

async function view(scene: Scene, by: Actor): Promise<{ fragment: string; name: string }> {
  const [fragment, name] = [scene.name(), scene.name()];
  await scene.done(by, 'POST', '/navigation_views', { fragment, is_pinned: true, name });
  return { fragment, name };
}
