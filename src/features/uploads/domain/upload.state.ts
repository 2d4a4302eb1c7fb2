import { attachmentIdAt, type FileDeleted, type FileUploaded } from '../../../events/uploads/uploads.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';

export type UploadState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'stored';
      readonly attachmentId: number;
      readonly ownerId: number;
      readonly fileId: string;
      readonly size: number;
      /** Id of the key of the file's name. */
      readonly keyId: string;
    }
  | { readonly status: 'deleted' };

export function asUploaded({ id, revision, data }: Recorded<FileUploaded>): UploadState {
  const { ownerId, fileId, size } = data;
  return { status: 'stored', attachmentId: attachmentIdAt(revision), ownerId, fileId, size, keyId: id };
}

export const uploadLife: Decider<UploadState, FileDeleted> = {
  initialState: { status: 'unknown' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'FileDeleted':
        return { status: 'deleted' };
      default:
        event.type satisfies never;
        return state;
    }
  },
};
