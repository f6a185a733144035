import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { animalTypeBundle, cropBundle } from '../../../src/farm/bundle-names.ts'
import { areas, generation, logs, terms } from '../../store/local-copy.ts'
import { firstStepsKey } from '../../store/local-storage.ts'

export const steps = ['keep', 'where', 'field', 'log', 'phone'] as const

export type SetupStep = (typeof steps)[number]

export const isStep = (name: string): name is SetupStep => steps.some((step) => step === name)

/** Increases when a step is skipped, so that screens read again. */
const skips = signal(0)
const hasLogs = signal(false)

const wordsToKeep = [cropBundle, animalTypeBundle]

/** Derived from the farm; only the phone step is confirmed by the user. */
const isDone: Readonly<Record<SetupStep, () => boolean>> = {
  keep: () => [...terms.value.values()].some(({ bundle }) => wordsToKeep.includes(bundle)),
  where: () => areas().length > 0,
  field: () => areas().some(({ fields }) => fields.area_type !== 'property'),
  log: () => hasLogs.value,
  phone: () => namesSkipped().includes('phone-done'),
}

const namesSkipped = (): readonly string[] => {
  void skips.value
  return (localStorage.getItem(firstStepsKey()) ?? '').split(' ')
}

type StepState = 'done' | 'skipped' | 'open'

export function stateOf(step: SetupStep): StepState {
  if (isDone[step]()) return 'done'
  return namesSkipped().includes(step) ? 'skipped' : 'open'
}

/** Once a step is done, the main action of its page is the next step. */
export const actionClass = (step: SetupStep): string => `btn fill ${stateOf(step) === 'done' ? 'tall' : 'main-do'}`

/** Next open step after this one, wrapping around. */
export function nextAfter(step?: SetupStep): SetupStep | undefined {
  const at = step === undefined ? 0 : steps.indexOf(step) + 1
  return [...steps.slice(at), ...steps.slice(0, at)].find((one) => one !== step && stateOf(one) === 'open')
}

export const skip = (...names: readonly string[]): void => keep([...new Set([...namesSkipped(), ...names])])

/** Hides the steps for good. */
export const endSteps = (): void => keep(['over'])

function keep(names: readonly string[]): void {
  localStorage.setItem(firstStepsKey(), names.join(' ').trim())
  skips.value += 1
}

/** Reads again after each change of the copy. */
export function useSteps(): void {
  const commit = generation.value
  useEffect(() => {
    logs({ limit: 1 }).then(({ length }) => {
      hasLogs.value = length > 0
    })
  }, [commit])
}
