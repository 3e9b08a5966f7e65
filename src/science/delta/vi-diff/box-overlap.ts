import type { Box } from '../../../model/page-snapshot.ts';

/** The area two boxes share ÷ the area they cover together. */
export function iou(a: Box, b: Box): number {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a[2] * a[3] + b[2] * b[3] - shared);
}

/** Share of their columns that two leaves between the same neighbours must have in common. */
const SAME_COLUMN = 0.7;

export function sameColumn(a: Box, b: Box): boolean {
  const shared = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const covered = Math.max(a[0] + a[2], b[0] + b[2]) - Math.min(a[0], b[0]);
  return covered > 0 && shared / covered >= SAME_COLUMN;
}
