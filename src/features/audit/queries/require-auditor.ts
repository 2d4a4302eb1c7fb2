import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** @throws DomainError AUDIT_NOT_ALLOWED */
export function requireAuditor(user: UserRecord, directory: Directory): void {
  if (!may(user, 'can_audit_group', directory)) refuse('AUDIT_NOT_ALLOWED');
}
