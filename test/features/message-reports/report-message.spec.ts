import { describe, expect, it } from '@jest/globals';
import {
  type ReportType,
  reportText,
  requireExplained,
} from '../../../src/features/message-reports/domain/report-message.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';

const refusalOf = (reportType: ReportType, description: string): string | null => {
  try {
    requireExplained({ reportType, description });
    return null;
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};

const MESSAGE = { text: 'Bad **words**', sender: '@_**Max|5**', address: '/#narrow/x' };
const report = (description: string, message: Partial<typeof MESSAGE | { address: null }> = {}) =>
  reportText({ reportType: 'norms', description }, '@_**Ada|4**', { ...MESSAGE, ...message }, '');

describe('a report of a message', () => {
  it('needs an explanation if its reason is none of the others', () => {
    expect(refusalOf('other', ' ')).toBe('MESSAGE_REPORT_UNEXPLAINED');
    expect([refusalOf('other', 'x'), refusalOf('spam', '')]).toEqual([null, null]);
    expect(refusalOf('spam', '🦉'.repeat(1000))).toBeNull();
    expect(refusalOf('spam', 'x'.repeat(1001))).toBe('MESSAGE_REPORT_TOO_LONG');
  });

  it('says who reports what of whom and why, and quotes both texts', () => {
    expect(report('See @**all**')).toBe(`@_**Ada|4** reported [a message](/#narrow/x) from @_**Max|5**.

Reason: **Violates community norms**

Notes:

\`\`\`quote
See @**all**
\`\`\`

\`\`\`\`spoiler The reported message
\`\`\`quote
Bad **words**
\`\`\`
\`\`\`\``);
    expect(report(' ')).not.toContain('Notes');
    expect(report('', { address: null })).toContain('reported a direct message from');
  });

  it('quotes texts whose fences do not end the quotation, and no more than 3000 characters', () => {
    expect(report('```\n@**all**')).toContain('````quote\n```\n@**all**\n```\n````');
    expect(report('', { text: '```\n````\n@**all**' })).toMatch(/^`{6}spoiler.*\n`{5}quote\n```\n````\n@\*\*all/m);
    expect(report('', { text: '🦉'.repeat(5000) })).toContain(`\n${'🦉'.repeat(3000)}…\n`);
  });
});
