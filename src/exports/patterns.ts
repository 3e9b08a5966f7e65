/** `daguerre/patterns`: when pages change, learnt from visits. */
export * from '../science/patterns/change-pattern.ts';
export * from '../science/patterns/learn.ts';
export { type DaySeries, paperPattern, timeSeries } from '../science/patterns/series.ts';
export { type SlotOptions, type SlotPlan, slotPlan } from '../science/patterns/slots.ts';
