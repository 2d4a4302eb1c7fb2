/** What messages can be asked for by what is in them (`has:`). */
export const HAS_KINDS = ['link', 'image', 'attachment', 'reaction'] as const;
export type HasKind = (typeof HAS_KINDS)[number];
