/** Whether there is nothing to see: spaces, and characters that only join, part or direct others. */
export const isBlank = (text: string): boolean =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u.test(text);
