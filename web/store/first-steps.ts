import { me } from './copy.ts'

/** Where a device notes what was skipped, as names; `over` for all of them, and for good. */
export const placeOfSteps = (): string => `furrow-first-steps-${me.value?.farm.uuid}`

/** Whether the first steps of this farm wait for whoever uses this device. */
export const firstStepsWait = (): boolean =>
  me.value?.account.role === 'manager' && localStorage.getItem(placeOfSteps()) !== 'over'
