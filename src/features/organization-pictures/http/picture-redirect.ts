import type { FastifyReply } from 'fastify';

/** Sends the client to a picture that another one may replace at any time. */
export const sendToPicture = (url: string, reply: FastifyReply): FastifyReply =>
  reply.headers({ 'Cache-Control': 'private, no-cache', 'Referrer-Policy': 'no-referrer' }).redirect(url, 302);
