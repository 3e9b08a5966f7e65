import { z } from 'zod';
import { millis } from './field-kinds.ts';

export const SESSION = z.object({
  by: z.enum(['local', 'everyone', 'token', 'session']),
  name: z.string().optional(),
  role: z.enum(['reader', 'editor', 'admin']).nullable().describe('null: log in first'),
  canLogIn: z.boolean().describe('there are users'),
  takesToken: z.boolean().describe('there are tokens'),
  csrf: z.string().optional().describe('for x-csrf-token of writes'),
  endsAt: millis.optional(),
});
export type SessionAnswer = Readonly<z.infer<typeof SESSION>>;
