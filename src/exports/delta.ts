/** `daguerre/delta`: what changed between two layouts, and how much it matters. */
export type { Delta } from '../model/delta.ts';
export { applyDelta, DeltaMismatch } from '../science/delta/apply-delta.ts';
export { type ChangeImportance, changeImportance } from '../science/delta/change-importance.ts';
export { diffLayouts } from '../science/delta/diff-layouts.ts';
export { inverseDelta } from '../science/delta/inverse-delta.ts';
export { parseViDelta } from '../science/delta/read-vi-delta.ts';
export { changeSalience, withSalience } from '../science/delta/salience/salience.ts';
export { writeViDelta } from '../science/delta/vi-delta.ts';
