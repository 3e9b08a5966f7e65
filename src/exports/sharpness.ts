/** `daguerre/sharpness`: blur, schedules, dating (SHARC). */
export * from '../science/sharpness/blur.ts';
export { bestDate, type SiteDate } from '../science/sharpness/dating.ts';
export { exactBlur, exactPageBlur } from '../science/sharpness/exact-blur.ts';
export { organPipeSlot, sharcOffline, sharcRevisits } from '../science/sharpness/organ-pipe.ts';
export type { RevisitSchedule, Schedule, SiteToCapture } from '../science/sharpness/schedule.ts';
export { bestHopeless, sharcThreshold } from '../science/sharpness/sharc-threshold.ts';
export { sharpAssignment } from '../science/sharpness/sharp-assignment.ts';
