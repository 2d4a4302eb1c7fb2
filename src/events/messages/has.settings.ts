/** The kinds of content that a narrow can ask for (`has:`). */
export const HAS_KINDS = ['link', 'image', 'attachment', 'reaction'] as const;
export type HasKind = (typeof HAS_KINDS)[number];
