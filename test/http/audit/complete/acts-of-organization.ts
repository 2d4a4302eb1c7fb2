import { expect } from '@jest/globals';
import { SYSTEM_GROUP_IDS } from '../../../../src/events/shared/group-setting.js';
import { WELCOME_BOT } from '../../../../src/events/shared/system-bots.js';
import { flatPng } from '../../../support/pictures.js';
import { fileOf } from '../../../support/requests/uploads.js';
import { type AuditedActs, administrators, members, owners, SEALED } from './audited-act.js';
import type { Scene } from './scene.js';

const URL_TEMPLATE = 'https://example.org/{id}';
const picture = async () => fileOf(await flatPng(30, 10), 'picture.png', 'image/png');

export const actsOfOrganization: AuditedActs = {
  'PATCH /realm': [
    administrators(async (scene, by) => {
      const { realm_description: from } = (await by.api.post('/register', { fetch_event_types: ['realm'] })).body;
      const to = scene.name();
      return {
        params: { description: to },
        becomes: { kind: 'RealmSettingChanged', data: { setting: 'description', from, to } },
      };
    }),
    owners(async () => {
      const [from, to] = [SYSTEM_GROUP_IDS['role:owners'], SYSTEM_GROUP_IDS['role:administrators']];
      return {
        params: { can_audit_group: { new: to } },
        becomes: { kind: 'RealmSettingChanged', data: { setting: 'can_audit_group', from, to } },
      };
    }),
  ],
  'POST /realm/test_welcome_bot_custom_message': [
    administrators(async (scene, by) => ({
      params: { welcome_message_custom_text: scene.name() },
      becomes: {
        kind: 'MessageSent',
        data: { recipient: { type: 'direct', userIds: expect.arrayContaining([by.id, WELCOME_BOT.id]) } },
      },
    })),
  ],
  'POST /realm/filters': [
    administrators(async (scene) => {
      const pattern = patternOf(scene);
      return {
        params: { pattern, url_template: URL_TEMPLATE },
        becomes: { kind: 'LinkifierAdded', data: { linkifier: { pattern, urlTemplate: URL_TEMPLATE } } },
      };
    }),
  ],
  'PATCH /realm/filters/{filter_id}': [
    administrators(async (scene) => {
      const { id, pattern: before } = await linkifier(scene);
      const after = patternOf(scene);
      return {
        path: `/realm/filters/${id}`,
        params: { pattern: after, url_template: URL_TEMPLATE },
        becomes: { kind: 'LinkifierChanged', data: { from: { id, pattern: before }, to: { id, pattern: after } } },
      };
    }),
  ],
  'DELETE /realm/filters/{filter_id}': [
    administrators(async (scene) => {
      const { id, pattern } = await linkifier(scene);
      return {
        path: `/realm/filters/${id}`,
        becomes: { kind: 'LinkifierRemoved', data: { linkifier: { id, pattern } } },
      };
    }),
  ],
  'PATCH /realm/linkifiers': [
    administrators(async (scene) => {
      await linkifier(scene);
      await linkifier(scene);
      const { linkifiers } = (await scene.owner.api.get('/realm/linkifiers')).body;
      const from = linkifiers.map(({ id }: { id: number }) => id);
      const to = [...from].reverse();
      return {
        params: { ordered_linkifier_ids: to },
        becomes: { kind: 'LinkifiersReordered', data: { from, to } },
      };
    }),
  ],
  'POST /realm/playgrounds': [
    administrators(async (scene) => {
      const name = scene.name();
      return {
        params: { name, pygments_language: 'rust', url_template: 'https://example.org/{code}' },
        becomes: { kind: 'PlaygroundAdded', data: { playground: { name, pygmentsLanguage: 'rust' } } },
      };
    }),
  ],
  'DELETE /realm/playgrounds/{playground_id}': [
    administrators(async (scene) => {
      const name = scene.name();
      const playground = { name, pygments_language: 'rust', url_template: 'https://example.org/{code}' };
      const { id } = await scene.done(scene.owner, 'POST', '/realm/playgrounds', playground);
      return {
        path: `/realm/playgrounds/${id}`,
        becomes: { kind: 'PlaygroundRemoved', data: { playground: { id, name } } },
      };
    }),
  ],
  'POST /realm/profile_fields': [
    administrators(async (scene) => {
      const name = scene.name();
      return {
        params: { field_type: 1, name },
        becomes: { kind: 'ProfileFieldCreated', data: { field: { name, type: 1 } } },
      };
    }),
  ],
  'PATCH /realm/profile_fields': [
    administrators(async (scene) => {
      await profileField(scene);
      await profileField(scene);
      const { custom_fields } = (await scene.owner.api.get('/realm/profile_fields')).body;
      const from = custom_fields.map(({ id }: { id: number }) => id);
      const to = [...from].reverse();
      return { params: { order: to }, becomes: { kind: 'ProfileFieldsReordered', data: { from, to } } };
    }),
  ],
  'PATCH /realm/profile_fields/{field_id}': [
    administrators(async (scene) => {
      const { id, name: before } = await profileField(scene);
      const after = scene.name();
      return {
        path: `/realm/profile_fields/${id}`,
        params: { name: after },
        becomes: { kind: 'ProfileFieldChanged', data: { from: { id, name: before }, to: { id, name: after } } },
      };
    }),
  ],
  'DELETE /realm/profile_fields/{field_id}': [
    administrators(async (scene) => {
      const { id, name } = await profileField(scene);
      return {
        path: `/realm/profile_fields/${id}`,
        becomes: { kind: 'ProfileFieldRemoved', data: { field: { id, name } } },
      };
    }),
  ],
  'POST /realm/icon': [
    administrators(async () => ({
      file: await picture(),
      becomes: {
        kind: 'OrganizationPictureChanged',
        data: { picture: 'icon', fileId: expect.any(String) },
      },
    })),
  ],
  'DELETE /realm/icon': [
    administrators(async (scene) => {
      await scene.sends('/realm/icon', await picture());
      return {
        becomes: { kind: 'OrganizationPictureRemoved', data: { picture: 'icon', previousFileId: expect.any(String) } },
      };
    }),
  ],
  'POST /realm/logo': [
    administrators(async () => ({
      path: '/realm/logo?night=false',
      file: await picture(),
      becomes: { kind: 'OrganizationPictureChanged', data: { picture: 'logo', fileId: expect.any(String) } },
    })),
  ],
  'DELETE /realm/logo': [
    administrators(async (scene) => {
      await scene.sends('/realm/logo?night=true', await picture());
      return {
        params: { night: true },
        becomes: {
          kind: 'OrganizationPictureRemoved',
          data: { picture: 'nightLogo', previousFileId: expect.any(String) },
        },
      };
    }),
  ],
  'POST /realm/emoji/{emoji_name}': [
    members(async (scene, by) => {
      const name = scene.name();
      return {
        path: `/realm/emoji/${name}`,
        file: await picture(),
        becomes: { kind: 'CustomEmojiAdded', data: { name, authorId: by.id } },
      };
    }),
  ],
  'DELETE /realm/emoji/{emoji_name}': [
    administrators(async (scene) => {
      const name = scene.name();
      await scene.sends(`/realm/emoji/${name}`, await picture());
      return {
        path: `/realm/emoji/${name}`,
        was: { kind: 'CustomEmojiAdded', data: { name } },
        becomes: { kind: 'CustomEmojiDeactivated', data: { name } },
      };
    }),
  ],
  'POST /projections/{projection}/rebuild': [
    owners(async () => ({
      path: '/projections/sends/rebuild',
      becomes: { kind: 'OperatorActed', data: { command: 'rebuild', options: { projection: ['sends'] } } },
    })),
  ],
  'POST /invites': [
    members(async (scene, by) => ({
      params: { invitee_emails: `${scene.name()}@example.com`, stream_ids: [] },
      becomes: { kind: 'InvitationSent', data: { inviterId: by.id, invitee: SEALED, tokenHash: '(hash)' } },
    })),
  ],
  'DELETE /invites/{invite_id}': [
    administrators(async (scene) => {
      const id = await invitation(scene);
      return {
        path: `/invites/${id}`,
        was: { kind: 'InvitationSent', data: { invitationId: id, inviterId: scene.owner.id } },
        becomes: { kind: 'InvitationRevoked', data: { invitationId: id, inviterId: scene.owner.id } },
      };
    }),
  ],
  'POST /invites/{invite_id}/resend': [
    administrators(async (scene) => {
      const id = await invitation(scene);
      return {
        path: `/invites/${id}/resend`,
        was: { kind: 'InvitationSent', data: { invitationId: id } },
        becomes: { kind: 'InvitationResent', data: { invitationId: id } },
      };
    }),
  ],
  'POST /invites/multiuse': [
    administrators(async (_scene, by) => ({
      becomes: { kind: 'InvitationLinkCreated', data: { inviterId: by.id, tokenHash: '(hash)' } },
    })),
  ],
  'DELETE /invites/multiuse/{invite_id}': [
    administrators(async (scene) => {
      await scene.done(scene.owner, 'POST', '/invites/multiuse');
      const id = await newestInvite(scene, true);
      return {
        path: `/invites/multiuse/${id}`,
        was: { kind: 'InvitationLinkCreated', data: { invitationId: id } },
        becomes: { kind: 'InvitationRevoked', data: { invitationId: id } },
      };
    }),
  ],
};

const patternOf = (scene: Scene): string => `${scene.name()}-(?P<id>[0-9]+)`;

async function linkifier(scene: Scene): Promise<{ id: number; pattern: string }> {
  const pattern = patternOf(scene);
  const { id } = await scene.done(scene.owner, 'POST', '/realm/filters', { pattern, url_template: URL_TEMPLATE });
  return { id, pattern };
}

async function profileField(scene: Scene): Promise<{ id: number; name: string }> {
  const name = scene.name();
  const { id } = await scene.done(scene.owner, 'POST', '/realm/profile_fields', { field_type: 1, name });
  return { id, name };
}

async function invitation(scene: Scene): Promise<number> {
  const invitee_emails = `${scene.name()}@example.com`;
  await scene.done(scene.owner, 'POST', '/invites', { invitee_emails, stream_ids: [] });
  return newestInvite(scene, false);
}

async function newestInvite(scene: Scene, isMultiuse: boolean): Promise<number> {
  const { invites } = (await scene.owner.api.get('/invites')).body as {
    invites: { id: number; is_multiuse: boolean }[];
  };
  return Math.max(...invites.filter(({ is_multiuse }) => is_multiuse === isMultiuse).map(({ id }) => id));
}
