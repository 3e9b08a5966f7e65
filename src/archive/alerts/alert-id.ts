import { createHash } from 'node:crypto';

/** 128 bits: no accidental collisions, and a writer who chose both texts would gain nothing from one. */
export const alertId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
