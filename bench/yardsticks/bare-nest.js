// @ts-check
// The yardstick of the frameworks: Nest on Fastify, the form of a send parsed as Nest does, validated as the DTO that
// Annals has for it, dispatched by @nestjs/cqrs. Nothing is stored.
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CommandHandler, CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SendMessageParameters } from '../../dist/src/messages/http/send-message.parameters.js';

class SendMessage {
  /** @param {SendMessageParameters} parameters */
  constructor(parameters) {
    this.parameters = parameters;
  }
}

class SendMessageHandler {
  #lastId = 0;

  /** @param {SendMessage} command */
  async execute({ parameters }) {
    if (parameters.content === '') throw new Error('no content');
    this.#lastId++;
    return this.#lastId;
  }
}

class MessagesController {
  /** @param {CommandBus} commands */
  constructor(commands) {
    this.commands = commands;
  }

  /** @param {SendMessageParameters} parameters */
  async send(parameters) {
    return { result: 'success', msg: '', id: await this.commands.execute(new SendMessage(parameters)) };
  }
}

class YardstickModule {}

// What the decorators of TypeScript do; this file is run as it is.
CommandHandler(SendMessage)(SendMessageHandler);
const send = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(MessagesController.prototype, 'send'));
Post()(MessagesController.prototype, 'send', send);
HttpCode(200)(MessagesController.prototype, 'send', send);
Body()(MessagesController.prototype, 'send', 0);
Reflect.defineMetadata('design:paramtypes', [SendMessageParameters], MessagesController.prototype, 'send');
Reflect.defineMetadata('design:paramtypes', [CommandBus], MessagesController);
Controller('messages')(MessagesController);
Module({ imports: [CqrsModule.forRoot()], controllers: [MessagesController], providers: [SendMessageHandler] })(
  YardstickModule,
);

const app = await NestFactory.create(YardstickModule, new FastifyAdapter(), { logger: ['error', 'warn'] });
app.setGlobalPrefix('api/v1');
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(Number(process.argv[2]), '127.0.0.1');
