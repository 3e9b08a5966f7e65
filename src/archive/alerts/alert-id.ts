import { createHash } from 'node:crypto';

/** 128 bits: nobody meets the same by accident, and who could choose both texts gains nothing. */
export const alertId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
