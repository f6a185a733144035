import { me } from './copy.ts'

const place = (): string => `furrow-first-steps-${me.value?.farm.uuid}`

/** Whether the first steps of this farm wait for whoever uses this device. */
export const firstStepsWait = (): boolean =>
  me.value?.account.role === 'manager' && localStorage.getItem(place()) !== 'over'

/** The names of those that were skipped; `over` for all of them, and for good. */
export const skippedSteps = (): readonly string[] => (localStorage.getItem(place()) ?? '').split(' ')

export const keepSkipped = (steps: readonly string[]): void => localStorage.setItem(place(), steps.join(' ').trim())
