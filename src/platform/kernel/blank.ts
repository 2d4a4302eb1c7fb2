/** Whether the text shows nothing: only spaces, and characters that join, separate or direct others. */
export const isBlank = (text: string): boolean =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u.test(text);
