/** @param body a JSON object that is not empty */
export const withId = (body: string, id: number): string => `${body.slice(0, -1)},"id":${id}}`;
